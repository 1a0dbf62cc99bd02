/** The whole HTTP side over a real store and the real session service, with a clock to turn. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type HttpApp, makeHttpApp } from '../http/app.ts';
import type { HttpDeps } from '../http/deps.ts';
import { makeDocument } from '../http/document.ts';
import { makeDowntimes } from '../runtime/downtimes.ts';
import { makeEventFeed } from '../runtime/event-feed.ts';
import { makeIds } from '../runtime/ids.ts';
import { makeKeyRing } from '../runtime/key-ring.ts';
import { makeMatchHost } from '../runtime/match-host.ts';
import { makeSessionService } from '../runtime/sessions.ts';
import { makeStreamCensus } from '../runtime/stream-census.ts';
import { systemRandomness } from '../runtime/system.ts';
import { makeTokens } from '../runtime/tokens.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { makeKeyText } from '../tenancy/key-text.ts';
import { makeWindowLimiter } from '../tenancy/limiter.ts';
import type { ApiKey, KeyMode, Tenant } from '../tenancy/tenant.ts';
import { type ManualClock, makeManualClock } from './manual-clock.ts';

export const PUBLIC_URL = 'https://play.example.test';

/** One line that was logged. */
export interface LoggedLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
}

export interface HttpService {
  readonly app: HttpApp;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly tokens: ReturnType<typeof makeTokens>;
  readonly service: HttpDeps['service'];
  readonly host: ReturnType<typeof makeMatchHost>;
  readonly lines: LoggedLine[];
  /** Every request that was counted: route and status. */
  readonly counted: (readonly [string, number])[];
  makeTenant(change?: Partial<Tenant>): Promise<Tenant>;
  /** The text of a new key. */
  makeKey(tenant: Tenant, mode: KeyMode, change?: Partial<ApiKey>): Promise<string>;
  /** Forgets keys at once, as the service does each second. */
  refreshKeys(): Promise<void>;
  close(): Promise<void>;
}

const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

export async function openHttpService(change: Partial<HttpDeps> = {}): Promise<HttpService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'matchd-http-'));
  const store = await openSqliteStore(path.join(folder, 'matchd.db'));
  const clock = makeManualClock();
  const makeId = makeIds(clock, systemRandomness);
  const downtimes = makeDowntimes([]);
  const lines: LoggedLine[] = [];
  const counted: (readonly [string, number])[] = [];
  const write = (level: string) => (fields: object) =>
    void lines.push({ level, fields: { ...fields } });
  const fail = (_: unknown, error: unknown): void => write('error')({ err: error });
  const host = makeMatchHost({
    store,
    clock,
    downtimes,
    node: 'nod_test',
    makeEventId: () => makeId('evt'),
    onBroken: fail,
    onStall: () => {},
  });
  const service = makeSessionService({
    store,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node: 'nod_test',
    onSeated: () => {},
    onErased: () => {},
  });
  const keys = makeKeyRing({ store, clock });
  const tokens = makeTokens({ kid: 'test', secret: systemRandomness.bytes(32) });
  const events = makeEventFeed(store);
  const app = makeHttpApp({
    service,
    events,
    streams: makeStreamCensus(),
    tokens,
    keys,
    planWindows: makeWindowLimiter(),
    wrongKeyWindows: makeWindowLimiter(),
    store,
    clock,
    makeId,
    log: { debug: write('debug'), info: write('info'), error: write('error') },
    metrics: { request: (route, status) => void counted.push([route, status]) },
    publicUrl: PUBLIC_URL,
    trustedProxies: [],
    build: { version: '0.0.0', runtime: 'test' },
    openapi: makeDocument('{"openapi":"3.1.0"}'),
    asyncapi: makeDocument('{"asyncapi":"3.0.0"}'),
    ready: async () => true,
    scrape: async () => null,
    pages: () => null,
    ...change,
  });
  return {
    app,
    store,
    clock,
    tokens,
    service,
    host,
    lines,
    counted,
    async makeTenant(fields) {
      const tenant = makeTestTenant(makeId('ten'), clock.now(), fields);
      await store.createTenant(tenant, audit);
      return tenant;
    },
    async makeKey(tenant, mode, fields) {
      const made = makeKeyText(mode, (count) => systemRandomness.bytes(count));
      const key = makeTestKey(makeId('key'), tenant, mode, made.hint, fields);
      await store.createKey(key, { id: made.id, hash: made.hash }, audit);
      return made.text;
    },
    refreshKeys: () => keys.refresh(),
    async close() {
      await host.drain();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

function makeTestTenant(id: string, createdAt: number, fields: Partial<Tenant> = {}): Tenant {
  return {
    id,
    slug: id.replace('_', '-'),
    name: 'Test',
    // More requests than any test makes.
    plan: 'enterprise',
    active: true,
    limits: {},
    createdAt,
    ...fields,
  };
}

function makeTestKey(
  id: string,
  tenant: Tenant,
  mode: KeyMode,
  hint: string,
  fields: Partial<ApiKey> = {},
): ApiKey {
  return {
    id,
    tenant: tenant.id,
    mode,
    name: 'test key',
    origins: [],
    requireOrigin: false,
    hint,
    createdAt: tenant.createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  };
}
