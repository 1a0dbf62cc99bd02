/**
 * What everything else stands on: the store, the matches, limits, time, chance and signatures; of one
 * process by itself, or of one node among others that share a database. Wires, as `compose.ts` does.
 */

import { mkdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Bus } from './bus/bus.ts';
import { type Cluster, makeCluster } from './cluster/cluster.ts';
import type { ClusterFigures } from './cluster/figures.ts';
import { makeGathering } from './cluster/gathering.ts';
import { makeLinks } from './cluster/links.ts';
import { makeMembers } from './cluster/members.ts';
import { makeOwnership } from './cluster/ownership.ts';
import { openSharedDowntimes } from './cluster/shared-downtimes.ts';
import { type Config, databaseFile } from './config.ts';
import type { Log } from './log.ts';
import type { Mode } from './match/record.ts';
import { makeIds } from './runtime/ids.ts';
import { type Instruments, makeInstruments } from './runtime/instruments.ts';
import { openDowntimes } from './runtime/lifetime.ts';
import { type Limits, makeLocalLimits, makeSharedLimits } from './runtime/limits.ts';
import { type LocalHost, type MatchHost, makeMatchHost } from './runtime/match-host.ts';
import type { HostDeps } from './runtime/match-table.ts';
import { makeMeasuredStore } from './runtime/measured-store.ts';
import { TOKEN_SECRET_BYTES } from './runtime/sealing/give-up.ts';
import { openSeal, sourceOf } from './runtime/sealing/open-seal.ts';
import { makeSealedStore, SealingKeyError } from './runtime/sealing/sealed-store.ts';
import type { Sealer } from './runtime/sealing/sealer.ts';
import { makeSystemClock, systemRandomness } from './runtime/system.ts';
import { makeTokens } from './runtime/tokens.ts';
import type { WebhookClaims } from './runtime/webhooks/served.ts';
import type { CommitBatch, OnBatch } from './store/batches.ts';
import type { PostgresStore } from './store/postgres/postgres-store.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { SessionRow, SigningSecret } from './store/store.ts';
import type { Store } from './store/whole-store.ts';

export type Ground = Awaited<ReturnType<typeof makeGround>>;

/** What a node among others has besides; a process by itself has none of it. */
export interface Fellowship {
  readonly cluster: Cluster;
  readonly claims: WebhookClaims;
  /** Is a player connected to any node, and to another than this? */
  isConnected(tenant: string, mode: Mode, playerId: string): Promise<boolean>;
  isElsewhere(tenant: string, mode: Mode, playerId: string): Promise<boolean>;
  figures(): ClusterFigures;
  /** To be called every second. */
  tend(): Promise<void>;
  /** The end: the other nodes take over what is left. */
  leave(): Promise<void>;
}

/** The matches: `host` is everybody's, `local` only those of this process. */
interface Matches {
  readonly host: MatchHost;
  readonly local: LocalHost;
  readonly limits: Limits;
  readonly fellowship: Fellowship | null;
}

type Basis = Awaited<ReturnType<typeof makeBasis>>;

/** Opens the store. Rejects when it cannot be used. */
export async function makeGround(config: Config, log: Log) {
  const instruments = makeInstruments();
  const basis = await makeBasis(config, log, instruments);
  const { shared } = basis;
  const matches =
    shared === null
      ? await makeAlone(basis, log)
      : await makeAmongOthers({ ...basis, shared }, config, log);
  return { ...basis, ...matches };
}

async function makeBasis(config: Config, log: Log, instruments: Instruments) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = makeSystemClock();
  const makeId = makeIds(clock, systemRandomness);
  const node = makeId('nod');
  const onBatch = ({ size, startedAt, endedAt }: CommitBatch): void => {
    instruments.batchSize.observe(size);
    instruments.batch.observe((endedAt - startedAt) / 1_000);
  };
  const opened =
    config.store === null ? null : await openShared(config, config.store, node, onBatch);
  const shared = opened === null ? null : makeMeasuredStore(opened, instruments);
  const bare: Store =
    shared ??
    makeMeasuredStore(await openSqliteStore(databaseFile(config.dataDir), onBatch), instruments);
  const sealer = await unseal(config, bare, log);
  const store = makeSealedStore(bare, sealer);
  const secret = await store.signingSecret(makeSigningSecret);
  const basis = {
    ...{ clock, makeId, node, shared, store, sealer, instruments },
    randomness: systemRandomness,
  };
  return { ...basis, tokens: makeTokens(secret), checkSecret: () => checkSecret(store, secret) };
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

/** What seals the store's secrets; those from before it, or under an older key, are sealed now. */
async function unseal(config: Config, store: Store, log: Log): Promise<Sealer> {
  const { dataDir, sealingKeys: settingKeys } = config;
  const seal = { store, dataDir, settingKeys, randomness: systemRandomness };
  const { sealer, keys, sealedNow, counts } = await openSeal(seal).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  log.info({ from: sourceOf(keys), sealedNow }, 'secrets are sealed');
  const [webhooks, accounts] = [counts.webhook.lost, counts.totp.lost];
  if (webhooks + accounts > 0) {
    log.warn({ webhooks, accounts }, 'secrets that no key opens: see matchd secrets show');
  }
  return sealer;
}

/** Rejects when what signs tokens is no more what this process has read: others sign with another. */
async function checkSecret(store: Pick<Store, 'signingSecret'>, read: SigningSecret) {
  const now = await store.signingSecret(makeSigningSecret);
  if (isDeepStrictEqual(now, read)) return;
  throw new SealingKeyError('the secret that signs tokens was given up while this started');
}

function makeSigningSecret(): SigningSecret {
  const kid = Buffer.from(systemRandomness.bytes(6)).toString('base64url');
  return { kid, secret: systemRandomness.bytes(TOKEN_SECRET_BYTES) };
}

async function makeAlone(basis: Basis, log: Log): Promise<Matches> {
  const { store, clock, node } = basis;
  const downtimes = await openDowntimes(store, clock.now());
  await store.heartbeat(node, clock.now());
  const local = makeLocal(basis, log, {
    downtimes,
    onStall(from, to) {
      downtimes.add({ from, to });
      log.warn({ ms: to - from }, 'stalled: all clocks stood still');
      store.addDowntime({ from, to }).catch((err: unknown) => log.error({ err }, 'stall not kept'));
    },
  });
  return { host: local, local, limits: makeLocalLimits(), fellowship: null };
}

function makeLocal(
  { store, clock, node, makeId, randomness, instruments }: Basis,
  log: Log,
  rest: Pick<HostDeps, 'downtimes' | 'onStall' | 'fellows'>,
): LocalHost {
  return makeMatchHost({
    ...{ store, clock, randomness, node, ...rest },
    makeEventId: () => makeId('evt'),
    onStatus: (row) => countStatus(instruments, row),
    onBroken: (session, err) => log.error({ session, err }, 'match broke and was ended'),
    onUnread: (session, err) =>
      log.error({ session, err }, 'matches cannot be read: each is tried again every second'),
  });
}

function countStatus(instruments: Instruments, row: SessionRow): void {
  const { game, mode, status, matchType, createdAt, startedAt } = row;
  if (status === 'pending') return;
  instruments.countSession(game, mode, status);
  if (status !== 'active' || matchType !== 'matchmaking' || startedAt === null) return;
  instruments.timeToMatch(game, mode, 'queue').observe((startedAt - createdAt) / 1_000);
}

type SharedBasis = Basis & { readonly shared: PostgresStore };

async function makeAmongOthers(basis: SharedBasis, config: Config, log: Log): Promise<Matches> {
  const { shared, store, clock, node } = basis;
  const sharedDowntimes = await openSharedDowntimes(shared, clock);
  const downtimes = sharedDowntimes.ofNode;
  const ownership = makeOwnership(shared, node, clock);
  const local = makeLocal(basis, log, {
    downtimes,
    fellows: ownership,
    onStall(from, to) {
      downtimes.add({ from, to });
      log.warn({ ms: to - from }, 'stalled: the clocks of this node stood still');
    },
  });
  const fail = (what: string) => (err: unknown) => log.error({ err }, what);
  const members = makeMembers({ node, store: shared, clock, onError: fail('lease not renewed') });
  const bus = await openBus(config.bus, node, log);
  const links = makeLinks({
    ...{ node, bus, mail: shared, clock },
    soon: makeGathering(clock, setImmediate),
    onNobody: members.suspect,
    onMailError: fail('mail between nodes failed'),
  });
  const cluster = makeCluster({
    ...{ node, local, ownership, links, members, store, clock, erasures: shared },
    onGap(from, to) {
      downtimes.add({ from, to });
      log.warn({ ms: to - from }, 'no lease: the clocks of this node stood still');
    },
    onSilent: (from, to) => downtimes.add({ from, to }),
    onTakeOver: (sessions) => log.info({ sessions }, 'took over sessions'),
    onError: fail('cluster'),
  });
  const nodes = (): number => members.others().length + 1;
  const limits = makeSharedLimits({
    ...{ store: shared, clock, node, nodes },
    onAway: fail('limits cannot be asked for: only what is leased is allowed'),
  });
  const claims: WebhookClaims = {
    claim: () => shared.claimWebhooks(node),
    release: (webhooks) => shared.releaseWebhooks(node, webhooks),
    onError: fail('webhooks not claimed'),
  };
  const fellowship: Fellowship = {
    ...{ cluster, claims },
    figures: () => ({
      ...links.figures(),
      nodes: members.others().length + Number(members.isHeld()),
      isHeld: members.isHeld(),
    }),
    isConnected: (tenant, mode, playerId) => shared.isPresent(tenant, mode, playerId),
    isElsewhere: (tenant, mode, playerId) => shared.isPresent(tenant, mode, playerId, node),
    async tend() {
      await cluster.tend();
      await sharedDowntimes.look();
    },
    async leave() {
      // Where the store is away its lease runs out by itself.
      await cluster.leave().catch(fail('lease not given up'));
      await bus?.close();
    },
  };
  return { host: cluster.host, local, limits, fellowship };
}

/** Null where there is none: then the store carries what nodes have to say. */
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
