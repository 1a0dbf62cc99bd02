/** The port to the queue (rule S2): waiting players and their sessions. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';
import type { WaitingSession } from '../matchmaking/queue.ts';

/** The key of one queue. Only players of the same queue are paired. */
export interface QueueKey {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  /** Digest of variant, seats and options. */
  readonly pairing: string;
}

/** A waiting player: one in a pending matchmaking session with an open seat. */
export interface WaitingPlayer {
  readonly playerId: string;
  readonly session: string;
}

/** A session of a queue, with its taken seats instead of the free ones. */
export interface StoredWaiting extends Omit<WaitingSession, 'free'> {
  readonly taken: number;
}

/**
 * Rows are written by the commits that seat players. A player waits at most once per game and mode:
 * a create or a join that would break this is refused.
 */
export interface QueueStore {
  /** Which of the players wait for this game, and where. */
  findWaiting(
    world: Pick<QueueKey, 'tenant' | 'mode' | 'game'>,
    playerIds: readonly string[],
  ): Promise<readonly WaitingPlayer[]>;
  /** The sessions of a queue, longest waiting first. */
  listWaiting(line: QueueKey, limit: number): Promise<readonly StoredWaiting[]>;
}
