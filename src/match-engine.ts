/** The match host with its infrastructure, of a single process or of a node in a cluster. */

import type { Bus } from './bus/bus.ts';
import { type Cluster, makeCluster } from './cluster/cluster.ts';
import { makeGathering } from './cluster/links/gathering.ts';
import { makeLinks } from './cluster/links/links.ts';
import type { ClusterFigures } from './cluster/membership/figures.ts';
import { makeMembers } from './cluster/membership/members.ts';
import { makePeers } from './cluster/peers.ts';
import type { Config } from './config.ts';
import { type Infrastructure, makeInfrastructure } from './infrastructure.ts';
import type { Log } from './log.ts';
import { RulesMissingError } from './match/evolve.ts';
import type { Mode } from './match/record.ts';
import type { HostDeps } from './runtime/host/host-deps.ts';
import { type LocalHost, type MatchHost, makeMatchHost } from './runtime/host/match-host.ts';
import { readLastSign } from './runtime/lifetime.ts';
import { type Limits, makeLocalLimits, makeSharedLimits } from './runtime/limits/limits.ts';
import { makeLogThrottle } from './runtime/limits/log-throttle.ts';
import { makeInstruments } from './runtime/measures/instruments.ts';
import { countStatus } from './runtime/measures/session-counts.ts';
import type { Clock } from './runtime/ports.ts';
import { processorMs } from './runtime/system.ts';
import type { WebhookClaims } from './runtime/webhooks/served.ts';
import type { PostgresStore } from './store/postgres/postgres-store.ts';

export type MatchEngine = Awaited<ReturnType<typeof makeMatchEngine>>;

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

/** Opens the store. Rejects, with nothing left open, when it cannot be used. */
export async function makeMatchEngine(config: Config, log: Log) {
  await using opened = new AsyncDisposableStack();
  const instruments = makeInstruments();
  const infrastructure = await makeInfrastructure(config, log, instruments, opened);
  const { shared } = infrastructure;
  const matches =
    shared === null
      ? await makeSingleProcess(infrastructure, log)
      : await makeClusterNode({ ...infrastructure, shared }, config, log, opened);
  const held = opened.move();
  // Everything that uses it is closed before.
  return { ...infrastructure, ...matches, closeEngine: () => held.disposeAsync() };
}

async function makeSingleProcess(infrastructure: Infrastructure, log: Log): Promise<Matches> {
  const { store, clock } = infrastructure;
  const aliveBefore = await readLastSign(store, clock.now());
  const local = makeLocal(infrastructure, log, { aliveBefore });
  return { host: local, local, limits: makeLocalLimits(), clusterParts: null };
}

function makeLocal(
  infrastructure: Infrastructure,
  log: Log,
  rest: Pick<HostDeps, 'aliveBefore' | 'peers'>,
): LocalHost {
  const { store, games, guard, slowRules, clock, node, makeId, randomness, seals } = infrastructure;
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
    onStatus: (row) => countStatus(infrastructure, row),
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

type SharedInfrastructure = Infrastructure & { readonly shared: PostgresStore };

async function makeClusterNode(
  infrastructure: SharedInfrastructure,
  config: Config,
  log: Log,
  opened: AsyncDisposableStack,
): Promise<Matches> {
  const { shared, store, clock, node } = infrastructure;
  await shared.pruneHeartbeats(clock.now());
  const peers = makePeers(shared, node);
  const local = makeLocal(infrastructure, log, { peers });
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
    games: infrastructure.games,
    shared,
    clock,
    tracing: infrastructure.tracing,
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
