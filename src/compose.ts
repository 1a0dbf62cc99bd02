/** The only place that wires: from a configuration to a service that listens. */

import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNTIME, VERSION } from './build.ts';
import type { Chores } from './chores.ts';
import { startChores } from './chores.ts';
import type { Config } from './config.ts';
import { databaseFile, processRuntime, SETTINGS } from './config.ts';
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
import { makeAccountService } from './runtime/accounts/accounts.ts';
import { makePasswords } from './runtime/accounts/passwords.ts';
import { makeSealer } from './runtime/accounts/sealer.ts';
import { openSealingKey } from './runtime/accounts/sealing-key.ts';
import { makeBotService } from './runtime/bots/bot-service.ts';
import { makeBotStreams } from './runtime/bots/bot-streams.ts';
import { PAUSE_MS, startBotRunner } from './runtime/bots/runner.ts';
import { makeThinkers } from './runtime/bots/thinkers.ts';
import { makeEventFeed } from './runtime/event-feed.ts';
import { makeHostedService } from './runtime/hosted.ts';
import { makeIds } from './runtime/ids.ts';
import { readRoots } from './runtime/integrity/app-attest.ts';
import { APPLE_APP_ATTEST_ROOT } from './runtime/integrity/apple-root.ts';
import { type IntegritySettings, wireIntegrity } from './runtime/integrity/wire.ts';
import { makeKeyRing } from './runtime/key-ring.ts';
import { makeKeyService } from './runtime/key-service.ts';
import { openDowntimes } from './runtime/lifetime.ts';
import { makeMatchHost } from './runtime/match-host.ts';
import { makeQueuedSessions } from './runtime/queue.ts';
import { makeRequestLog } from './runtime/request-log.ts';
import { makeStreamCensus } from './runtime/stream-census.ts';
import { makeSystemClock, systemRandomness } from './runtime/system.ts';
import { makeTokens } from './runtime/tokens.ts';
import { resolveBySystem } from './runtime/webhooks/sender.ts';
import {
  makeWebhooks,
  type WebhookParts,
  type WebhookPartsDeps,
} from './runtime/webhooks/start.ts';
import type { Connection } from './socket/connection.ts';
import type { SocketService } from './socket/socket-service.ts';
import { makeSocketService } from './socket/socket-service.ts';
import { openSqliteStore } from './store/sqlite/sqlite-store.ts';
import type { SigningSecret } from './store/store.ts';
import { makeWindowLimiter } from './tenancy/limiter.ts';
import type { TargetPolicy } from './webhooks/target.ts';

/** The folder of the project: its two documents and its pages. */
export const PROJECT_ROOT = join(import.meta.dirname, '..');

const SECRET_BYTES = 32;
/** HTTP bodies past this are not even read; the contract's own limit is 64 KiB. */
const BODY_BYTES_MAX = 256 * 1_024;
/** A socket's message (rule P5). */
const FRAME_BYTES_MAX = 16 * 1_024;
/** A socket that is silent for so long is pinged, then dropped. */
const IDLE_S = 60;
/** Time for deliveries under way to end; what is given up is sent again by the next process. */
const WEBHOOKS_DRAIN_MS = 2_000;

export type Parts = Awaited<ReturnType<typeof makeParts>>;

/** Opens the store and makes every part; nothing listens yet. `policy` is that of webhooks. */
export async function makeParts(
  config: Config,
  log: Log,
  publicUrl: string,
  policy: TargetPolicy = { allowLocal: false },
) {
  const checks = integritySettings(config);
  const ground = await makeGround(config, log);
  const { store, host, clock, makeId } = ground;
  const keys = makeKeyRing({ store, clock });
  const access = makeAccessCheck(store, clock, new URL(publicUrl).origin);
  const sockets = makeSocketService({
    ...ground,
    checkAccess: access.check,
    clientAddress: makeClientAddress(config.trustedProxies),
    onError: (err) => log.error({ err }, 'socket failed'),
  });
  const seating = makeSeatingParts(ground, sockets, log);
  const events = makeEventFeed(store);
  const integrity = wireIntegrity({ store, clock, randomness: systemRandomness, log }, checks);
  const webhooks = wireWebhooks({ store, clock, makeId, policy, present: events.present }, log);
  const metrics = makeMetrics({ host, sockets, integrity, webhooks, bots: seating.botRunner });
  const streams = makeStreamCensus();
  const house = makeHouse(config, ground);
  return {
    config,
    publicUrl,
    log,
    ...ground,
    ...seating,
    keys,
    access,
    sockets,
    events,
    streams,
    ...house,
    integrity,
    webhooks,
    metrics,
  };
}

type Ground = Awaited<ReturnType<typeof makeGround>>;

/** What everything else stands on: the store, the matches, time, chance and signatures. */
async function makeGround(config: Config, log: Log) {
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
    randomness: systemRandomness,
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
  return { clock, makeId, node, store, tokens, host, randomness: systemRandomness };
}

/** Whatever makes sessions and seats players and bots in them. */
function makeSeatingParts(ground: Ground, sockets: SocketService, log: Log) {
  const { store, host, clock, randomness } = ground;
  const botStreams = makeBotStreams({
    host,
    store,
    clock,
    onError: (err) => log.error({ err }, 'bot stream failed'),
  });
  const onSeated: typeof sockets.seated = (row, playerId, seat, isBot = false) => {
    sockets.seated(row, playerId, seat, isBot);
    if (isBot) botStreams.seated(row, playerId, seat);
  };
  return {
    botStreams,
    bots: makeBotService({ ...ground, onSeated }),
    botRunner: startBotRunner({
      host,
      thinkers: makeThinkers(clock),
      clock,
      randomness,
      pauseMs: PAUSE_MS,
      onFault: (session, error) => log.warn({ session, error }, 'a bot did not choose for itself'),
    }),
    sessions: makeQueuedSessions({
      ...ground,
      bots: store,
      onSeated,
      onErased: sockets.dropPlayer,
    }),
    hosted: makeHostedService({
      ...ground,
      isInLobby: sockets.isInLobby,
      onSeated: sockets.seated,
    }),
  };
}

/** What stands behind the dashboard. */
function makeHouse(config: Config, { store, clock, makeId, randomness }: Ground) {
  const sealer = makeSealer(openSealingKey(config.dataDir, randomness), randomness);
  const passwords = makePasswords(randomness);
  return {
    accounts: makeAccountService({ store, passwords, sealer, clock, randomness, makeId }),
    keyService: makeKeyService({ store, clock, randomness, makeId }),
    requests: makeRequestLog(store, clock),
  };
}

function integritySettings(config: Config): IntegritySettings {
  const { googleAccounts, googleTokenUrl, playIntegrityUrl, appAttestRoots } = config;
  return {
    accountsFolder: googleAccounts,
    tokenUrl: googleTokenUrl,
    playIntegrityUrl,
    appAttestRoots: appAttestRoots === null ? APPLE_APP_ATTEST_ROOT : readPem(appAttestRoots),
    appAttestEnvironments: config.appAttestEnvironments,
    requires: config.integrityRequires,
  };
}

/** Read before anything is opened: what is wrong is said by the setting's name. */
function readPem(file: string): string {
  try {
    const text = readFileSync(file, 'utf8');
    readRoots(text);
    return text;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${SETTINGS.appAttestRoots.env} ${JSON.stringify(file)}: ${reason}`);
  }
}

function wireWebhooks(
  parts: Pick<WebhookPartsDeps, 'store' | 'clock' | 'makeId' | 'policy' | 'present'>,
  log: Log,
): WebhookParts {
  return makeWebhooks({
    ...parts,
    randomness: systemRandomness,
    resolve: resolveBySystem,
    onError: ({ id }, err) => log.error({ webhook: id, err }, 'webhook not served'),
  });
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
  const { log, host, webhooks } = parts;
  const platform = await loadPlatform(processRuntime());
  let isDraining = false;
  const app = makeApp(parts, pages, async () => !isDraining && (await parts.store.ping()));
  const opened = openServers(platform, parts, app, port);
  const { server, metricsServer } = await opened.catch(async (error: unknown) => {
    await stop(parts, null, null);
    throw error;
  });
  // Not before the port is had: a process that cannot listen gives no sign of life and sweeps nothing.
  const chores = startChores(parts);
  webhooks.start().catch((err: unknown) => log.error({ err }, 'webhooks not taken up'));
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

/** Both ports, or neither. */
async function openServers(
  platform: Platform,
  parts: Parts,
  app: ReturnType<typeof makeApp>,
  port: number,
) {
  const { config, sockets } = parts;
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
  try {
    return { server, metricsServer: await serveMetrics(platform, parts) };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** The HTTP side of the parts. */
function makeApp(parts: Parts, pages: HttpDeps['pages'], ready: HttpDeps['ready']) {
  const { config, sockets, store } = parts;
  return makeHttpApp({
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
    planWindows: makeWindowLimiter(),
    wrongKeyWindows: makeWindowLimiter(),
    ratings: store,
    isConnected: sockets.isConnected,
    requests: parts.requests,
    dashboard: {
      accounts: parts.accounts,
      keys: parts.keyService,
      journal: store,
      tenancy: store,
      sessions: store,
      windows: makeWindowLimiter(),
      node: parts.node,
    },
    store,
    clock: parts.clock,
    makeId: parts.makeId,
    log: parts.log,
    metrics: parts.metrics,
    publicUrl: parts.publicUrl,
    trustedProxies: config.trustedProxies,
    build: { version: VERSION, runtime: `${RUNTIME.name} ${RUNTIME.version}` },
    openapi: readDocument('openapi.json'),
    asyncapi: readDocument('asyncapi.json'),
    ready,
    scrape: makeScrape(parts.metrics.expose, config.metricsToken),
    pages,
  });
}

/** `server` and `chores` are null when the service has not come so far. */
async function stop(
  parts: Parts,
  server: PlatformServer | null,
  chores: Chores | null,
): Promise<void> {
  const { host, sockets, store, config, clock } = parts;
  await server?.stopListening();
  await chores?.stop();
  await parts.requests.flush();
  parts.events.close();
  sockets.drain();
  parts.botStreams.drain();
  await parts.botRunner.stop();
  const endsAt = clock.now() + config.drainMs;
  const timeUp = Promise.withResolvers<void>();
  const cancel = clock.after(config.drainMs, timeUp.resolve);
  await Promise.race([host.drain(), timeUp.promise]);
  cancel(); // A timer that is left would hold the process.
  // After the matches, whose last events may still go out.
  await parts.webhooks.stop(Math.min(WEBHOOKS_DRAIN_MS, endsAt - clock.now()));
  await server?.close();
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
