/** The port to the store. Every decision relies on what these calls report as committed. */

import type { GameId } from '../../game/src/game.ts';
import type { CommitEvent } from '../events/event.ts';
import type { BotDifficulty, Entry, MatchType, Mode } from '../match/record.ts';
import type { Roster, SessionStatus } from '../match/session.ts';
import type { ApiKey, KeyMode, PlanName, Tenant, TenantLimits } from '../tenancy/tenant.ts';
import type { AuditRow } from './audit.ts';
import type { GuestSweep } from './guests.ts';
import type { RatingChange, RematchStore } from './rematches.ts';
import type { SettingsStore } from './settings.ts';

export type { AuditRow } from './audit.ts';

/** The outcome of a commit. `unknown`: it may or may not have happened; the log decides. */
export type CommitOutcome = 'committed' | 'conflict' | 'unknown';

/** A session's row: what is listed and looked up without its log. */
export interface SessionRow {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  /** For training only: the mode of the key that created it. Keys of the other mode do not see it. */
  readonly world?: KeyMode;
  readonly game: GameId;
  readonly matchType: MatchType;
  readonly variant: string;
  readonly status: SessionStatus;
  readonly roomCode: string;
  /** JSON texts, returned as received; null when none was given. */
  readonly metadata: string | null;
  readonly theme: string | null;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** Verdicts of device checks, as `addCheck` writes them; absent for none. */
  readonly integrity?: string;
  /** The seal of the session's end, as `makeSeals` writes it; absent for none (rule S7b). */
  readonly seal?: string;
  /** The rematch of an ended session; absent for none (rule S11). */
  readonly next?: string;
}

/** A player to be seated, with the tenant's own id. */
export interface SeatedRow {
  readonly seat: number;
  readonly playerId: string;
  /** Null keeps the name that the tenant gave before. */
  readonly displayName: string | null;
  readonly isBot: boolean;
  /** The pseudonym for the player if they are new to the tenant. */
  readonly newRef: string;
  /** When the player was seated, ms since 1970. */
  readonly at: number;
}

/** A seat that its player left, and the version of the record of it. */
export interface LeftSeat {
  readonly seat: number;
  readonly v: number;
}

/** A stored response for repeats of a request (rule H8). */
export interface IdempotencyRow {
  readonly tenant: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the request's body, hex. */
  readonly bodyHash: string;
  readonly status: number;
  /** The response without tokens and secrets. */
  readonly body: string;
  /** What a repeat must generate again, as the endpoint stored it; null for nothing. */
  readonly mint: string | null;
  readonly keptAt: number;
  readonly expiresAt: number;
}

export type IdempotencyId = Pick<IdempotencyRow, 'tenant' | 'mode' | 'method' | 'path' | 'key'>;

/** A bot's seat and its level; null for a tenant's own program. */
export interface BotSeat {
  readonly seat: number;
  readonly level: BotDifficulty | null;
}

/** What a commit changes outside the log, in the same transaction. Absent fields are unchanged. */
export interface SessionChange {
  readonly status?: SessionStatus;
  /** It was active until now: its room code and its waiting players were removed when it started. */
  readonly wasActive?: true;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** For a session that ends: its seal. */
  readonly seal?: string;
  /** For a match that ends: the bots' seats; absent for none. */
  readonly bots?: readonly BotSeat[];
  /** Players who take seats. */
  readonly seats?: readonly SeatedRow[];
  /** Seats that are open again, before any is taken. */
  readonly left?: readonly LeftSeat[];
  /**
   * The pairing, when seats of a queue session are open again: its players wait again in that
   * queue, except those who wait for the game elsewhere. Nobody does if an erased player has a
   * seat.
   */
  readonly requeued?: { readonly pairing: string };
  /** They come from the queue: a conflict if one of them waits for this game already. */
  readonly queued?: true;
  /** The last open seat of a pending session was taken: its players no longer wait. */
  readonly full?: true;
  /** All verdicts of the session, replacing the former ones. */
  readonly integrity?: string;
  readonly idempotency?: IdempotencyRow;
  /** The member who did it, if one did (rule D8). */
  readonly audit?: AuditRow;
  /** Wakes the session: this process now has its deadline. */
  readonly awake?: true;
}

/** Records to append to one session at exactly their versions, all or none. */
export interface MatchCommit {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  /** For training only, as in its row. */
  readonly world?: KeyMode | undefined;
  /** In order, without a gap. */
  readonly entries: readonly Entry[];
  readonly change: SessionChange | null;
  /** The tenant's events to write in the same commit; absent for none. */
  readonly events?: readonly CommitEvent[];
  /** The span that it belongs to, as a `traceparent`; for traces only. */
  readonly trace?: string | undefined;
}

/** Limits for a new session. Null means no limit. */
export interface SessionQuota {
  /** The counter's name for this month, e.g. `2026-11`; null when the session is not counted. */
  readonly month: string | null;
  readonly sessionsPerMonthMax: number | null;
  readonly openSessionsMax: number | null;
}

export interface NewSession {
  readonly row: Omit<SessionRow, 'status' | 'startedAt' | 'endedAt'>;
  readonly seats: readonly SeatedRow[];
  /** The record of version 0. */
  readonly entry: Entry;
  readonly roomCodeExpiresAt: number;
  /** When it is due if it starts asleep, ms since 1970; null: the caller owns it. */
  readonly wakeAt: number | null;
  readonly quota: SessionQuota;
  /** The response to store; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
  /** Its players wait for opponents of the same pairing; absent if they do not. */
  readonly waiting?: { readonly pairing: string };
  /** The ended session that it is the rematch of. */
  readonly rematchOf?: string;
  readonly events?: readonly CommitEvent[];
}

/** `names`: the players' current names, in the order of `seats`; null for no name. */
export interface Created {
  readonly names: readonly (string | null)[];
}

/**
 * `room_code_taken`: retry with another code. `already_waiting`: one of its players waits for this
 * game in another session. `rematch_made`: the session has a rematch, or no longer exists. The
 * others are final.
 */
export type CreateOutcome =
  | Created
  | 'month_full'
  | 'open_full'
  | 'room_code_taken'
  | 'already_waiting'
  | 'rematch_made';

/** A session as it is created or stored. */
export interface MadeSession {
  readonly row: SessionRow;
  readonly roster: Roster;
  readonly entries: readonly Entry[];
  /** The seats that are bots' by their rows, in order; absent when not read from a store. */
  readonly botSeats?: readonly number[];
}

/** A stored session: its row, its seats, and its whole log. */
export interface StoredSession extends MadeSession {
  /** No node owns it. */
  readonly isAsleep: boolean;
  /**
   * When a sleeping session is due, ms since 1970; null for never. It remains after a node has
   * claimed the session, until that node writes.
   */
  readonly wakeAt: number | null;
  /** The node that owns it by its row; null when it sleeps. Absent in a single-process store. */
  readonly holder?: string | null;
}

/** Records after a version, oldest first, or the latest before one. */
export interface LogRange {
  readonly from: 'after' | 'before';
  readonly v: number;
  readonly limit: number;
}

export interface LogPart {
  readonly row: SessionRow;
  /** Null for a log whose beginning is missing. */
  readonly first: Entry | null;
  readonly entries: readonly Entry[];
  /** The newest version of the whole log; -1 when it is empty. */
  readonly last: number;
}

export interface SessionFilter {
  readonly tenant: string;
  readonly mode: Mode | null;
  readonly game: GameId | null;
  readonly status: SessionStatus | null;
  readonly playerId: string | null;
  /** Only training sessions of this mode; absent for both. */
  readonly world?: KeyMode;
  /** True leaves out sessions whose open seats need the room code. */
  readonly withoutPrivate?: boolean;
  /** Only sessions whose metadata has this value under this key; absent for any. */
  readonly metadata?: { readonly key: string; readonly value: string };
  /** Bounds of `createdAt`, ms since 1970; from inclusive, to exclusive. */
  readonly createdFrom: number | null;
  readonly createdTo: number | null;
  /** Only sessions older than this id. */
  readonly before: string | null;
  /** No session older than this id matches: the search may stop there. */
  readonly notBefore?: string;
  readonly limit: number;
}

/** The stored data of one player in one mode. */
export interface PlayerRecord {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
}

/** A session in which a player sat, for exports. */
export interface PlayerSession {
  readonly session: string;
  readonly seat: number;
  /** What it did to the player's rating; absent when the match was not rated. */
  readonly rating?: RatingChange;
}

export interface SessionStore {
  /**
   * Appends to a session's log. Calls `done` once, later; for one session in the order of the
   * calls. On `conflict` somebody else has written these versions and nothing of the commit is
   * kept.
   */
  commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void;
  createSession(session: NewSession): Promise<CreateOutcome>;
  /** Null when there is no such session. */
  loadSession(id: string): Promise<StoredSession | null>;
  /** A session's row, the record of version 0, and the requested range of the others, in order. */
  loadLogPart(id: string, asked: LogRange): Promise<LogPart | null>;
  findSessionByRoomCode(
    tenant: string,
    mode: Mode,
    code: string,
    now: number,
  ): Promise<string | null>;
  listSessions(filter: SessionFilter): Promise<readonly SessionRow[]>;
  /** A player's sessions that have not ended, oldest first. For training, those of live mode. */
  listOpenSessionsOf(tenant: string, mode: Mode, playerId: string): Promise<readonly string[]>;
  /** Puts sessions to sleep: no node owns them, and they are due at the given time, ms since 1970. */
  sleep(
    sessions: readonly { readonly id: string; readonly wakeAt: number | null }[],
  ): Promise<void>;
  /** Claims sleeping sessions that are due at or before `now`, most urgent first. */
  claimDue(now: number, limit: number): Promise<readonly string[]>;
  /** Claims awake sessions whose owner has no lease: this node owns them now. Ordered by id, after `after`. */
  claimAwake(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Removes logs, seats and rows of ended sessions. Returns how many: at most `limit`, fewer when
   * their logs are long, and 0 when none is left.
   */
  removeSessions(filter: {
    readonly tenant: string;
    readonly mode: Mode;
    readonly endedBefore: number;
    readonly limit: number;
  }): Promise<number>;
  /**
   * Indexes the metadata of sessions that an earlier matchd wrote, so that `listSessions` finds
   * them. Returns how many sessions: at most `limit`, and 0 when none is left.
   */
  indexMetadata(limit: number): Promise<number>;
}

/** The result of checking a lobby token. */
export interface LobbyCheck {
  /** The mode in which it counts. */
  readonly mode: KeyMode;
  /** JSON of a `Verdict`. */
  readonly verdict: string;
}

/** Names a player before they take a seat, or without one. */
export interface PlayerNaming {
  readonly tenant: string;
  /** The mode of the player and the check. */
  readonly world: KeyMode;
  readonly playerId: string;
  /** Null leaves the name as it is. */
  readonly displayName: string | null;
  /** JSON of a `Verdict` that replaces the stored one; absent when the device was not checked. */
  readonly check?: string;
  /** The pseudonym, if the player is new. */
  readonly newRef: string;
  readonly at: number;
}

/** How long responses for repeats are stored, ms (rule H8). */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1_000;

/** A search of a tenant's stored responses for a player. */
export interface AnswerSearch {
  /** Whether a row of the player existed. */
  readonly isKnown: boolean;
  /** Responses stored since then may name the player; ms since 1970. */
  readonly since: number;
}

export interface PlayerStore {
  findPlayer(tenant: string, world: KeyMode, playerId: string): Promise<PlayerRecord | null>;
  /** Sets the name and the check, and stores the response for repeats in the same commit. */
  namePlayer(naming: PlayerNaming, idempotency: IdempotencyRow | null): Promise<void>;
  /** The newest of each mode. */
  listLobbyChecks(tenant: string, playerId: string): Promise<readonly LobbyCheck[]>;
  /** Of both modes. */
  listSessionsOf(tenant: string, playerId: string): Promise<readonly PlayerSession[]>;
  /**
   * The slow part of an erasure: removes, step by step, the stored responses that name the player,
   * who still exists. `now`: when it begins. If no erasure follows, repeats of those requests may
   * be performed again.
   */
  forgetAnswersOf(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    now: number,
  ): Promise<AnswerSearch>;
  /**
   * Clears the player's row in each of these modes (rule R2), and removes stored responses that
   * name them: those stored since the search `looked`, or all. False when there is no row: then
   * only lobby tokens were removed. `audit`: the member who did it, if one did (rule D8).
   */
  erasePlayer(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    now: number,
    how?: { readonly looked?: AnswerSearch; readonly audit?: AuditRow | undefined },
  ): Promise<boolean>;
  /** Removes guests that nothing refers to. Examines `limit` of them, ordered by id, after one. */
  removeGuests(tenant: string, world: KeyMode, after: string, limit: number): Promise<GuestSweep>;
}

export interface IdempotencyStore {
  findIdempotent(id: IdempotencyId, now: number): Promise<IdempotencyRow | null>;
  /** Stores a response that has no other effect to commit. False: another one is stored already, and stays. */
  keepIdempotent(row: IdempotencyRow): Promise<boolean>;
  removeIdempotent(expiredBefore: number, limit: number): Promise<number>;
}

/** A key as found by the id in its text, with the digest of that secret. */
export interface FoundKey {
  readonly key: ApiKey;
  readonly tenant: Tenant;
  readonly secret: {
    readonly id: string;
    readonly hash: string;
    readonly expiresAt: number | null;
    readonly lastUsedAt: number | null;
  };
}

/** A secret that a rotation replaced and that is valid until its overlap ends. */
export interface OldSecret {
  readonly id: string;
  readonly key: string;
  readonly expiresAt: number;
  readonly lastUsedAt: number | null;
}

/** A use of a key, with the secret that was used. */
export interface KeyUse {
  readonly id: string;
  readonly secret: string;
  readonly at: number;
}

export interface NewKeySecret {
  /** The 8 characters of the key that are stored in clear. */
  readonly id: string;
  /** Hex SHA-256 of the whole key. */
  readonly hash: string;
}

export interface TenancyStore {
  /** Of two parallel creates with one slug, one succeeds. Rejects when a tenant with this id exists. */
  createTenant(tenant: Tenant, audit: AuditRow): Promise<'created' | 'slug_taken'>;
  updateTenant(
    id: string,
    change: Partial<{
      name: string;
      active: boolean;
      plan: PlanName;
      limits: Partial<TenantLimits>;
    }>,
    audit: AuditRow,
  ): Promise<boolean>;
  findTenant(id: string): Promise<Tenant | null>;
  listTenants(): Promise<readonly Tenant[]>;
  /** `full` when the tenant has that many keys that are not revoked; null for no limit. */
  createKey(
    key: ApiKey,
    secret: NewKeySecret,
    audit: AuditRow,
    keysMax?: number | null,
  ): Promise<'created' | 'full'>;
  /** Sets a new secret; older ones stay valid until `overlapUntil`. */
  rotateKey(
    key: string,
    secret: NewKeySecret,
    hint: string,
    overlapUntil: number,
    audit: AuditRow,
  ): Promise<boolean>;
  updateKey(
    id: string,
    change: Partial<Pick<ApiKey, 'name' | 'origins' | 'requireOrigin' | 'expiresAt' | 'revokedAt'>>,
    audit: AuditRow,
  ): Promise<boolean>;
  findKey(id: string): Promise<ApiKey | null>;
  listKeys(tenant: string): Promise<readonly ApiKey[]>;
  findKeyBySecret(secretId: string): Promise<FoundKey | null>;
  /** The tenant's old secrets that are still valid at `now`, the first to expire first. */
  listOldSecrets(tenant: string, now: number): Promise<readonly OldSecret[]>;
  /** Ends older secrets from `audit.at` on. False when none of them was valid. */
  endOverlap(key: string, audit: AuditRow): Promise<boolean>;
  touchKeys(used: readonly KeyUse[]): Promise<void>;
  /** Rises with every change to tenants and keys, in any process. */
  tenancyRevision(): Promise<number>;
}

/** A secret that signs the service's own tokens. */
export interface SigningSecret {
  readonly kid: string;
  readonly secret: Uint8Array;
}

export interface ServiceStore {
  /** Records that the process is alive: its sessions were served until then. */
  heartbeat(node: string, now: number): Promise<void>;
  /** The latest heartbeat of any process; null on the first start. */
  lastHeartbeat(): Promise<number | null>;
  /**
   * For a start at time `now`, ms since 1970. Removes heartbeats after `now`, which a fast clock
   * left, and those of dead processes except the latest. A store that nodes share uses its own
   * clock instead, and keeps the rows of nodes whose clock is right.
   */
  pruneHeartbeats(now: number): Promise<void>;
  /** The secret that signs, created with `make` if there is none yet. */
  signingSecret(make: () => SigningSecret): Promise<SigningSecret>;
  /** Since when every session that ends is sealed, ms since 1970 (rule S7b). */
  sealedSince(): Promise<number>;
  /** Whether the store is reachable and writable. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** The stores that matches and tenants need; tests have them in memory. */
export type CoreStore = SessionStore &
  RematchStore &
  PlayerStore &
  IdempotencyStore &
  TenancyStore &
  SettingsStore &
  ServiceStore;
