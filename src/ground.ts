/**
 * The foundation: the store, the matches, limits, time, randomness and signatures; of a single
 * process, or of a node in a cluster. Wires, as `compose.ts` does.
 */

import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { VERSION } from './build.ts';
import type { Bus } from './bus/bus.ts';
import { type Cluster, makeCluster } from './cluster/cluster.ts';
import { makeGathering } from './cluster/links/gathering.ts';
import { makeLinks } from './cluster/links/links.ts';
import type { ClusterFigures } from './cluster/membership/figures.ts';
import { makeMembers } from './cluster/membership/members.ts';
import { makePeers } from './cluster/peers.ts';
import { type Config, databaseFile, SETTINGS } from './config.ts';
import type { Log } from './log.ts';
import { RulesMissingError } from './match/evolve.ts';
import type { Mode } from './match/record.ts';
import { openGames } from './open-games.ts';
import { makeTokens } from './runtime/access/tokens.ts';
import { openAudit } from './runtime/audit/open-audit.ts';
import type { HostDeps } from './runtime/host/host-deps.ts';
import { type LocalHost, type MatchHost, makeMatchHost } from './runtime/host/match-host.ts';
import { makeIds } from './runtime/ids.ts';
import { readLastSign } from './runtime/lifetime.ts';
import { type Limits, makeLocalLimits, makeSharedLimits } from './runtime/limits/limits.ts';
import { makeLogThrottle } from './runtime/limits/log-throttle.ts';
import { acceptLost, lostNoteFile, noteLost, readLostNote } from './runtime/lost-commits.ts';
import { type Instruments, makeInstruments } from './runtime/measures/instruments.ts';
import { makeMeasuredStore } from './runtime/measures/measured-store.ts';
import {
  countCreated,
  makeTenantMetrics,
  type TenantMetrics,
} from './runtime/measures/tenant-metrics.ts';
import { makeTracedEvents } from './runtime/measures/traced-events.ts';
import type { Tracing } from './runtime/measures/tracing.ts';
import type { Clock } from './runtime/ports.ts';
import { TOKEN_SECRET_BYTES } from './runtime/sealing/give-up.ts';
import { openSeal, sourceOf } from './runtime/sealing/open-seal.ts';
import { makeSealedStore, SealingKeyError } from './runtime/sealing/sealed-store.ts';
import type { Sealer } from './runtime/sealing/sealer.ts';
import { makeSeals } from './runtime/signing/seals.ts';
import { makeSigner, type Signer } from './runtime/signing/signer.ts';
import { makeSystemClock, processorMs, systemRandomness } from './runtime/system.ts';
import type { WebhookClaims } from './runtime/webhooks/served.ts';
import type { PostgresStore } from './store/postgres/postgres-store.ts';
import type { CommitBatch, OnBatch } from './store/shared/batches.ts';
import { servedAlready, takeServeLock } from './store/sqlite/file/serve-lock.ts';
import { findLostCommits } from './store/sqlite/lost-commits.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { SessionRow, SigningSecret } from './store/store.ts';
import type { Store } from './store/whole-store.ts';

export type Ground = Awaited<ReturnType<typeof makeGround>>;

/** The additional parts of a node in a cluster; a single process has none of them. */
export interface ClusterParts {
  readonly cluster: Cluster;
  readonly claims: WebhookClaims;
  /** Is a player connected to any node, and to another than this? */
  isConnected(tenant: string, mode: Mode, playerId: string): Promise<boolean>;
  isElsewhere(tenant: string, mode: Mode, playerId: string): Promise<boolean>;
  figures(): ClusterFigures;
  readonly notifyChanged: Cluster['notifyChanged'];
  /** To be called every second. */
  maintain(): Promise<void>;
  /** The end: the other nodes take over what is left. */
  leave(): Promise<void>;
}

/** The matches: `host` is everybody's, `local` only those of this process. */
interface Matches {
  readonly host: MatchHost;
  readonly local: LocalHost;
  readonly limits: Limits;
  readonly clusterParts: ClusterParts | null;
}

type Basis = Awaited<ReturnType<typeof makeBasis>>;

/** Opens the store. Rejects, with nothing left open, when it cannot be used. */
export async function makeGround(config: Config, log: Log) {
  await using opened = new AsyncDisposableStack();
  const instruments = makeInstruments();
  const basis = await makeBasis(config, log, instruments, opened);
  const { shared } = basis;
  const matches =
    shared === null
      ? await makeSingleProcess(basis, log)
      : await makeClusterNode({ ...basis, shared }, config, log, opened);
  const held = opened.move();
  // Everything that uses it is closed before.
  return { ...basis, ...matches, closeGround: () => held.disposeAsync() };
}

async function makeBasis(
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
  const basis = {
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
  return { ...basis, tokens: makeTokens(secret), checkSecret: () => checkSecret(store, secret) };
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

/** What counts sessions as they come to each state. */
interface Counting {
  readonly instruments: Instruments;
  readonly tenantMetrics: TenantMetrics;
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

async function makeSingleProcess(basis: Basis, log: Log): Promise<Matches> {
  const { store, clock } = basis;
  const aliveBefore = await readLastSign(store, clock.now());
  const local = makeLocal(basis, log, { aliveBefore });
  return { host: local, local, limits: makeLocalLimits(), clusterParts: null };
}

function makeLocal(
  basis: Basis,
  log: Log,
  rest: Pick<HostDeps, 'aliveBefore' | 'peers'>,
): LocalHost {
  const { store, games, guard, slowRules, clock, node, makeId, randomness, seals } = basis;
  /** For the log: how long it took, and the games whose rules may be the cause. */
  const stallOf = (from: number, to: number): object => {
    const slow = slowRules.endedIn(from, to);
    return { ms: to - from, ...(slow.length > 0 && { slowRules: slow }) };
  };
  return makeMatchHost({
    store,
    games,
    runRules: guard.run,
    clock,
    randomness,
    node,
    seals,
    ...rest,
    makeEventId: () => makeId('evt'),
    busyMs: processorMs,
    onCharged: (from, to) => log.warn(stallOf(from, to), 'busy for long: clocks went on'),
    onStall: (from, to) => log.warn(stallOf(from, to), 'stalled: all clocks stood still'),
    onStatus: (row) => countStatus(basis, row),
    onBroken: (session, err, game) =>
      err instanceof RulesMissingError
        ? log.error(
            { session, ...err.ref },
            'the rules of a match are not loaded: it waits for them',
          )
        : log.error({ session, game, err }, 'match broke and was ended'),
    onAhead: makeAheadLog(clock, log),
    onUnread: (session, err) =>
      log.error({ session, err }, 'matches cannot be read: each is tried again every second'),
  });
}

/** A hosted session begins as it is made. */
const makeCountStarted =
  ({ instruments, tenantMetrics }: Counting) =>
  (row: SessionRow, waitedMs: readonly number[]): void => {
    const { game, mode } = row;
    instruments.countSession(game, mode, 'active');
    tenantMetrics.session(row, 'sessionsCreated');
    tenantMetrics.session(row, 'sessionsStarted');
    for (const ms of waitedMs) {
      instruments.timeToMatch(game, mode, 'hosted').observe(ms / 1_000);
      tenantMetrics.waited(row, ms);
    }
  };

function countStatus({ instruments, tenantMetrics }: Counting, row: SessionRow): void {
  const { game, mode, status, matchType, createdAt, startedAt } = row;
  if (status === 'pending') return;
  instruments.countSession(game, mode, status);
  tenantMetrics.session(row, status === 'active' ? 'sessionsStarted' : 'sessionsEnded');
  if (status !== 'active' || matchType !== 'matchmaking' || startedAt === null) return;
  const waitedMs = startedAt - createdAt;
  instruments.timeToMatch(game, mode, 'queue').observe(waitedMs / 1_000);
  tenantMetrics.waited(row, waitedMs);
}

/** Clients say such things as often as they like. Ms. */
const AHEAD_LOG_MS = 60_000;

function makeAheadLog(clock: Clock, log: Log): NonNullable<HostDeps['onAhead']> {
  const take = makeLogThrottle(clock, AHEAD_LOG_MS);
  return (session, seen, v) => {
    const count = take();
    if (count === null) return;
    log.warn(
      { session, seen, v, count },
      'clients came back with a later version than the log has',
    );
  };
}

type SharedBasis = Basis & { readonly shared: PostgresStore };

async function makeClusterNode(
  basis: SharedBasis,
  config: Config,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Matches> {
  const { shared, store, clock, node } = basis;
  await shared.pruneHeartbeats(clock.now());
  const peers = makePeers(shared, node);
  const local = makeLocal(basis, log, { peers });
  const fail = (what: string) => (err: unknown) => log.error({ err }, what);
  const members = makeMembers({
    node,
    store: shared,
    clock,
    isLostTimeDue: local.isLostTimeDue,
    onError: fail('lease not renewed'),
  });
  const bus = await openBus(config.bus, node, log);
  opened.defer(async () => bus?.close());
  const links = makeLinks({
    node,
    bus,
    mail: shared,
    clock,
    soon: makeGathering(clock, setImmediate),
    onNobody: members.suspect,
    onMailError: fail('mail between nodes failed'),
  });
  const cluster = makeCluster({
    node,
    local,
    links,
    members,
    store,
    games: basis.games,
    shared,
    clock,
    tracing: basis.tracing,
    onTakeover: (sessions) => log.info({ sessions }, 'took over sessions'),
    onError: fail('cluster'),
  });
  const nodes = (): number => members.others().length + 1;
  const limits = makeSharedLimits({
    store: shared,
    clock,
    node,
    nodes,
    isHeld: members.isHeld,
    onAway: fail('limits cannot be asked for: only what is leased is allowed'),
  });
  const claims: WebhookClaims = {
    claim: () => shared.claimWebhooks(node),
    release: (webhooks) => shared.releaseWebhooks(node, webhooks),
    onError: fail('webhooks not claimed'),
  };
  const clusterParts: ClusterParts = {
    cluster,
    claims,
    figures: () => ({
      ...links.figures(),
      nodes: members.others().length + Number(members.isHeld()),
      isHeld: members.isHeld(),
    }),
    isConnected: (tenant, mode, playerId) => shared.isPresent(tenant, mode, playerId),
    isElsewhere: (tenant, mode, playerId) => shared.isPresent(tenant, mode, playerId, node),
    maintain: cluster.maintain,
    notifyChanged: cluster.notifyChanged,
    async leave() {
      // Where the store is away its lease runs out by itself.
      await cluster.leave().catch(fail('lease not given up'));
    },
  };
  return { host: cluster.host, local, limits, clusterParts };
}

/** Null if there is none: then the nodes communicate through the store. */
async function openBus(servers: readonly string[], node: string, log: Log): Promise<Bus | null> {
  if (servers.length === 0) return null;
  const { openNatsBus } = await import('./bus/nats/nats-bus.ts');
  return openNatsBus({
    servers: servers.join(','),
    node,
    onChange(isUp, reason) {
      if (isUp) log.info({}, 'bus: connected');
      else log.warn({ reason }, 'bus: not connected, nodes speak through the store');
    },
  });
}
