/** The port to the queue (rule S2): the waiting players and their sessions. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';
import type { WaitingSession } from '../matchmaking/queue.ts';

/** The key of one queue: only players of the same queue are paired. */
export interface QueueKey {
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

/** A session of a queue, with the taken seats instead of the free ones. */
export interface StoredWaiting extends Omit<WaitingSession, 'free'> {
  readonly taken: number;
}

/**
 * Rows come and go with the commits that seat players: a player waits once in a game and mode. A
 * create or a join that would have one wait twice is not done.
 */
export interface QueueStore {
  /** Those of the players who wait for this game, and where. */
  findWaiting(
    world: Pick<QueueKey, 'tenant' | 'mode' | 'game'>,
    playerIds: readonly string[],
  ): Promise<readonly WaitingPlayer[]>;
  /** The sessions of a queue, the longest waiting first. */
  listWaiting(line: QueueKey, limit: number): Promise<readonly StoredWaiting[]>;
}
