/** From the parts to a service that listens, and its orderly end. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME, VERSION } from './build.ts';
import { type Chores, startChores } from './chores.ts';
import { GIVEN_FIRST_MS } from './cluster/cluster.ts';
import { type Parts, PROJECT_ROOT } from './compose.ts';
import { processRuntime } from './config.ts';
import { makeHttpApp } from './http/app.ts';
import type { SiteDeps } from './http/dashboard/deps.ts';
import { type InFlight, makeInFlight } from './http/in-flight.ts';
import { serveMetrics } from './http/metrics-server.ts';
import { makeGameDocument } from './http/request/document.ts';
import { makeScrape } from './http/scrape.ts';
import type { MatchEngine } from './match-engine.ts';
import { loadPlatform } from './platform/choose.ts';
import type { Platform, PlatformServer } from './platform/platform.ts';
import { atMost } from './runtime/at-most.ts';
import { watchLoopDelay } from './runtime/measures/loop-delay.ts';
import { makeReadiness } from './runtime/readiness.ts';
import type { Connection } from './socket/connection/connection.ts';
import type { SocketService } from './socket/socket-service.ts';

/** HTTP bodies past this are not even read; the contract's own limit is 64 KiB. */
const BODY_BYTES_MAX = 256 * 1_024;
/** A socket's message (rule P5). */
const FRAME_BYTES_MAX = 16 * 1_024;
/** A socket that is silent for so long is pinged, then dropped. */
const IDLE_S = 60;
/** Time for deliveries in progress to end; those given up are sent again by the next process. */
const WEBHOOKS_DRAIN_MS = 2_000;
/** Time for requests under way to be answered, once nothing keeps them waiting. */
const ANSWERS_MS = 1_000;

/** A service that takes requests. */
export interface RunningService {
  readonly port: number;
  /**
   * Accepts no more work, finishes work in progress, closes. Matches have `drainMs` at most;
   * closing takes seconds at worst, if the store is unavailable.
   */
  stop(): Promise<void>;
}

/** Ends what has been opened, for a process that will not listen. */
export function closeParts(parts: Parts): Promise<void> {
  return stop(parts, null);
}

/**
 * Listens, and takes over what a previous process left. Throws PortInUseError; on any failure
 * nothing is left open.
 */
export async function listen(
  parts: Parts,
  port: number,
  pages: SiteDeps['pages'],
): Promise<RunningService> {
  try {
    return await begin(parts, port, pages);
  } catch (error) {
    await closeParts(parts);
    throw error;
  }
}

async function begin(
  parts: Parts,
  port: number,
  pages: SiteDeps['pages'],
): Promise<RunningService> {
  const { log, webhooks, lost } = parts;
  const platform = await loadPlatform(processRuntime());
  let isDraining = false;
  const canWrite = makeReadiness(() => parts.store.ping(), parts.clock);
  const isReady = async () => !isDraining && !lost.isRefused && (await canWrite());
  const app = makeInFlight(makeApp(parts, pages, isReady), parts.clock);
  await joinOthers(parts);
  const { server, metricsServer } = await openServers(platform, parts, app, port);
  // Not before the port is open: a process that cannot listen sends no heartbeat and sweeps
  // nothing.
  const chores = startChores(parts);
  const stopWatching = watchLoopDelay(parts.clock, parts.instruments.loopDelay);
  webhooks.start().catch((err: unknown) => log.error({ err }, 'webhooks not taken up'));
  return {
    port: server.port,
    async stop() {
      isDraining = true;
      stopWatching();
      await stop(parts, { server, chores, app });
      await metricsServer?.close();
    },
  };
}

/** A node holds its lease before it takes a session, and is notified of seats given by others. */
async function joinOthers(parts: Parts): Promise<void> {
  const { clusterParts, sockets, agreements, botStreams, limits, shared, seatedHere } = parts;
  await clusterParts?.cluster.join({
    seated: seatedHere,
    erased: sockets.dropPlayer,
    giveWay: sockets.giveWay,
    sendAway: sockets.sendAway,
    catchUp() {
      sockets.catchUp();
      botStreams.catchUp();
      limits.catchUp();
      shared?.renewPresence();
    },
    watched: sockets.watched,
    rematch: agreements.heard,
    changed: parts.changes.heard,
  });
  // Until the lease held they could be given up under it (rule D12).
  await parts.checkSecret();
}

/** Both ports, or neither. */
async function openServers(platform: Platform, parts: Parts, app: InFlight, port: number) {
  const { config, sockets, publicUrl } = parts;
  const isSecure = publicUrl.startsWith('https:');
  const server = await platform.serve<Connection>({
    hostname: config.host,
    port,
    fetch: app.fetch,
    refuse: app.refuse,
    upgrade: sockets.upgrade,
    sockets: sockets.handlers,
    ...(isSecure &&
      config.hsts !== null && { headers: { 'strict-transport-security': config.hsts } }),
    limits: {
      frameBytesMax: FRAME_BYTES_MAX,
      bodyBytesMax: BODY_BYTES_MAX,
      idleTimeoutS: IDLE_S,
    },
  });
  try {
    return { server, metricsServer: await serveScrapes(platform, parts) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function serveScrapes(platform: Platform, { config, metrics }: Parts) {
  const { host: hostname, metricsPort: port } = config;
  return port === null ? null : serveMetrics(platform, { hostname, port }, metrics.expose);
}

/** The HTTP side of the parts. */
function makeApp(parts: Parts, pages: SiteDeps['pages'], ready: SiteDeps['ready']) {
  const { config, store } = parts;
  return makeHttpApp({
    games: parts.games,
    slowCallsOf: parts.slowRules.of,
    service: parts.sessions,
    hosted: parts.hosted,
    events: parts.events,
    streams: parts.streams,
    integrity: parts.integrity,
    webhooks: parts.webhooks.service,
    bots: parts.bots,
    botStreams: parts.botStreams,
    tokens: parts.tokens,
    issuerOf: parts.access.issuerOf,
    keys: parts.keys,
    planWindows: parts.limits.planWindows,
    wrongKeyWindows: parts.limits.wrongKeyWindows,
    ratings: store,
    settings: store,
    isConnected: makePresenceCheck(parts.sockets, parts.clusterParts),
    requests: parts.requests,
    metricStore: store,
    changes: parts.changes,
    planUse: store.planUse,
    tenantMetrics: parts.tenantMetrics,
    keyWatch: parts.keyWatch,
    dashboard: {
      games: parts.games,
      accounts: parts.accounts,
      keys: parts.keyService,
      journal: store,
      keyAlerts: store,
      audit: parts.audit,
      tenancy: store,
      sessions: store,
      windows: parts.limits.dashboardWindows,
      node: parts.node,
    },
    store,
    clock: parts.clock,
    makeId: parts.makeId,
    log: parts.log,
    logLimiter: parts.logLimiter,
    metrics: parts.metrics,
    tracing: parts.tracing,
    publicUrl: parts.publicUrl,
    trustedProxies: config.trustedProxies,
    build: {
      version: VERSION,
      runtime: `${RUNTIME.name} ${RUNTIME.version}`,
      node: parts.node,
    },
    publicKeys: parts.signer.publicKeys,
    openapi: readDocument('openapi.json'),
    asyncapi: readDocument('asyncapi.json'),
    ready,
    scrape: makeScrape(parts.metrics.expose, config.metricsToken),
    pages,
  });
}

/** A player without a socket here may have one on another node. */
function makePresenceCheck(
  sockets: Pick<SocketService, 'isConnected'>,
  clusterParts: MatchEngine['clusterParts'],
): SiteDeps['isConnected'] {
  return (tenant, mode, playerId) =>
    sockets.isConnected(tenant, mode, playerId) ||
    (clusterParts?.isConnected(tenant, mode, playerId) ?? false);
}

/** What there is once the service listens. */
interface Listening {
  readonly server: PlatformServer;
  readonly chores: Chores;
  readonly app: InFlight;
}

/** `listening` is null when the service has not come so far. */
async function stop(parts: Parts, listening: Listening | null): Promise<void> {
  const { host, clusterParts, sockets, config, clock, log } = parts;
  // What fails, as on a full disk, keeps nothing after it from its turn.
  const step = async (name: string, act: () => unknown): Promise<void> => {
    try {
      await act();
    } catch (err) {
      log.error({ err, step: name }, 'not stopped as it should be');
    }
  };
  await step('listening', () => listening?.server.stopListening());
  await step('chores', () => listening?.chores.stop());
  const bots = step('bots', () => parts.botRunner.stop());
  const endsAt = clock.now() + config.drainMs;
  const drain = (act: () => Promise<void>) =>
    step('matches', () => atMost(clock, endsAt - clock.now(), act()));
  // Matches go first if other nodes take them: a client whose socket closes afterwards finds its
  // match there.
  const given = clusterParts && drain(clusterParts.cluster.drain);
  if (given !== null) await atMost(clock, GIVEN_FIRST_MS, given);
  await step('sockets', () => {
    parts.events.close();
    sockets.drain();
    parts.botStreams.drain();
  });
  await bots;
  await (given ?? drain(host.drain));
  // Calls that still wait for another node are answered as unavailable.
  await step('requests to other nodes', () => clusterParts?.cluster.host.close());
  await step('answers', () => listening && atMost(clock, ANSWERS_MS, answered(listening)));
  await step('request log', () => parts.requests.flush());
  await step('tenant metrics', () => parts.tenantMetrics.flush(sockets.players, true));
  await step('key watch', () => parts.keyWatch.look());
  await step('suppressed log lines', () => parts.logLimiter.flush());
  // After the matches, whose last events may still be sent.
  await step('webhooks', () =>
    parts.webhooks.stop(Math.min(WEBHOOKS_DRAIN_MS, endsAt - clock.now())),
  );
  await step('server', () => listening?.server.close());
  await step('limits', () => parts.limits.close());
  await step('cluster', () => clusterParts?.leave());
  await step('store', () => parts.closeEngine());
}

/** Ends once every request is answered, including those whose bodies were still being received. */
async function answered({ server, app }: Listening): Promise<void> {
  await server.bodiesEnded();
  await app.ended();
}

function readDocument(name: string): SiteDeps['openapi'] {
  return makeGameDocument(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}
