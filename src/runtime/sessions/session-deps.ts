/** What calls about sessions need. Types only. */

import type { Games } from '../../games/games.ts';
import type { BotStore } from '../../store/bots.ts';
import type { CoreStore } from '../../store/store.ts';
import type { Erased } from '../host/host-deps.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MakeId } from '../ids.ts';
import type { Clock, Randomness } from '../ports.ts';
import type { Seals } from '../signing/seals.ts';
import type { Erasures } from './erasures.ts';

export interface SessionDeps {
  readonly store: CoreStore;
  readonly bots: Pick<BotStore, 'listSeatableBots'>;
  readonly host: MatchHost;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
  readonly games: Games;
  /** Verifies ended sessions, and signs replays. */
  readonly seals: Pick<Seals, 'check' | 'signReplay'>;
  /** A player of a world was erased (rule R2): their sockets in it are closed. */
  onErased(player: Erased): void;
  /** The rematch of that session was made. */
  onRematch?(session: string): void;
}

/** Serializes conflicting calls. */
export interface SessionParts extends SessionDeps {
  readonly erasures: Erasures;
}
