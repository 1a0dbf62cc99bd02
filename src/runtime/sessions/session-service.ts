/** What tenants do with sessions: the calls behind the HTTP routes. */

import type { GameId } from '../../../game/src/game.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import type { BotDifficulty, MatchType, Mode, Series } from '../../match/record.ts';
import type { SessionOptions } from '../../match/setup.ts';
import type { RatingChange } from '../../store/rematches.ts';
import type {
  AnswerSearch,
  AuditRow,
  IdempotencyRow,
  PlayerRecord,
  SessionFilter,
  SessionRow,
} from '../../store/store.ts';
import type { KeyMode, TenantLimits } from '../../tenancy/tenant.ts';
import type { MatchView } from '../host/work.ts';
import type { SignedReplay } from '../signing/replay-signature.ts';
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

/** A bot for a seat; `level` is the strength of the service's bot, null for a tenant's program. */
export interface BotSeat {
  readonly player: NamedPlayer;
  readonly level: BotDifficulty | null;
}

/** A session to create, already validated. */
export interface SessionRequest {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  readonly matchType: MatchType;
  readonly variant: string;
  readonly seats: number;
  readonly options: SessionOptions;
  readonly players: readonly NamedPlayer[];
  /** Who has the seats after the players', from the start. */
  readonly bots?: readonly BotSeat[];
  /** The seats of the players, then those of the bots; absent: in order. */
  readonly order?: readonly number[];
  /** The ended session before this rematch. */
  readonly rematchOf?: string;
  /** Of a rematch: the score so far. */
  readonly series?: Series;
  /** Of training: the world of the key that asks for it. */
  readonly world?: KeyMode;
  /** JSON texts. */
  readonly metadata: string | null;
  readonly theme: string | null;
  readonly limits: TenantLimits;
  /** The finding about the first player's device; absent when it was not checked. */
  readonly verdict?: Verdict;
}

export interface JoinRequest {
  readonly tenant: string;
  readonly mode: Mode;
  readonly roomCode: string;
  readonly game: GameId;
  readonly player: NamedPlayer;
  /** The finding about the player's device; absent when it was not checked. */
  readonly verdict?: Verdict;
}

/** A requested session, as far as the request's key may see it (rule K3). */
export interface SessionRef {
  readonly tenant: string;
  readonly id: string;
  /** Modes whose sessions the key may see. */
  readonly modes: readonly Mode[];
}

/** The finding about a lobby token's device. It counts in that mode only. */
export interface PlayerCheck {
  readonly mode: KeyMode;
  readonly verdict: Verdict;
}

/** Makes the row with the stored response, from the session as it will be (rule H8). */
export type KeepAnswer = (after: MatchView) => IdempotencyRow;

/** The bound `notBefore` follows from the rest. */
export type SessionQuery = Omit<SessionFilter, 'notBefore'>;

/** All data about a player, for rule R2's export. */
export interface PlayerExport {
  /** The player's name in each world that knows one by the id, live first. One at least. */
  readonly players: readonly (PlayerRecord & { readonly world: KeyMode })[];
  /** Of the requested modes. */
  readonly checks: readonly PlayerCheck[];
  /** Of the requested modes; each is read when its turn comes. */
  readonly sessions: AsyncGenerator<ExportedSession>;
}

export interface ExportedSession {
  readonly row: SessionRow;
  readonly seat: number;
  /** Null for an unrated match. */
  readonly rating: RatingChange | null;
  /** Null for a running match with hidden information. */
  readonly replay: SignedReplay | null;
}

/** The session that a create returns. */
export interface CreatedView extends MatchView {
  /** Its players waited in it already, or the rematch existed: nothing was done (rules S2, S11). */
  readonly waited?: true;
}

/** A player whom the tenant removes from a session. `audit`: the author, when a member did it. */
export interface Leaving {
  readonly playerId: string;
  readonly keep: KeepAnswer | null;
  readonly audit: AuditRow | undefined;
}

export interface SessionService {
  create(request: SessionRequest, keep: KeepAnswer | null): Promise<Outcome<CreatedView>>;
  /** Creates or returns the rematch of an ended session. */
  rematch(
    ref: SessionRef,
    limits: TenantLimits,
    keep: KeepAnswer | null,
  ): Promise<Outcome<CreatedView>>;
  /** Takes the next open seat of the room with that code. */
  join(request: JoinRequest, keep: KeepAnswer | null): Promise<Outcome<MatchView>>;
  get(ref: SessionRef): Promise<Outcome<MatchView>>;
  /** Players of the session may not have been notified. */
  notifySeated(session: string): Promise<void>;
  list(query: SessionQuery): Promise<readonly MatchView[]>;
  /** Sockets of this process that watch a session now. */
  watchers(session: string): number;
  /** Opens a player's seat in a pending session again; a session without players ends. */
  leave(ref: SessionRef, leaving: Leaving): Promise<Outcome<MatchView>>;
  /** The tenant ends the session: result `aborted`. `audit`: the author, when a member did it. */
  end(ref: SessionRef, keep: KeepAnswer | null, audit?: AuditRow): Promise<Outcome<MatchView>>;
  replay(ref: SessionRef): Promise<Outcome<SignedReplay>>;
  /** Folds the log again and checks every record, the result, the hash and the fairness. */
  verify(ref: SessionRef): Promise<Outcome<LogCheck>>;
  /**
   * Stores what comes with a lobby token: a name, null for none, and the finding about the device. False when
   * there is nothing new: then no response was stored.
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
  /** The slow part of an erasure, done in advance: nothing waits for it. */
  forgetAnswersOf(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
  ): Promise<AnswerSearch>;
  /** Erases the player in each of these worlds; `player_not_found` when none of them knows the id. */
  erasePlayer(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    how?: { readonly looked?: AnswerSearch; readonly audit?: AuditRow | undefined },
  ): Promise<Outcome<null>>;
}
