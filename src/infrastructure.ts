/** What matches need: the opened store with its secrets, the games, time, randomness and metrics. */

import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { VERSION } from './build.ts';
import { type Config, databaseFile, SETTINGS } from './config.ts';
import type { Log } from './log.ts';
import { openGames } from './open-games.ts';
import { makeTokens } from './runtime/access/tokens.ts';
import { openAudit } from './runtime/audit/open-audit.ts';
import { makeIds } from './runtime/ids.ts';
import { acceptLost, lostNoteFile, noteLost, readLostNote } from './runtime/lost-commits.ts';
import type { Instruments } from './runtime/measures/instruments.ts';
import { makeMeasuredStore } from './runtime/measures/measured-store.ts';
import { makeCountStarted } from './runtime/measures/session-counts.ts';
import { countCreated, makeTenantMetrics } from './runtime/measures/tenant-metrics.ts';
import { makeTracedEvents } from './runtime/measures/traced-events.ts';
import type { Tracing } from './runtime/measures/tracing.ts';
import type { Clock } from './runtime/ports.ts';
import { TOKEN_SECRET_BYTES } from './runtime/sealing/give-up.ts';
import { openSeal, sourceOf } from './runtime/sealing/open-seal.ts';
import { makeSealedStore, SealingKeyError } from './runtime/sealing/sealed-store.ts';
import type { Sealer } from './runtime/sealing/sealer.ts';
import { makeSeals } from './runtime/signing/seals.ts';
import { makeSigner, type Signer } from './runtime/signing/signer.ts';
import { makeSystemClock, systemRandomness } from './runtime/system.ts';
import type { PostgresStore } from './store/postgres/postgres-store.ts';
import type { CommitBatch, OnBatch } from './store/shared/batches.ts';
import { servedAlready, takeServeLock } from './store/sqlite/file/serve-lock.ts';
import { findLostCommits } from './store/sqlite/lost-commits.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { SigningSecret } from './store/store.ts';
import type { Store } from './store/whole-store.ts';

export type Infrastructure = Awaited<ReturnType<typeof makeInfrastructure>>;

export async function makeInfrastructure(
  config: Config,
  log: Log,
  instruments: Instruments,
  opened: AsyncDisposableStack,
) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = makeSystemClock();
  const makeId = makeIds(clock, systemRandomness);
  const node = makeId('nod');
  const { library, guard, slowRules, loading } = await openGames(config, clock, log, instruments);
  const tracing = await openTraces(config, log, clock, node);
  // Closed after the store, whose last commits are traced, too.
  opened.defer(() => tracing?.stop());
  const traces = tracing === null ? null : { tracing, events: makeTracedEvents() };
  const onBatch = (batch: CommitBatch): void => noteBatch(instruments, tracing, batch);
  const nodes =
    config.store === null ? null : await openShared(config, config.store, node, onBatch);
  const alone = nodes === null ? await openAlone(config, clock.now(), log, onBatch, opened) : null;
  if (nodes !== null) opened.defer(() => nodes.close());
  const shared = nodes === null ? null : makeMeasuredStore(nodes, instruments, traces);
  const bare: Store = shared ?? makeMeasuredStore(alone!.store, instruments, traces);
  const { sealer, signer, keys } = await unseal(config, bare, log);
  const audit = await openAudit({
    store: bare,
    sealingKeys: keys,
    signer,
    clock,
    log,
    choice: shared === null ? 'newest' : 'any',
  });
  const seals = makeSeals(signer, await bare.sealedSince());
  const sealed = makeSealedStore(bare, sealer);
  const tenantMetrics = makeTenantMetrics({ store: sealed, clock, node });
  const store = countCreated(sealed, tenantMetrics);
  const secret = await store.signingSecret(makeSigningSecret);
  const infrastructure = {
    games: library.games,
    library,
    guard,
    slowRules,
    loading,
    clock,
    makeId,
    node,
    shared,
    store,
    sealer,
    signer,
    seals,
    audit,
    instruments,
    tenantMetrics,
    tracing,
    traces,
    /** For what did not happen now: its sessions count in no figures. */
    uncounted: sealed,
    countStarted: makeCountStarted({ instruments, tenantMetrics }),
    lost: alone?.lost ?? NOTHING_LOST,
    randomness: systemRandomness,
  };
  return {
    ...infrastructure,
    tokens: makeTokens(secret),
    checkSecret: () => checkSecret(store, secret),
  };
}

/** Null where no collector is configured: then nothing of it is even loaded. */
async function openTraces(config: Config, log: Log, clock: Clock, node: string) {
  const { otlpCollector: collector, otlpHeaders: headers, traceRatio: ratio } = config;
  if (collector === null) return null;
  const { openTracing } = await import('./telemetry/open-tracing.ts');
  return openTracing({
    collector,
    headers,
    ratio,
    service: config.traceService,
    node,
    clock,
    version: VERSION,
    randomness: systemRandomness,
    onLost: (spans, reason) => log.warn({ spans, reason }, 'spans were lost'),
  });
}

function noteBatch(instruments: Instruments, tracing: Tracing | null, batch: CommitBatch): void {
  const { size, startedAt, endedAt, traces } = batch;
  instruments.batchSize.observe(size);
  instruments.batch.observe((endedAt - startedAt) / 1_000);
  if (tracing === null || traces.length === 0) return;
  // In the trace of its first commit, and linked to those of all.
  const span = tracing.begin({
    name: 'commit batch',
    role: 'internal',
    parent: traces[0]!,
    startedAt,
    attributes: { 'matchd.writes': size },
    links: traces,
  });
  span?.end();
}

/** A process that was killed may take so long to be gone. Ms. */
const SERVE_LOCK_WAIT_MS = 1_000;

/** Data that a start found missing in its store. */
interface Lost {
  /** Acknowledged commits. */
  readonly commits: number;
  /** No operator has accepted that yet. */
  readonly isRefused: boolean;
}

const NOTHING_LOST: Lost = { commits: 0, isRefused: false };

/** The database in the data folder, for this process alone. */
async function openAlone(
  { dataDir, storeWaitMs, lostCommits }: Config,
  now: number,
  log: Log,
  onBatch: OnBatch,
  opened: AsyncDisposableStack,
): Promise<{ readonly store: Store; readonly lost: Lost }> {
  const file = databaseFile(dataDir);
  const lock = takeServeLock(file, SERVE_LOCK_WAIT_MS);
  if (lock === null) throw new Error(servedAlready(dataDir));
  opened.defer(() => lock.release());
  const note = lostNoteFile(file);
  const found = findLostCommits(file, now);
  const missing = found === null ? readLostNote(note) : noteLost(note, found, now);
  const store = await openSqliteStore(file, { waitMs: storeWaitMs, isServing: true, onBatch });
  opened.defer(() => store.close());
  if (missing === null) return { store, lost: NOTHING_LOST };
  const isRefused = lostCommits === 'refuse';
  log.error(
    { ...missing, note },
    isRefused
      ? `acknowledged commits are missing: not ready until started once with ${SETTINGS.lostCommits.env}=serve`
      : 'acknowledged commits are missing: accepted',
  );
  if (!isRefused) acceptLost(note);
  return { store, lost: { commits: missing.commits, isRefused } };
}

/** Its driver is only loaded where it is used. */
async function openShared(
  config: Config,
  url: string,
  node: string,
  onBatch: OnBatch,
): Promise<PostgresStore> {
  const { openPostgresStore } = await import('./store/postgres/postgres-store.ts');
  return openPostgresStore({ url, node, allowUnsafe: config.allowUnsafeStore, onBatch });
}

/** What seals the store's secrets, and what signs; secrets in clear, or under an older key, are sealed now. */
async function unseal(
  config: Config,
  store: Store,
  log: Log,
): Promise<{
  readonly sealer: Sealer;
  readonly signer: Signer;
  readonly keys: readonly Uint8Array[];
}> {
  const { dataDir, sealingKeys: settingKeys } = config;
  const seal = { store, dataDir, settingKeys, randomness: systemRandomness };
  const { sealer, keys, sealedNow, counts } = await openSeal(seal);
  log.info({ from: sourceOf(keys), sealedNow }, 'secrets are sealed');
  const [webhooks, accounts] = [counts.webhook.lost, counts.totp.lost];
  if (webhooks + accounts > 0) {
    log.warn({ webhooks, accounts }, 'secrets that no key opens: see matchd secrets show');
  }
  return { sealer, signer: makeSigner(keys.keys), keys: keys.keys };
}

/**
 * Rejects when the signing secret is no longer the one that this process has read: others sign with
 * another.
 */
async function checkSecret(store: Pick<Store, 'signingSecret'>, read: SigningSecret) {
  const now = await store.signingSecret(makeSigningSecret);
  if (isDeepStrictEqual(now, read)) return;
  throw new SealingKeyError('the secret that signs tokens was given up while this started');
}

function makeSigningSecret(): SigningSecret {
  const kid = Buffer.from(systemRandomness.bytes(6)).toString('base64url');
  return { kid, secret: systemRandomness.bytes(TOKEN_SECRET_BYTES) };
}
