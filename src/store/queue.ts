/** The port to the queue (rule S2): who waits for opponents in which session. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';
import type { WaitingSession } from '../matchmaking/queue.ts';

/** The games of one kind that are waited for: only those in one line can meet. */
export interface Line {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  /** Digest of variant, seats and options. */
  readonly pairing: string;
}

/** A player who waits: in a pending matchmaking session that has an open seat. */
export interface WaitingPlayer {
  readonly playerId: string;
  readonly session: string;
}

/** A session of a line, with the seats that are taken instead of those that are free. */
export interface KeptWaiting extends Omit<WaitingSession, 'free'> {
  readonly taken: number;
}

/**
 * Rows come and go with the commits that seat players: a player waits once in a game and mode. A
 * create or a join that would have one wait twice is not done.
 */
export interface QueueStore {
  /** Those of the players who wait for this game, and where. */
  findWaiting(
    world: Pick<Line, 'tenant' | 'mode' | 'game'>,
    playerIds: readonly string[],
  ): Promise<readonly WaitingPlayer[]>;
  /** The sessions of a line, the longest waiting first. */
  listWaiting(line: Line, limit: number): Promise<readonly KeptWaiting[]>;
}
