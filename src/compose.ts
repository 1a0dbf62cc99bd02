/** The only place that wires: from a configuration to a service that listens. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chores } from './chores.ts';
import { startChores } from './chores.ts';
import type { Config } from './config.ts';
import { databaseFile, processRuntime } from './config.ts';
import { makeHttpApp } from './http/app.ts';
import { makeClientAddress } from './http/client-address.ts';
import type { HttpDeps } from './http/deps.ts';
import { makeDocument } from './http/document.ts';
import { makeScrape, respondExposition } from './http/scrape.ts';
import type { Log } from './log.ts';
import { makeMetrics } from './metrics.ts';
import { loadPlatform } from './platform/choose.ts';
import type { Platform, PlatformServer } from './platform/platform.ts';
import { makeAccessCheck } from './runtime/access.ts';
import { makeEventFeed } from './runtime/event-feed.ts';
import { makeIds } from './runtime/ids.ts';
import { makeKeyRing } from './runtime/key-ring.ts';
import { openDowntimes } from './runtime/lifetime.ts';
import { makeMatchHost } from './runtime/match-host.ts';
import { makeSessionService } from './runtime/sessions.ts';
import { makeStreamCensus } from './runtime/stream-census.ts';
import { makeSystemClock, systemRandomness } from './runtime/system.ts';
import { makeTokens } from './runtime/tokens.ts';
import type { Connection } from './socket/connection.ts';
import { makeSocketService } from './socket/socket-service.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { SigningSecret } from './store/store.ts';
import { makeWindowLimiter } from './tenancy/limiter.ts';

/** The folder of the project: its two documents and its pages. */
export const PROJECT_ROOT = join(import.meta.dirname, '..');

const SECRET_BYTES = 32;
/** HTTP bodies past this are not even read; the contract's own limit is 64 KiB. */
const BODY_BYTES_MAX = 256 * 1_024;
/** A socket's message (rule P5). */
const FRAME_BYTES_MAX = 16 * 1_024;
/** A socket that is silent for so long is pinged, then dropped. */
const IDLE_S = 60;

export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** Opens the store and makes every part; nothing listens yet. */
export async function makeParts(config: Config, log: Log, publicUrl: string) {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const clock = makeSystemClock();
  const makeId = makeIds(clock, systemRandomness);
  const node = makeId('nod');
  const store = await openSqliteStore(databaseFile(config.dataDir));
  const downtimes = await openDowntimes(store, clock.now());
  await store.heartbeat(node, clock.now());
  const tokens = makeTokens(await store.signingSecret(makeSigningSecret));
  const host = makeMatchHost({
    store,
    clock,
    downtimes,
    node,
    makeEventId: () => makeId('evt'),
    onBroken: (session, err) => log.error({ session, err }, 'match broke and was ended'),
    onStall(from, to) {
      downtimes.add({ from, to });
      log.warn({ ms: to - from }, 'commits stalled: all clocks stood still');
      store.addDowntime({ from, to }).catch((err: unknown) => log.error({ err }, 'stall not kept'));
    },
  });
  const keys = makeKeyRing({ store, clock });
  const access = makeAccessCheck(store, clock, new URL(publicUrl).origin);
  const sockets = makeSocketService({
    host,
    store,
    clock,
    makeId,
    tokens,
    checkAccess: access.check,
    clientAddress: makeClientAddress(config.trustedProxies),
    onError: (err) => log.error({ err }, 'socket failed'),
  });
  const sessions = makeSessionService({
    store,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node,
    onSeated: sockets.seated,
    onErased: sockets.dropPlayer,
  });
  const events = makeEventFeed(store);
  const metrics = makeMetrics({ host, sockets });
  const chores = startChores({ store, host, keys, access, clock, log, node });
  return {
    config,
    publicUrl,
    log,
    clock,
    makeId,
    store,
    host,
    keys,
    sockets,
    sessions,
    events,
    tokens,
    metrics,
    chores,
  };
}

function makeSigningSecret(): SigningSecret {
  const kid = Buffer.from(systemRandomness.bytes(6)).toString('base64url');
  return { kid, secret: systemRandomness.bytes(SECRET_BYTES) };
}

/** A service that takes requests. */
export interface RunningService {
  readonly port: number;
  /** Takes no more, finishes what is under way, closes. At most `drainMs`. */
  stop(): Promise<void>;
}

/** Listens, and takes over what a process before this one left. Throws PortInUseError. */
export async function listen(
  parts: Parts,
  port: number,
  pages: HttpDeps['pages'],
): Promise<RunningService> {
  const { config, log, host, sockets, store, chores } = parts;
  const platform = await loadPlatform(processRuntime());
  let isDraining = false;
  const app = makeHttpApp({
    service: parts.sessions,
    events: parts.events,
    streams: makeStreamCensus(),
    tokens: parts.tokens,
    keys: parts.keys,
    planWindows: makeWindowLimiter(),
    wrongKeyWindows: makeWindowLimiter(),
    store,
    clock: parts.clock,
    makeId: parts.makeId,
    log,
    metrics: parts.metrics,
    publicUrl: parts.publicUrl,
    trustedProxies: config.trustedProxies,
    build: readBuild(),
    openapi: readDocument('openapi.json'),
    asyncapi: readDocument('asyncapi.json'),
    ready: async () => !isDraining && (await store.ping()),
    scrape: makeScrape(parts.metrics.expose, config.metricsToken),
    pages,
  });
  const server = await platform.serve<Connection>({
    hostname: config.host,
    port,
    fetch: app.fetch,
    upgrade: sockets.upgrade,
    sockets: sockets.handlers,
    limits: {
      frameBytesMax: FRAME_BYTES_MAX,
      bodyBytesMax: BODY_BYTES_MAX,
      idleTimeoutS: IDLE_S,
    },
  });
  const metricsServer = await serveMetrics(platform, parts);
  host.recover().then(
    (count) => {
      if (count > 0) log.info({ sessions: count }, 'took over sessions');
    },
    (err: unknown) => log.error({ err }, 'take-over failed'),
  );
  return {
    port: server.port,
    async stop() {
      isDraining = true;
      await stop(parts, server, chores);
      await metricsServer?.close();
    },
  };
}

async function stop(parts: Parts, server: PlatformServer, chores: Chores): Promise<void> {
  const { host, sockets, store, config, clock } = parts;
  await server.stopListening();
  await chores.stop();
  parts.events.close();
  sockets.drain();
  const timeUp = new Promise<void>((resolve) => clock.after(config.drainMs, resolve));
  await Promise.race([host.drain(), timeUp]);
  await server.close();
  await store.close();
}

/** `/metrics` on a port of its own, for those inside. Null when none is asked for. */
async function serveMetrics(platform: Platform, parts: Parts): Promise<PlatformServer | null> {
  const { config, metrics } = parts;
  if (config.metricsPort === null) return null;
  const notFound = () => new Response('Not found\n', { status: 404 });
  return platform.serve<null>({
    hostname: config.host,
    port: config.metricsPort,
    async fetch(request) {
      if (new URL(request.url).pathname !== '/metrics') return notFound();
      return respondExposition(await metrics.expose());
    },
    upgrade: () => ({ accept: false, response: notFound() }),
    sockets: {
      opened() {},
      message() {},
      binary() {},
      drained() {},
      closed() {},
    },
    limits: { frameBytesMax: 1, bodyBytesMax: 1, idleTimeoutS: IDLE_S },
  });
}

function readDocument(name: string): HttpDeps['openapi'] {
  return makeDocument(readFileSync(join(PROJECT_ROOT, name), 'utf8'));
}

function readBuild(): HttpDeps['build'] {
  const manifest = readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const runtime = processRuntime();
  return { version, runtime: `${runtime} ${process.versions[runtime] ?? ''}` };
}
