/** What tenants do with sessions, in their own words: the calls behind the HTTP routes. */

import type { GameId } from '../../game/src/game.ts';
import type { Verdict } from '../integrity/verdict.ts';
import type { BotDifficulty, MatchType, Mode, Series } from '../match/record.ts';
import type { SessionStatus } from '../match/session.ts';
import type { SessionOptions } from '../match/setup.ts';
import type { RatingChange } from '../store/rematches.ts';
import type {
  AnswerSearch,
  AuditRow,
  IdempotencyRow,
  PlayerRecord,
  SessionRow,
} from '../store/store.ts';
import type { KeyMode, TenantLimits } from '../tenancy/tenant.ts';
import type { MatchView } from './host/work.ts';
import type { SignedReplay } from './signing/replay-signature.ts';
import type { LogCheck } from './verify-log.ts';

/** Why a call had no effect: a closed list, mapped to statuses and messages at the edge. */
export type ServiceRefusal =
  | 'session_not_found'
  | 'player_not_found'
  | 'player_not_seated'
  | 'room_code_invalid'
  | 'player_in_session'
  | 'room_full'
  | 'session_not_pending'
  | 'session_not_ended'
  | 'no_active_bots'
  | 'no_rematch'
  | 'session_ended'
  | 'month_quota_exceeded'
  | 'open_sessions_exceeded'
  | 'busy'
  | 'unavailable';

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: ServiceRefusal };

export interface NamedPlayer {
  readonly id: string;
  readonly displayName: string | null;
}

/** A bot for a seat; `level` is how well the service plays it, null for a program of the tenant's. */
export interface BotSeat {
  readonly player: NamedPlayer;
  readonly level: BotDifficulty | null;
}

/** A session to be made; everything in it has been checked. */
export interface SessionRequest {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  readonly matchType: MatchType;
  readonly variant: string;
  readonly seats: number;
  readonly options: SessionOptions;
  readonly players: readonly NamedPlayer[];
  /** Who sits on the seats after those of the players, from the start. */
  readonly bots?: readonly BotSeat[];
  /** The seats of the players, then those of the bots; absent: as seats are taken. */
  readonly order?: readonly number[];
  /** The ended session that it is the rematch of. */
  readonly rematchOf?: string;
  /** Of a rematch: the score so far. */
  readonly series?: Series;
  /** Of training: the world of the key that asks for it. */
  readonly world?: KeyMode;
  /** JSON texts. */
  readonly metadata: string | null;
  readonly theme: string | null;
  readonly limits: TenantLimits;
  /** What the check of the first player's device found; absent when there was none. */
  readonly verdict?: Verdict;
}

export interface JoinRequest {
  readonly tenant: string;
  readonly mode: Mode;
  readonly roomCode: string;
  readonly game: GameId;
  readonly player: NamedPlayer;
  /** What the check of the player's device found; absent when there was none. */
  readonly verdict?: Verdict;
}

/** A session somebody asks for, as far as the key that asks may see it (rule K3). */
export interface SessionRef {
  readonly tenant: string;
  readonly id: string;
  /** Modes whose sessions the key may see. */
  readonly modes: readonly Mode[];
}

/** What the check of a lobby token found. It counts in that mode alone. */
export interface PlayerCheck {
  readonly mode: KeyMode;
  readonly verdict: Verdict;
}

/** Makes the row that keeps the answer for repeats, from the session as it will be (rule H8). */
export type KeepAnswer = (after: MatchView) => IdempotencyRow;

export interface SessionQuery {
  readonly tenant: string;
  readonly mode: Mode | null;
  readonly game: GameId | null;
  readonly status: SessionStatus | null;
  readonly playerId: string | null;
  /** Of training sessions only those of this world; absent for both. */
  readonly world?: KeyMode;
  /** True leaves out private sessions. */
  readonly withoutPrivate?: boolean;
  /** Only sessions whose metadata has this value under this key; absent for any. */
  readonly metadata?: { readonly key: string; readonly value: string };
  readonly createdFrom: number | null;
  readonly createdTo: number | null;
  readonly before: string | null;
  readonly limit: number;
}

/** Everything held about a player, for rule R2's export. */
export interface PlayerExport {
  /** The player's name in each world that knows one by the id, live first. One at least. */
  readonly players: readonly (PlayerRecord & { readonly world: KeyMode })[];
  /** Of the modes asked for. */
  readonly checks: readonly PlayerCheck[];
  /** Those of the modes asked for; each is read when it is come to. */
  readonly sessions: AsyncGenerator<ExportedSession>;
}

export interface ExportedSession {
  readonly row: SessionRow;
  readonly seat: number;
  /** Null of a match that did not count. */
  readonly rating: RatingChange | null;
  /** Null of a match that goes on and hides information. */
  readonly replay: SignedReplay | null;
}

/** The session that a create comes to. */
export interface CreatedView extends MatchView {
  /** Its players waited in it already, or the rematch was there: nothing was done (rules S2, S11). */
  readonly waited?: true;
}

/** A player whom the tenant takes out of a session. `audit`: who did it, where a member did. */
export interface Leaving {
  readonly playerId: string;
  readonly keep: KeepAnswer | null;
  readonly audit: AuditRow | undefined;
}

export interface SessionService {
  create(request: SessionRequest, keep: KeepAnswer | null): Promise<Outcome<CreatedView>>;
  /** The rematch of an ended session: made, or the one that is there. */
  rematch(
    ref: SessionRef,
    limits: TenantLimits,
    keep: KeepAnswer | null,
  ): Promise<Outcome<CreatedView>>;
  /** Takes the next open seat of the room with that code. */
  join(request: JoinRequest, keep: KeepAnswer | null): Promise<Outcome<MatchView>>;
  get(ref: SessionRef): Promise<Outcome<MatchView>>;
  /** Those who sit in the session may not have been told so. */
  notifySeated(session: string): Promise<void>;
  list(query: SessionQuery): Promise<readonly MatchView[]>;
  /** Sockets of this process that watch a session now. */
  watchers(session: string): number;
  /** Opens the seat of a player in a pending session again; without players the session is over. */
  leave(ref: SessionRef, leaving: Leaving): Promise<Outcome<MatchView>>;
  /** The tenant ends the session: result `aborted`. `audit`: who did it, where a member did. */
  end(ref: SessionRef, keep: KeepAnswer | null, audit?: AuditRow): Promise<Outcome<MatchView>>;
  replay(ref: SessionRef): Promise<Outcome<SignedReplay>>;
  /** Folds the log again and checks every record, the result, the hash and the fairness. */
  verify(ref: SessionRef): Promise<Outcome<LogCheck>>;
  /**
   * Keeps what comes with a lobby token: a name, null for none, and what was found of the device. False
   * when there is nothing new: then nothing was kept for repeats.
   */
  namePlayer(
    tenant: string,
    world: KeyMode,
    player: NamedPlayer & { readonly check?: Verdict },
    idempotency: IdempotencyRow | null,
  ): Promise<boolean>;
  exportPlayer(
    tenant: string,
    playerId: string,
    modes: readonly Mode[],
  ): Promise<Outcome<PlayerExport>>;
  /** What of an erasure may take long, ahead of it: nothing waits for it. */
  forgetAnswersOf(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
  ): Promise<AnswerSearch>;
  /** Erases the player in each of these worlds; `player_not_found` where none of them knows one by the id. */
  erasePlayer(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    how?: { readonly looked?: AnswerSearch; readonly audit?: AuditRow | undefined },
  ): Promise<Outcome<null>>;
}
