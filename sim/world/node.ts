/** A node: the service's own modules, wired as `src/compose.ts` does it, on simulated ports. */

import { type ChoreDeps, startChores } from '../../src/chores.ts';
import { GIVEN_FIRST_MS } from '../../src/cluster/cluster.ts';
import { makePeers } from '../../src/cluster/peers.ts';
import { makeHttpApp } from '../../src/http/app.ts';
import type { SiteDeps } from '../../src/http/dashboard/deps.ts';
import { makeClientAddress } from '../../src/http/request/client-address.ts';
import { makeDocument } from '../../src/http/request/document.ts';
import type { Mode } from '../../src/match/record.ts';
import { makeAccessCheck } from '../../src/runtime/access/access.ts';
import { makeKeyRing } from '../../src/runtime/access/key-ring.ts';
import { makeTokens } from '../../src/runtime/access/tokens.ts';
import { makeChanges } from '../../src/runtime/events/changes.ts';
import { makeEventFeed } from '../../src/runtime/events/event-feed.ts';
import type { LocalHost, MatchHost } from '../../src/runtime/host/match-host.ts';
import { makeMatchHost } from '../../src/runtime/host/match-host.ts';
import { makeIds } from '../../src/runtime/ids.ts';
import { readLastSign } from '../../src/runtime/lifetime.ts';
import { type Limits, makeLocalLimits, makeSharedLimits } from '../../src/runtime/limits/limits.ts';
import { makeStreamCensus } from '../../src/runtime/limits/stream-census.ts';
import { makeHostedService } from '../../src/runtime/matchmaking/hosted.ts';
import { makeQueuedSessions } from '../../src/runtime/matchmaking/queue.ts';
import type { RequestLog } from '../../src/runtime/measures/request-log.ts';
import type { Clock, Randomness } from '../../src/runtime/ports.ts';
import { type Agreements, makeAgreements } from '../../src/runtime/sessions/agreements.ts';
import { makeErasures } from '../../src/runtime/sessions/erasures.ts';
import { makeDispatcher } from '../../src/runtime/webhooks/dispatcher.ts';
import { makeCourier } from '../../src/runtime/webhooks/sending/courier.ts';
import type { Sender } from '../../src/runtime/webhooks/sending/sender.ts';
import type { Connection } from '../../src/socket/connection/connection.ts';
import type { SocketService } from '../../src/socket/socket-service.ts';
import { makeSocketService } from '../../src/socket/socket-service.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { testSeals, testSigner } from '../../src/testing/test-seals.ts';
import type { Life } from '../kernel/life.ts';
import { startBots } from './bots.ts';
import { type Fleet, type FleetParts, joinFleet } from './fleet.ts';
import { simulatedGames } from './games.ts';
import { watchHost } from './watched-host.ts';

/** No request log: the simulation does not read it. */
const NO_REQUESTS: RequestLog = {
  record() {},
  recordRefused() {},
  flush: async () => {},
  dropped: () => 0,
  sweep: async () => 0,
};

export const PUBLIC_URL = 'https://play.example.test';

export interface SimNode {
  /** Its place: a restarted node has the same one. */
  readonly place: number;
  /** This incarnation's id. */
  readonly id: string;
  readonly life: Life;
  /** Connected players, if only it knows them. */
  readonly present: ReadonlySet<string>;
  readonly host: MatchHost;
  /** Whether a session is in its memory. */
  has(session: string): boolean;
  readonly sockets: SocketService;
  /** The connection that a handshake made, null when it was refused. */
  upgrade(token: string, address: string): Connection | null;
  fetch(request: Request): Promise<Response>;
  isListening(): boolean;
  /** `isSudden`: it had no time to hand its sessions over. */
  onDeath(listener: (isSudden: boolean) => void): void;
  crash(): void;
  /** Like a process that is told to stop: hands its sessions over, and ends. */
  drain(): Promise<void>;
}

export interface NodeDeps {
  readonly place: number;
  readonly id: string;
  readonly life: Life;
  readonly store: Store;
  readonly present: ReadonlySet<string>;
  readonly randomness: Randomness;
  readonly sender: Sender;
  /** Null with a single node. */
  readonly fleet: Fleet | null;
  /** For deliberate faults. */
  readonly wrapHost: (host: LocalHost) => LocalHost;
  /** Called with every text that shows a session, at the moment its owner makes it. */
  readonly shown: (session: string, text: string) => void;
  /** Errors that need a person's attention. Faults of the store do not. */
  readonly failed: (what: string, error: unknown) => void;
}

const LOG = { debug() {}, info() {}, warn() {}, error() {} };
const DOCUMENT = makeDocument('{}');
const EMPTY = () => DOCUMENT;

/** No page shows metrics, so none are stored. */
const NO_METRICS: Pick<ChoreDeps, 'changes' | 'tenantMetrics'> = {
  changes: { take: () => [], markAll() {} },
  tenantMetrics: { flush: async () => false, sweep: async () => 0 },
};

/** Resolves when it listens; rejects when the store fails, as a process that exits would. */
export async function startNode(deps: NodeDeps): Promise<SimNode> {
  const { place, id, life, store, present, randomness, fleet, failed } = deps;
  const { clock } = life;
  const engine = await makeMatchEngine(deps);
  const { host, fleetParts, makeId, limits } = engine;
  const access = makeAccessCheck(store, clock, PUBLIC_URL);
  let sides: ReturnType<typeof makeSides>;
  const { agreements, sockets } = makeTalk(deps, engine, access.accessOf, (...asked) =>
    sides.service.rematch(...asked),
  );
  const below = { ...engine, agreements, randomness, store, clock };
  sides = makeSides(below, sockets, access.issuerOf, deps);
  const { app, dispatcher, keys, streams } = sides;
  const clusterParts = fleetParts && (await listenToFleet(fleetParts, sockets, agreements, limits));
  let isListening = false;
  const deaths: ((isSudden: boolean) => void)[] = [];
  const die = (isSudden: boolean): void => {
    life.kill();
    fleet?.network.setUp(id, false);
    for (const listener of deaths.splice(0)) listener(isSudden);
  };
  const node: SimNode = {
    place,
    id,
    life,
    present,
    host,
    sockets,
    has: (session) => engine.local.has(session),
    upgrade: (token, address) => upgrade(sockets, token, address),
    fetch: (request) => app.fetch(request, { address: '203.0.113.7' }),
    isListening: () => isListening && life.isAlive(),
    onDeath: (listener) => void deaths.push(listener),
    crash: () => die(true),
    async drain() {
      isListening = false;
      await chores.stop();
      const given = fleetParts?.cluster.drain();
      const wait = new Promise<void>((resolve) => clock.after(GIVEN_FIRST_MS, resolve));
      await Promise.race([given, wait]);
      sockets.drain();
      await (given ?? host.drain());
      await dispatcher.stop();
      await fleetParts?.cluster.leave();
      die(false);
    },
  };
  const chores = startChores({
    store,
    host,
    keys,
    access,
    webhooks: dispatcher,
    streams,
    sockets,
    clock,
    makeId,
    log: LOG,
    limits,
    node: id,
    accounts: { sweep: async () => 0 },
    clusterParts,
    audit: { maintain: async () => undefined, anchorsOf: async () => [] },
    requests: NO_REQUESTS,
    ...NO_METRICS,
    keyWatch: { look: async () => {}, sweep: async () => 0 },
    logLimiter: { sweep() {} },
    sessions: { end: () => Promise.reject(new Error('no tenant is removed here')) },
  });
  dispatcher.start().catch((error: unknown) => failed('webhooks', error));
  isListening = true;
  return node;
}

/** The sockets, and what their players say after the end. */
function makeTalk(
  { store, life, id, failed }: NodeDeps,
  { host, local, makeId, tokens, fleetParts, limits }: Awaited<ReturnType<typeof makeMatchEngine>>,
  accessOf: ReturnType<typeof makeAccessCheck>['accessOf'],
  rematch: Parameters<typeof makeAgreements>[0]['rematch'],
) {
  const { clock } = life;
  const agreements = makeAgreements({
    store,
    local,
    clock,
    makeId,
    rematch,
    notifyOthers: (...news) => fleetParts?.cluster.notifyRematch(...news),
    onError: (error) => failed('rematches', error),
  });
  local.onVisited(agreements.visited);
  const sockets = makeSocketService({
    agreements,
    seals: testSeals,
    host,
    store,
    node: id,
    clock,
    makeId,
    tokens,
    accessOf,
    clientAddress: makeClientAddress([]),
    onError: (error) => failed('sockets', error),
    ...(fleetParts && { peers: fleetParts.cluster.sockets, places: limits.places }),
  });
  return { agreements, sockets };
}

/** The host, and the layers below it. */
async function makeMatchEngine(deps: NodeDeps) {
  const { id, life, store, randomness, fleet, failed } = deps;
  const { clock } = life;
  const makeId = makeIds(clock, randomness);
  const aliveBefore = await readLastSign({ ...store, ...fleet?.shared }, clock.now());
  const secret = () => ({ kid: 'sim', secret: randomness.bytes(32) });
  const tokens = makeTokens(await store.signingSecret(secret));
  const peers = fleet && makePeers(fleet.shared, id);
  const bare = deps.wrapHost(
    makeMatchHost({
      seals: testSeals,
      games: simulatedGames,
      store,
      clock,
      randomness,
      aliveBefore,
      node: id,
      makeEventId: () => makeId('evt'),
      ...(peers === null ? null : { peers }),
      onBroken: (session, error) => failed(`match ${session}`, error),
      onStall() {},
    }),
  );
  const local = watchHost(bare, deps.shown);
  const fleetParts =
    fleet === null ? null : joinFleet({ ...fleet, id, life, local, store, failed });
  startBots(local, life, randomness);
  const limits =
    fleet === null || fleetParts === null
      ? makeLocalLimits()
      : makeSharedLimits({
          store: fleet.shared,
          clock,
          node: id,
          onAway() {},
          nodes: fleetParts.nodes,
          isHeld: fleetParts.isHeld,
        });
  const host: MatchHost = fleetParts?.cluster.host ?? local;
  return { makeId, node: id, tokens, host, local, fleetParts, limits };
}

/** Sets up the node in the cluster, as `src/match-engine.ts` does. */
async function listenToFleet(
  { cluster }: FleetParts,
  sockets: SocketService,
  agreements: Agreements,
  limits: Limits,
): Promise<NonNullable<ChoreDeps['clusterParts']>> {
  const { giveWay, sendAway, watched, seated, dropPlayer } = sockets;
  const catchUp = (): void => {
    sockets.catchUp();
    limits.catchUp();
  };
  const own = { catchUp, rematch: agreements.heard };
  await cluster.join({ giveWay, sendAway, watched, seated, erased: dropPlayer, ...own });
  return { maintain: cluster.maintain, notifyChanged: cluster.notifyChanged };
}

type MatchEngine = Awaited<ReturnType<typeof makeMatchEngine>> &
  Pick<NodeDeps, 'randomness' | 'store'> & {
    readonly clock: Clock;
    readonly agreements: Agreements;
  };

/** The layers above the host besides the sockets: HTTP and webhooks. */
function makeSides(
  engine: MatchEngine,
  sockets: SocketService,
  issuerOf: SiteDeps['issuerOf'],
  { id, sender, fleet, failed }: NodeDeps,
) {
  const { store, clock, fleetParts, limits } = engine;
  const events = makeEventFeed(store);
  const keys = makeKeyRing({ store, clock });
  const policy = { allowLocal: false };
  const { signal } = new AbortController();
  const courier = makeCourier({ clock, sender, policy, present: events.present, signal });
  const onError = (error: unknown) => failed('webhooks', error);
  const claims = fleet && {
    claim: () => fleet.shared.claimWebhooks(id),
    release: (ids: readonly string[]) => fleet.shared.releaseWebhooks(id, ids),
    onError,
  };
  const dispatcher = makeDispatcher({
    ...engine,
    courier,
    onError: (_: unknown, error: unknown) => onError(error),
    ...(claims === null ? null : { claims }),
  });
  const streams = makeStreamCensus(limits.places);
  engine.local.onSeated(sockets.seated);
  const onErased = sockets.dropPlayer;
  const erasures = makeErasures();
  const turns = fleetParts?.cluster.queueTurns;
  const onRematch = engine.agreements.changed;
  const service = makeQueuedSessions(
    { ...engine, seals: testSeals, games: simulatedGames, bots: store, onErased, onRematch, turns },
    erasures,
  );
  const app = makeHttpApp({
    games: simulatedGames,
    slowCallsOf: () => null,
    service,
    hosted: makeHostedService(
      { ...engine, games: simulatedGames, ...presenceOf(sockets, id, fleet) },
      erasures,
    ),
    events,
    streams,
    keys,
    issuerOf,
    clock,
    store,
    makeId: engine.makeId,
    tokens: engine.tokens,
    ratings: store,
    settings: store,
    isConnected: sockets.isConnected,
    planWindows: limits.planWindows,
    wrongKeyWindows: limits.wrongKeyWindows,
    log: { ...LOG, error: (fields) => failed('request', (fields as { err: unknown }).err) },
    logLimiter: { take: () => true },
    metrics: { request() {} },
    publicUrl: PUBLIC_URL,
    trustedProxies: [],
    build: { version: '0', runtime: 'sim', node: id },
    publicKeys: testSigner.publicKeys,
    openapi: EMPTY,
    asyncapi: EMPTY,
    ready: async () => true,
    scrape: async () => null,
    changes: makeChanges(events, clock),
    metricStore: store,
    planUse: store.planUse,
    tenantMetrics: { request() {} },
    requests: NO_REQUESTS,
    keyWatch: { note() {} },
    pages: () => null,
    ...notSimulated(),
  });
  return { app, service, dispatcher, keys, streams };
}

/** A player without a lobby here may have one on another node. */
function presenceOf({ isInLobby }: SocketService, id: string, fleet: NodeDeps['fleet']) {
  return {
    isInLobby,
    isElsewhere: (tenant: string, mode: Mode, player: string) =>
      fleet?.shared.isPresent(tenant, mode, player, id) ?? false,
  };
}

/** No client asks for these. */
function notSimulated(): Pick<
  SiteDeps,
  'integrity' | 'webhooks' | 'bots' | 'botStreams' | 'dashboard'
> {
  return { integrity: {}, webhooks: {}, bots: {}, botStreams: {}, dashboard: {} } as never;
}

function upgrade(sockets: SocketService, token: string, address: string): Connection | null {
  const request = new Request(`${PUBLIC_URL}/v1/socket`, {
    headers: { 'sec-websocket-protocol': `matchd.v1, token.${token}` },
  });
  const decision = sockets.upgrade(request, { address });
  return decision.accept ? decision.data : null;
}
