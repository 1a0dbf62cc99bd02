/** The port to counts over all tenants, for metrics: few rows, each read from an index. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';

/** Sessions that have not ended. */
export interface OpenSessions {
  readonly game: GameId;
  readonly mode: Mode;
  readonly status: 'pending' | 'active';
  readonly n: number;
}

/** Players and groups that wait for opponents. */
export interface Waiting {
  readonly game: GameId;
  readonly mode: Mode;
  /** `player`: a player in the queue; `group`: a promoted ticket in the pool. */
  readonly kind: 'player' | 'group';
  readonly n: number;
  /** When the longest waiting of them began to wait, ms since 1970. */
  readonly since: number;
}

export interface Census {
  readonly sessions: readonly OpenSessions[];
  readonly waiting: readonly Waiting[];
}

export interface CensusStore {
  takeCensus(): Promise<Census>;
}
