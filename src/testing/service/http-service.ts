/** The whole HTTP side on a real store and the real session service, with a manual clock. */

import type { DatabaseSync } from 'node:sqlite';
import { shippedGames } from '../../games/registry.ts';
import { type HttpApp, makeHttpApp } from '../../http/app.ts';
import type { SiteDeps } from '../../http/dashboard/deps.ts';
import { makeDocument } from '../../http/request/document.ts';
import { makeAccessCheck } from '../../runtime/access/access.ts';
import { makeKeyRing } from '../../runtime/access/key-ring.ts';
import { makeKeyService } from '../../runtime/access/key-service.ts';
import { type KeyWatch, makeKeyWatch } from '../../runtime/access/key-watch.ts';
import { makeTenancyWatch } from '../../runtime/access/tenancy-watch.ts';
import { makeTokens } from '../../runtime/access/tokens.ts';
import type { AccountService } from '../../runtime/accounts/account-service.ts';
import { makeAccountService } from '../../runtime/accounts/accounts.ts';
import { makePasswords } from '../../runtime/accounts/passwords.ts';
import { openAudit } from '../../runtime/audit/open-audit.ts';
import { makeBotService } from '../../runtime/bots/bot-service.ts';
import { makeBotStreams } from '../../runtime/bots/bot-streams.ts';
import { type BotRunner, startBotRunner } from '../../runtime/bots/runner.ts';
import { makeThinkers } from '../../runtime/bots/thinkers.ts';
import { type Changes, makeChanges } from '../../runtime/events/changes.ts';
import { makeEventFeed } from '../../runtime/events/event-feed.ts';
import { makeMatchHost } from '../../runtime/host/match-host.ts';
import { makeIds } from '../../runtime/ids.ts';
import { APPLE_APP_ATTEST_ROOT } from '../../runtime/integrity/apple-root.ts';
import { type IntegritySettings, wireIntegrity } from '../../runtime/integrity/wire.ts';
import { type LogLimiter, makeLogLimiter } from '../../runtime/limits/log-limiter.ts';
import { makeStreamCensus } from '../../runtime/limits/stream-census.ts';
import { makeHostedService } from '../../runtime/matchmaking/hosted.ts';
import { makeQueuedSessions } from '../../runtime/matchmaking/queue.ts';
import { makeRequestLog, type RequestLog } from '../../runtime/measures/request-log.ts';
import { makeTenantMetrics, type TenantMetrics } from '../../runtime/measures/tenant-metrics.ts';
import { makeSealedStore } from '../../runtime/sealing/sealed-store.ts';
import { makeSealer, SEALING_KEY_BYTES } from '../../runtime/sealing/sealer.ts';
import { makeSigner } from '../../runtime/signing/signer.ts';
import { systemRandomness } from '../../runtime/system.ts';
import {
  makeWebhooks,
  type WebhookParts,
  type WebhookPartsDeps,
} from '../../runtime/webhooks/start.ts';
import { openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import type { AuditRow } from '../../store/store.ts';
import type { Store } from '../../store/whole-store.ts';
import { makeKeyText } from '../../tenancy/key-text.ts';
import { makeWindowLimiter } from '../../tenancy/limiter.ts';
import type { ApiKey, KeyMode, Tenant } from '../../tenancy/tenant.ts';
import { type ManualClock, makeManualClock } from '../manual-clock.ts';
import { testSeals, testSigner } from '../test-seals.ts';

export const PUBLIC_URL = 'https://play.example.test';

/** One line that was logged. */
export interface LoggedLine {
  readonly level: string;
  readonly fields: Record<string, unknown>;
}

export interface HttpService {
  readonly app: HttpApp;
  /** The database, to inspect and change. */
  readonly db: DatabaseSync;
  readonly accounts: AccountService;
  readonly requests: RequestLog;
  readonly keyWatch: KeyWatch;
  readonly tenantMetrics: TenantMetrics;
  readonly changes: Changes;
  readonly logLimiter: LogLimiter;
  readonly webhooks: WebhookParts;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly tokens: ReturnType<typeof makeTokens>;
  readonly service: SiteDeps['service'];
  readonly botRunner: BotRunner;
  readonly botStreams: SiteDeps['botStreams'];
  readonly host: ReturnType<typeof makeMatchHost>;
  readonly lines: LoggedLine[];
  /** Every request that was counted: route and status. */
  readonly counted: (readonly [string, number])[];
  makeTenant(change?: Partial<Tenant>): Promise<Tenant>;
  /** The text of a new key. */
  makeKey(tenant: Tenant, mode: KeyMode, change?: Partial<ApiKey>): Promise<string>;
  /** The audit as read with a SQLite shell, oldest first; without what keys it. */
  audit(): Promise<readonly AuditRow[]>;
  /** Every text in every table, read in the same way. */
  texts(): Promise<readonly string[]>;
  /** Drops cached keys, as the service does each second. */
  refreshKeys(): Promise<void>;
  close(): Promise<void>;
}

const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

/** No network: nothing answers at these addresses. */
const INTEGRITY: IntegritySettings = {
  accountsFolder: null,
  tokenUrl: 'http://127.0.0.1:9/token',
  playIntegrityUrl: 'http://127.0.0.1:9',
  appAttestRoots: APPLE_APP_ATTEST_ROOT,
  appAttestEnvironments: ['production'],
  requires: [],
};

export async function openHttpService(
  change: Partial<SiteDeps> = {},
  settings: Partial<IntegritySettings> = {},
  webhookChange: Partial<WebhookPartsDeps> = {},
  /** A store other than its own; `audit` and `texts` read only its own. */
  given: Store | null = null,
  /** Nodes of one store need the same key. */
  sealingKey: Uint8Array = systemRandomness.bytes(SEALING_KEY_BYTES),
  /** Each node of one store needs another id. */
  node = 'nod_test',
): Promise<HttpService> {
  const database = openMemoryDatabase();
  const sealingKeys = [sealingKey];
  const sealer = makeSealer(sealingKeys, systemRandomness);
  const bare = given ?? database.open();
  const store = makeSealedStore(bare, sealer);
  const clock = makeManualClock();
  const makeId = makeIds(clock, systemRandomness);
  const lines: LoggedLine[] = [];
  const counted: (readonly [string, number])[] = [];
  const write = (level: string) => (fields: object) =>
    void lines.push({ level, fields: { ...fields } });
  const fail = (_: unknown, error: unknown): void => write('error')({ err: error });
  const host = makeMatchHost({
    seals: testSeals,
    games: shippedGames,
    store,
    clock,
    randomness: systemRandomness,
    node: 'nod_test',
    makeEventId: () => makeId('evt'),
    onBroken: fail,
    onStall: () => {},
  });
  const onError = (error: unknown): void => fail(null, error);
  const botStreams = makeBotStreams({ host, store, clock, onError });
  host.onSeated((row, playerId, seat, isBot) => {
    if (isBot) botStreams.seated(row, playerId, seat);
  });
  const bots = makeBotService({
    store,
    games: shippedGames,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node: 'nod_test',
  });
  const botRunner = startBotRunner({
    host,
    thinkers: makeThinkers(clock),
    clock,
    randomness: systemRandomness,
    pauseMs: { min: 0, max: 0 },
    onFault: fail,
  });
  const access = makeAccessCheck(store, clock, PUBLIC_URL);
  const service = makeQueuedSessions({
    seals: testSeals,
    games: shippedGames,
    store,
    bots: store,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node: 'nod_test',
    onErased: () => {},
  });
  const hosted = makeHostedService({
    store,
    games: shippedGames,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node: 'nod_test',
    isInLobby: () => false,
    isElsewhere: () => false,
  });
  const keys = makeKeyRing({ store, clock });
  const streams = makeStreamCensus();
  const tokens = makeTokens({ kid: 'test', secret: systemRandomness.bytes(32) });
  const events = makeEventFeed(store);
  const changes = makeChanges(events, clock);
  const logLimiter = makeLogLimiter(clock, write('warn'));
  const log = { debug: write('debug'), info: write('info'), error: write('error') };
  const integrity = wireIntegrity(
    { store, clock, randomness: systemRandomness, log },
    { ...INTEGRITY, ...settings },
  );
  const webhooks = makeWebhooks({
    store,
    clock,
    randomness: systemRandomness,
    makeId,
    policy: { allowLocal: false },
    // Tests reach nothing outside unless they configure it.
    resolve: () => Promise.reject(new Error('no names here')),
    present: events.present,
    seqOf: events.seqOf,
    onError: fail,
    ...webhookChange,
  });
  const tenancy = makeTenancyWatch(store, [keys, access, webhooks]);
  const requests = makeRequestLog(store, clock, (world) => changes.mark(world, 'requests'));
  const tenantMetrics = makeTenantMetrics({ store, clock, node });
  const keyWatch = makeKeyWatch({ store, clock, makeId, tokens });
  const accounts = makeAccountService({
    store,
    passwords: makePasswords(systemRandomness),
    sealer,
    clock,
    randomness: systemRandomness,
    makeId,
    publicUrl: PUBLIC_URL,
  });
  const app = makeHttpApp({
    games: shippedGames,
    slowCallsOf: () => null,
    service,
    hosted,
    events,
    integrity,
    webhooks: webhooks.service,
    streams,
    bots,
    botStreams,
    issuerOf: access.issuerOf,
    tokens,
    keys,
    planWindows: makeWindowLimiter(),
    wrongKeyWindows: makeWindowLimiter(),
    ratings: store,
    settings: store,
    isConnected: () => false,
    requests,
    metricStore: store,
    changes,
    planUse: store.planUse,
    tenantMetrics,
    keyWatch,
    dashboard: {
      games: shippedGames,
      accounts,
      keys: makeKeyService({ store, clock, randomness: systemRandomness, makeId }),
      journal: store,
      audit: await openAudit({
        choice: 'newest',
        store,
        sealingKeys,
        signer: makeSigner(sealingKeys),
        clock,
        log,
      }),
      keyAlerts: store,
      tenancy: store,
      sessions: store,
      windows: makeWindowLimiter(),
      node,
    },
    store,
    clock,
    makeId,
    log,
    logLimiter,
    metrics: { request: (route, status) => void counted.push([route, status]) },
    publicUrl: PUBLIC_URL,
    trustedProxies: [],
    build: { version: '0.0.0', runtime: 'test', node },
    publicKeys: testSigner.publicKeys,
    openapi: () => makeDocument('{"openapi":"3.1.0"}'),
    asyncapi: () => makeDocument('{"asyncapi":"3.0.0"}'),
    ready: async () => true,
    scrape: async () => null,
    pages: () => null,
    ...change,
  });
  const all = (sql: string) => database.db.prepare(sql).all();
  return {
    app,
    accounts,
    requests,
    tenantMetrics,
    changes,
    keyWatch,
    logLimiter,
    db: database.db,
    webhooks,
    store,
    clock,
    tokens,
    service,
    botRunner,
    botStreams,
    host,
    lines,
    counted,
    async makeTenant(fields) {
      const tenant = makeTestTenant(makeId('ten'), clock.now(), fields);
      await store.createTenant(tenant, audit);
      return tenant;
    },
    async makeKey(tenant, mode, fields) {
      const made = makeKeyText(
        mode,
        (count) => systemRandomness.bytes(count),
        (fields?.scopes ?? null) !== null,
      );
      const key = makeTestKey(makeId('key'), tenant, mode, made.hint, fields);
      await store.createKey(key, { id: made.id, hash: made.hash }, audit);
      return made.text;
    },
    audit: async () =>
      all(
        "SELECT tenant, actor, act, object, at FROM audit WHERE act <> 'audit.keyed' ORDER BY tenant, n",
      ) as unknown as readonly AuditRow[],
    texts: async () =>
      all("SELECT name FROM sqlite_schema WHERE type = 'table'")
        .flatMap(({ name }) => all(`SELECT * FROM "${String(name)}"`))
        .flatMap((row) => Object.values(row))
        .filter((value) => typeof value === 'string'),
    async refreshKeys() {
      await tenancy.look();
      await Promise.all([keys.recordUses(), streams.maintain()]);
    },
    async close() {
      await botRunner.stop();
      await host.drain();
      await webhooks.stop(0);
      await store.close();
      database.close();
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
    scopes: null,
    requireOrigin: false,
    hint,
    createdAt: tenant.createdAt,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...fields,
  };
}
