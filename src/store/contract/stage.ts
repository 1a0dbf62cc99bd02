/** What the store contract uses: a fresh store for every case, and rows for it. */

import { expect } from 'bun:test';
import type { Entry, LogRecord, MatchType, Mode } from '../../match/record.ts';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';
import type { AuditFilter } from '../journal.ts';
import type {
  AuditRow,
  CommitOutcome,
  CoreStore,
  CreateOutcome,
  IdempotencyRow,
  NewSession,
  SeatedRow,
  SessionChange,
  SessionFilter,
} from '../store.ts';

/** How the suite gets stores. */
export interface StoreMaker {
  /** A new, empty store. */
  open(): Promise<CoreStore>;
  /** Another store on the same data, at the same time. Absent if impossible. */
  openAgain?(store: CoreStore): Promise<CoreStore>;
  /** Every stored text, as far as it can be seen from outside. */
  dump?(store: CoreStore): Promise<readonly string[]>;
  /** Rows of the audit, in order. */
  audit?(store: CoreStore): Promise<readonly AuditRow[]>;
}

export interface Case {
  /** Begins with the rule it proves. */
  readonly title: string;
  run(store: CoreStore, maker: StoreMaker): Promise<void>;
}

/** The time of the suite's data, ms since 1970. */
export const T0 = Date.UTC(2026, 10, 14, 12);
export const TENANT = 'ten_a';

/** An id that sorts like `n`. */
export function sessionId(n: number): string {
  return `ses_${String(n).padStart(6, '0')}`;
}

export function entryOf(v: number, record?: Partial<LogRecord>): Entry {
  const connected = { k: 'connected', seat: v % 2 } as const;
  return { v, at: T0 + v, record: { ...connected, ...record } as LogRecord };
}

let refs = 0;

export function seatOf(
  seat: number,
  playerId: string,
  displayName: string | null = null,
): SeatedRow {
  refs += 1;
  return { seat, playerId, displayName, isBot: false, newRef: `ply_${refs}`, at: T0 };
}

/** Fields of a session that matter to a case. */
export interface SessionWish {
  readonly tenant?: string;
  readonly mode?: Mode;
  readonly game?: 'tictactoe' | 'connect4';
  readonly matchType?: MatchType;
  readonly roomCode?: string;
  readonly roomCodeExpiresAt?: number;
  readonly createdAt?: number;
  readonly wakeAt?: number | null;
  readonly seats?: readonly SeatedRow[];
  readonly metadata?: string | null;
  readonly theme?: string | null;
  readonly quota?: Partial<NewSession['quota']>;
  readonly idempotency?: IdempotencyRow;
  readonly rematchOf?: string;
}

export function sessionOf(n: number, wish: SessionWish = {}): NewSession {
  const { tenant = TENANT, mode = 'live', createdAt = T0 } = wish;
  return {
    row: {
      id: sessionId(n),
      tenant,
      mode,
      game: wish.game ?? 'tictactoe',
      matchType: wish.matchType ?? 'private',
      variant: 'standard',
      roomCode: wish.roomCode ?? `C${String(n).padStart(5, '0')}`,
      metadata: wish.metadata ?? null,
      theme: wish.theme ?? null,
      createdAt,
    },
    seats: wish.seats ?? [],
    entry: entryOf(0),
    roomCodeExpiresAt: wish.roomCodeExpiresAt ?? createdAt + 600_000,
    wakeAt: wish.wakeAt === undefined ? createdAt + 300_000 : wish.wakeAt,
    quota: { month: null, sessionsPerMonthMax: null, openSessionsMax: null, ...wish.quota },
    idempotency: wish.idempotency ?? null,
    ...(wish.rematchOf === undefined ? null : { rematchOf: wish.rematchOf }),
  };
}

/** A create's outcome, as one word. */
export function kindOf(outcome: CreateOutcome): string {
  return typeof outcome === 'string' ? outcome : 'created';
}

/** Creates a session that fits the limits. */
export async function created(
  store: CoreStore,
  n: number,
  wish: SessionWish = {},
): Promise<string> {
  expect(kindOf(await store.createSession(sessionOf(n, wish)))).toBe('created');
  return sessionId(n);
}

/** Appends, and returns the outcome. */
export function append(
  store: CoreStore,
  session: string,
  entries: readonly Entry[],
  change: SessionChange | null = null,
  mode: Mode = 'live',
): Promise<CommitOutcome> {
  return new Promise((resolve) => {
    store.commit({ session, tenant: TENANT, mode, entries, change }, resolve);
  });
}

export function filterOf(filter: Partial<SessionFilter> = {}): SessionFilter {
  return {
    tenant: TENANT,
    mode: null,
    game: null,
    status: null,
    playerId: null,
    createdFrom: null,
    createdTo: null,
    before: null,
    limit: 100,
    ...filter,
  };
}

export function answerOf(key: string, fields: Partial<IdempotencyRow> = {}): IdempotencyRow {
  return {
    tenant: TENANT,
    mode: 'live',
    method: 'POST',
    path: '/v1/sessions',
    key,
    bodyHash: 'ab'.repeat(32),
    status: 201,
    body: '{"sessionId":"ses_x"}',
    mint: null,
    keptAt: T0,
    expiresAt: T0 + 86_400_000,
    ...fields,
  };
}

export function tenantOf(id: string = TENANT, fields: Partial<Tenant> = {}): Tenant {
  return {
    id,
    slug: `slug-${id}`,
    name: 'Tenant',
    plan: 'pro',
    active: true,
    limits: {},
    createdAt: T0,
    ...fields,
  };
}

export function keyOf(id: string, fields: Partial<ApiKey> = {}): ApiKey {
  return {
    id,
    tenant: TENANT,
    mode: 'test',
    name: 'Key',
    origins: ['https://a.example', 'https://*.b.example'],
    scopes: null,
    requireOrigin: false,
    hint: 'mk_test_abcd1234',
    createdAt: T0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  };
}

export function auditOf(act: string, object: string = 'x'): AuditRow {
  return { tenant: TENANT, actor: 'cli', act, object, at: T0 };
}

export function auditFilter(fields: Partial<AuditFilter> = {}): AuditFilter {
  const all = { act: null, actor: null, from: null, to: null, before: null };
  return { tenant: TENANT, ...all, limit: 99, ...fields };
}

/** The error of a failed call; null if it succeeds. (`rejects` would block the writer's answer.) */
export function failureOf(call: Promise<unknown>): Promise<string | null> {
  return call.then(() => null, String);
}
