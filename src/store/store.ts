/** The port to the store. Every decision rests on what these calls report as committed. */

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

/** The row of a session: what is listed and looked up without reading its log. */
export interface SessionRow {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  /** Of training alone: the world of the key that made it. A key of the other does not see it. */
  readonly world?: KeyMode;
  readonly game: GameId;
  readonly matchType: MatchType;
  readonly variant: string;
  readonly status: SessionStatus;
  readonly roomCode: string;
  /** JSON texts, echoed as they came; null when none was given. */
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

/** A player to be seated. Ids are the tenant's own. */
export interface SeatedRow {
  readonly seat: number;
  readonly playerId: string;
  /** Null keeps the name the tenant gave before. */
  readonly displayName: string | null;
  readonly isBot: boolean;
  /** The pseudonym to keep the player under, if it is new to the tenant. */
  readonly newRef: string;
  /** When it was seated, ms since 1970. */
  readonly at: number;
}

/** A seat that its player left, and the version of the record that says so. */
export interface LeftSeat {
  readonly seat: number;
  readonly v: number;
}

/** A stored answer for repeats of a request (rule H8). */
export interface IdempotencyRow {
  readonly tenant: string;
  readonly mode: Mode;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the request's body, hex. */
  readonly bodyHash: string;
  readonly status: number;
  /** The answer without tokens and secrets. */
  readonly body: string;
  /** What a repeat must mint again, as the endpoint wrote it; null for nothing. */
  readonly mint: string | null;
  readonly keptAt: number;
  readonly expiresAt: number;
}

export type IdempotencyId = Pick<IdempotencyRow, 'tenant' | 'mode' | 'method' | 'path' | 'key'>;

/** A bot's seat and its level; null for a program of the tenant. */
export interface BotSeat {
  readonly seat: number;
  readonly level: BotDifficulty | null;
}

/** What a commit changes beside the log, in the same transaction. Absent fields stay. */
export interface SessionChange {
  readonly status?: SessionStatus;
  /** It was active until now: its room code and its waiting players were removed when it became active. */
  readonly wasActive?: true;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Of a session that ends: its seal. */
  readonly seal?: string;
  /** Of a match that ends: the seats that bots had; absent for none. */
  readonly bots?: readonly BotSeat[];
  /** Players who take seats. */
  readonly seats?: readonly SeatedRow[];
  /** Seats that are open again, before any is taken. */
  readonly left?: readonly LeftSeat[];
  /**
   * Its pairing, where seats of a session from the queue are open again: all who sit in it wait in that line,
   * but for those who wait for the game elsewhere. Nobody does where an erased player sits.
   */
  readonly requeued?: { readonly pairing: string };
  /** They come from the queue: a conflict if one of them waits for this game already. */
  readonly queued?: true;
  /** The last open seat of a pending session was taken: no player waits in it any more. */
  readonly full?: true;
  /** All verdicts of the session, instead of those it had. */
  readonly integrity?: string;
  readonly idempotency?: IdempotencyRow;
  /** Who did it, where a member did (rule D8). */
  readonly audit?: AuditRow;
  /** Wakes the session: this process now has its deadline. */
  readonly awake?: true;
}

/** Records of one session, to be appended at exactly their versions, or not at all. */
export interface MatchCommit {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  /** Of training alone, as in its row. */
  readonly world?: KeyMode | undefined;
  /** Without a gap, in order. */
  readonly entries: readonly Entry[];
  readonly change: SessionChange | null;
  /** The tenant's events of it, in the same commit; absent for none. */
  readonly events?: readonly CommitEvent[];
  /** The span that it belongs to, as a `traceparent`; for traces alone. */
  readonly trace?: string | undefined;
}

/** Limits of a new session. Null is no limit. */
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
  /** When it is due if it sleeps from the start, ms since 1970; null: the caller owns it. */
  readonly wakeAt: number | null;
  readonly quota: SessionQuota;
  /** The answer to store; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
  /** Its players wait in it for opponents of the same pairing; absent otherwise. */
  readonly waiting?: { readonly pairing: string };
  /** The ended session that it is the rematch of. */
  readonly rematchOf?: string;
  readonly events?: readonly CommitEvent[];
}

/** `names`: how the players are called from now on, in the order of `seats`; null for no name. */
export interface Created {
  readonly names: readonly (string | null)[];
}

/**
 * `room_code_taken` asks for another try with another code; `already_waiting`: one of its players
 * waits for this game in another session; `rematch_made`: the session has a rematch, or is not there
 * any more. The others are final.
 */
export type CreateOutcome =
  | Created
  | 'month_full'
  | 'open_full'
  | 'room_code_taken'
  | 'already_waiting'
  | 'rematch_made';

/** A session as it is made, or as it is kept. */
export interface MadeSession {
  readonly row: SessionRow;
  readonly roster: Roster;
  readonly entries: readonly Entry[];
  /** Seats that are a bot's by their rows, in order; absent where it was not read from a store. */
  readonly botSeats?: readonly number[];
}

/** A session as it is kept: its row, who sits where, and its whole log. */
export interface StoredSession extends MadeSession {
  /** No node owns it. */
  readonly isAsleep: boolean;
  /**
   * When it is due as it sleeps, ms since 1970; null for never. It stays there where a node has claimed the session and
   * has not written into it.
   */
  readonly wakeAt: number | null;
  /** The node that owns it by its row; null when it sleeps. Absent in a store of one process. */
  readonly holder?: string | null;
}

/** Records after a version, the oldest first, or the latest before one. */
export interface LogRange {
  readonly from: 'after' | 'before';
  readonly v: number;
  readonly limit: number;
}

export interface LogPart {
  readonly row: SessionRow;
  /** Null for a log without a beginning. */
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
  /** Of training sessions only those of this world; absent for both. */
  readonly world?: KeyMode;
  /** True leaves out those whose open seats are filled by code alone. */
  readonly withoutPrivate?: boolean;
  /** Only sessions whose metadata has this value under this key; absent for any. */
  readonly metadata?: { readonly key: string; readonly value: string };
  /** Bounds of `createdAt`, ms since 1970; from inclusive, to exclusive. */
  readonly createdFrom: number | null;
  readonly createdTo: number | null;
  /** Only sessions older than this id. */
  readonly before: string | null;
  /** None older than this id fits: where the search may end. */
  readonly notBefore?: string;
  readonly limit: number;
}

/** The stored data of one player of a tenant's world. */
export interface PlayerRecord {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
}

/** A session in which a player sat, for exports. */
export interface PlayerSession {
  readonly session: string;
  readonly seat: number;
  /** What it did to the player's rating; absent of a match that did not count. */
  readonly rating?: RatingChange;
}

export interface SessionStore {
  /**
   * Appends to a session's log. Calls `done` once, later; of one session in the order of the calls.
   * On `conflict` somebody else has written these versions and nothing of the commit is kept.
   */
  commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void;
  createSession(session: NewSession): Promise<CreateOutcome>;
  /** Null when there is no such session. */
  loadSession(id: string): Promise<StoredSession | null>;
  /** A session's row, the record of version 0, and those of its others that are asked for, in their order. */
  loadLogPart(id: string, asked: LogRange): Promise<LogPart | null>;
  findSessionByRoomCode(
    tenant: string,
    mode: Mode,
    code: string,
    now: number,
  ): Promise<string | null>;
  listSessions(filter: SessionFilter): Promise<readonly SessionRow[]>;
  /** Sessions of a player that have not ended, oldest first. Of training, those of live mode. */
  listOpenSessionsOf(tenant: string, mode: Mode, playerId: string): Promise<readonly string[]>;
  /** Puts sessions to sleep: no node owns them, and they are due at the given time, ms since 1970. */
  sleep(
    sessions: readonly { readonly id: string; readonly wakeAt: number | null }[],
  ): Promise<void>;
  /** Sleeping sessions that are due at or before `now`, most urgent first. */
  listDue(now: number, limit: number): Promise<readonly string[]>;
  /** Takes the sessions, neither ended nor asleep, whose owner has no lease: this node owns them now. By id, after `after`. */
  listAwake(after: string, limit: number): Promise<readonly string[]>;
  /**
   * Removes logs, seats and rows of ended sessions; answers how many: at most `limit`, fewer where
   * their logs are long, and 0 when none is left.
   */
  removeSessions(filter: {
    readonly tenant: string;
    readonly mode: Mode;
    readonly endedBefore: number;
    readonly limit: number;
  }): Promise<number>;
  /**
   * Indexes the metadata of sessions that an earlier matchd wrote, so that `listSessions` finds them;
   * answers how many sessions: at most `limit`, and 0 when none is left.
   */
  indexMetadata(limit: number): Promise<number>;
}

/** What the check of a lobby token found. */
export interface LobbyCheck {
  /** The world in which it counts. */
  readonly mode: KeyMode;
  /** JSON of a `Verdict`. */
  readonly verdict: string;
}

/** A player is given a name before, or without, being seated. */
export interface PlayerNaming {
  readonly tenant: string;
  /** The world in which the player is called so, and in which the check counts. */
  readonly world: KeyMode;
  readonly playerId: string;
  /** Null leaves the name as it is. */
  readonly displayName: string | null;
  /** JSON of a `Verdict`, which replaces the one that is kept; absent when the device was not checked. */
  readonly check?: string;
  /** The pseudonym, when the player is new. */
  readonly newRef: string;
  readonly at: number;
}

/** How long answers for repeats are stored, ms (rule H8). */
export const ANSWERS_KEPT_MS = 24 * 60 * 60 * 1_000;

/** The search of a tenant's stored answers for a player. */
export interface AnswerSearch {
  /** Was there a row of them? */
  readonly isKnown: boolean;
  /** Answers stored since then may name the player; ms since 1970. */
  readonly since: number;
}

export interface PlayerStore {
  findPlayer(tenant: string, world: KeyMode, playerId: string): Promise<PlayerRecord | null>;
  /** Sets the name and the check, and keeps the answer for repeats in the same commit. */
  namePlayer(naming: PlayerNaming, idempotency: IdempotencyRow | null): Promise<void>;
  /** The newest of each world. */
  listLobbyChecks(tenant: string, playerId: string): Promise<readonly LobbyCheck[]>;
  /** Of both worlds. */
  listSessionsOf(tenant: string, playerId: string): Promise<readonly PlayerSession[]>;
  /**
   * What of an erasure may take long: removes, step by step, the kept answers that name the player, who
   * is still there. `now`: when it begins. Where no erasure follows, what they answered may be done again when
   * it is repeated.
   */
  forgetAnswersOf(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    now: number,
  ): Promise<AnswerSearch>;
  /**
   * Empties the one row of each of these worlds that names the player (rule R2), and removes their kept
   * answers that name them: those kept since they were `looked` through, or all. False when there is no row:
   * then only tokens that they were handed are gone. `audit`: who did it, where a member did (rule D8).
   */
  erasePlayer(
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
    now: number,
    how?: { readonly looked?: AnswerSearch; readonly audit?: AuditRow | undefined },
  ): Promise<boolean>;
  /**
   * Removes guests of whom nothing else is kept. `limit` are looked at, in the order of their ids,
   * after one.
   */
  removeGuests(tenant: string, world: KeyMode, after: string, limit: number): Promise<GuestSweep>;
}

export interface IdempotencyStore {
  findIdempotent(id: IdempotencyId, now: number): Promise<IdempotencyRow | null>;
  /** Keeps an answer that had no effect of its own to be committed with; false: another is, and stays. */
  keepIdempotent(row: IdempotencyRow): Promise<boolean>;
  removeIdempotent(expiredBefore: number, limit: number): Promise<number>;
}

/** A key as it is found by the id in its text: with the digest of that very secret. */
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

/** A secret that a rotation replaced and that is accepted until its overlap ends. */
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
  /** The 8 characters that stand in clear in the key. */
  readonly id: string;
  /** Hex SHA-256 of the whole key. */
  readonly hash: string;
}

export interface TenancyStore {
  /** Of two that are created at once with one slug, one is. Rejects when there is a tenant of this id. */
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
  /** `full` when so many keys of its tenant are not revoked; null for any number. */
  createKey(
    key: ApiKey,
    secret: NewKeySecret,
    audit: AuditRow,
    keysMax?: number | null,
  ): Promise<'created' | 'full'>;
  /** A new secret; the older ones stay valid until `overlapUntil`. */
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
  /** Those of the tenant's keys that are still valid at `now`, the first to end first. */
  listOldSecrets(tenant: string, now: number): Promise<readonly OldSecret[]>;
  /** Ends older secrets from `audit.at` on. False when none of them was valid. */
  endOverlap(key: string, audit: AuditRow): Promise<boolean>;
  touchKeys(used: readonly KeyUse[]): Promise<void>;
  /** Rises with every change to tenants and keys, by whichever process. */
  tenancyRevision(): Promise<number>;
}

/** Secrets that sign the service's own tokens. */
export interface SigningSecret {
  readonly kid: string;
  readonly secret: Uint8Array;
}

export interface ServiceStore {
  /** Records that the process is alive: what it held was served until then. */
  heartbeat(node: string, now: number): Promise<void>;
  /** The latest heartbeat of any process; null on the first start. */
  lastHeartbeat(): Promise<number | null>;
  /**
   * For a start at time `now`, ms since 1970. Removes heartbeats after `now`, which a clock that ran ahead
   * left, and those of dead processes before the latest. A store that nodes share takes its own clock instead,
   * and leaves rows of nodes whose time is right.
   */
  pruneHeartbeats(now: number): Promise<void>;
  /** The secret that signs, made by `make` if there is none yet. */
  signingSecret(make: () => SigningSecret): Promise<SigningSecret>;
  /** Since when every session that ends is sealed, ms since 1970 (rule S7b). */
  sealedSince(): Promise<number>;
  /** Is the store there and writable? */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** The stores that matches and tenants need; tests have it in memory. */
export type CoreStore = SessionStore &
  RematchStore &
  PlayerStore &
  IdempotencyStore &
  TenancyStore &
  SettingsStore &
  ServiceStore;
