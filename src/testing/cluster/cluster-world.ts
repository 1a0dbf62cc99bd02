/** Several nodes in one process: each with its own host and sockets, on one store and one bus. */

import type { Bus } from '../../bus/bus.ts';
import { type LocalNetwork, makeLocalNetwork } from '../../bus/local/local-bus.ts';
import { type Cluster, makeCluster } from '../../cluster/cluster.ts';
import type { ClusterHost } from '../../cluster/cluster-host.ts';
import { type Links, makeLinks } from '../../cluster/links/links.ts';
import { makeMembers } from '../../cluster/membership/members.ts';
import { makePeers } from '../../cluster/peers.ts';
import { shippedGames } from '../../games/registry.ts';
import { makeTokens, TOKEN_LIFE_S, type TokenScope } from '../../runtime/access/tokens.ts';
import { type LocalHost, makeMatchHost } from '../../runtime/host/match-host.ts';
import { makeIds } from '../../runtime/ids.ts';
import type { Clock } from '../../runtime/ports.ts';
import { makeAgreements } from '../../runtime/sessions/agreements.ts';
import type { SessionService } from '../../runtime/sessions/session-service.ts';
import { makeSessionService } from '../../runtime/sessions/sessions.ts';
import { type Census, makeCensus } from '../../socket/presence/census.ts';
import { makeSocketService, type SocketService } from '../../socket/socket-service.ts';
import type { ClusterStore } from '../../store/cluster.ts';
import { textOrNull } from '../../store/rows/row.ts';
import { type MemoryDatabase, openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import type { CoreStore, MatchCommit } from '../../store/store.ts';
import type { PlayerPresence } from '../../store/tickets.ts';
import { type Faults, makeFaults, makeFaultyStore } from '../faulty-store.ts';
import { type ManualClock, makeManualClock } from '../manual-clock.ts';
import { TENANT } from '../matches/match-world.ts';
import { makeSeededRandomness } from '../seeded-randomness.ts';
import { type FakeSocket, openFakeSocket } from '../sockets/fake-socket.ts';
import { testSeals } from '../test-seals.ts';

const SECRET = { kid: 'test', secret: new Uint8Array(32).fill(7) };

export interface ClusterNode {
  readonly name: string;
  readonly clock: NodeClock;
  readonly store: CoreStore;
  readonly faults: Faults;
  readonly local: LocalHost;
  readonly host: ClusterHost;
  readonly cluster: Cluster;
  readonly sockets: SocketService;
  /** As over HTTP. */
  readonly sessions: SessionService;
  readonly census: Census;
  readonly errors: unknown[];
  /** A socket with a session's or a lobby's token. */
  open(player: string, session?: string, isThere?: boolean): FakeSocket;
  watch(session: string): FakeSocket;
}

export interface ClusterWorld {
  readonly clock: ManualClock;
  readonly database: MemoryDatabase;
  /** What all nodes share besides the store. */
  readonly members: ClusterStore;
  readonly network: LocalNetwork;
  readonly kept: CoreStore;
  readonly nodes: readonly ClusterNode[];
  start(name: string): Promise<ClusterNode>;
  /** The process is killed, as by `kill -9`. */
  kill(node: ClusterNode): void;
  /** The process is paused, as by SIGSTOP, and resumes. */
  stop(node: ClusterNode): void;
  goOn(node: ClusterNode): void;
  /** A session's owner by its row, even if that node is gone. */
  holderOf(session: string): string | null;
  /** The current number of records in its log. */
  lengthOf(session: string): number;
  /** Advances time, with everything that happens in it; each node is maintained every second. */
  pass(ms: number, stepMs?: number): Promise<void>;
}

/** The time of one process: while it is paused no timer fires. */
export interface NodeClock extends Clock {
  state: 'runs' | 'stands' | 'dead';
  /** Runs something when the process resumes; never if it is dead. */
  whenRunning(act: () => void): void;
  goOn(): void;
}

function makeNodeClock(clock: Clock): NodeClock {
  let waiting: (() => void)[] = [];
  const own: NodeClock = {
    state: 'runs',
    now: clock.now,
    after: (ms, run) => clock.after(ms, () => own.whenRunning(run)),
    whenRunning(act) {
      if (own.state === 'runs') act();
      else if (own.state === 'stands') waiting.push(act);
    },
    goOn() {
      own.state = 'runs';
      const acts = waiting;
      waiting = [];
      for (const act of acts) own.whenRunning(act);
    },
  };
  return own;
}

/** Responses from outside wait while the process is paused. */
function throughClock<T extends object>(port: T, clock: NodeClock): T {
  const answer = (value: unknown): unknown =>
    value instanceof Promise
      ? new Promise((resolve, reject) =>
          value.then(
            (result) => clock.whenRunning(() => resolve(result)),
            (error) => clock.whenRunning(() => reject(error)),
          ),
        )
      : value;
  return Object.fromEntries(
    Object.entries(port).map(([name, call]) => [
      name,
      name === 'commit'
        ? (commit: unknown, done: (outcome: unknown) => void) => {
            if (clock.state === 'dead') return;
            call(commit, (outcome: unknown) => clock.whenRunning(() => done(outcome)));
          }
        : (...args: unknown[]) =>
            clock.state === 'dead' ? new Promise(() => {}) : answer(call(...args)),
    ]),
  ) as T;
}

function noting(
  store: CoreStore,
  name: string,
  onWrite: (node: string, commit: MatchCommit) => void,
): CoreStore {
  return {
    ...store,
    commit(commit, done) {
      store.commit(commit, (outcome) => {
        if (outcome === 'committed') onWrite(name, commit);
        done(outcome);
      });
    },
  };
}

function makeBus(network: LocalNetwork, name: string, clock: NodeClock): Bus {
  const bus = network.open(name);
  return {
    ...bus,
    onMessage: (listener) => bus.onMessage((text) => clock.whenRunning(() => listener(text))),
    onNobody: (listener) => bus.onNobody((node) => clock.whenRunning(() => listener(node))),
  };
}

/**
 * `chance` is the bus's random number, from 0 to below 1; `onWrite` is called for every written
 * commit, with its node.
 */
export function openClusterWorld(
  chance: () => number = () => 0.5,
  onWrite: (node: string, commit: MatchCommit) => void = () => {},
): ClusterWorld {
  const clock = makeManualClock();
  const database = openMemoryDatabase(clock.now);
  const members: ClusterStore = database.openNode('shared');
  const network = makeLocalNetwork({ after: clock.after, chance });
  const nodes: ClusterNode[] = [];
  let maintainedAt = clock.now();
  const world: ClusterWorld = {
    clock,
    database,
    members,
    network,
    nodes,
    kept: database.open(),
    async start(name) {
      const node = await startNode(world, name, onWrite);
      nodes.push(node);
      return node;
    },
    kill(node) {
      node.clock.state = 'dead';
      network.setUp(node.name, false);
      nodes.splice(nodes.indexOf(node), 1);
    },
    stop(node) {
      node.clock.state = 'stands';
    },
    goOn: (node) => node.clock.goOn(),
    holderOf: (session) =>
      textOrNull(
        database.db.prepare('SELECT holder FROM session WHERE id = ?').get(session)?.['holder'],
      ),
    lengthOf: (session) =>
      Number(
        database.db.prepare('SELECT count(*) AS n FROM log WHERE session = ?').get(session)!['n'],
      ),
    async pass(ms, stepMs = STEP_MS) {
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(stepMs, left));
        await settleAll();
        if (clock.now() - maintainedAt < MAINTENANCE_MS) continue;
        maintainedAt = clock.now();
        await Promise.all(
          nodes.map((node) => (node.clock.state === 'runs' ? maintain(node) : null)),
        );
      }
    },
  };
  return world;
}

const STEP_MS = 10;
/** As in the service. */
const MAINTENANCE_MS = 1_000;

async function maintain(node: ClusterNode): Promise<void> {
  // A node that is paused in the middle of this is not waited for.
  await Promise.race([
    Promise.all([node.host.maintain(), node.cluster.maintain()]).catch((error) =>
      node.errors.push(error),
    ),
    settleAll(),
  ]);
}

/** Runs everything that does not wait for time. */
export async function settleAll(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await new Promise(setImmediate);
}

async function startNode(
  world: ClusterWorld,
  name: string,
  onWrite: (node: string, commit: MatchCommit) => void,
): Promise<ClusterNode> {
  const { database, members: shared, network } = world;
  const clock = makeNodeClock(world.clock);
  const faults = makeFaults();
  const store = throughClock(
    makeFaultyStore(noting(database.openNode(name), name, onWrite), faults),
    clock,
  );
  const rows = throughClock<ClusterStore>(shared, clock);
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const peers = makePeers(rows, name);
  const randomness = makeSeededRandomness(world.nodes.length + 1);
  const makeId = makeIds(clock, randomness);
  const local = makeMatchHost({
    seals: testSeals,
    games: shippedGames,
    store,
    clock,
    randomness,
    node: name,
    peers,
    makeEventId: () => makeId('evt'),
    onBroken: (_, error) => onError(error),
    onStall: () => {},
  });
  const bus = makeBus(network, name, clock);
  let suspect: (node: string) => void = () => {};
  const links: Links = makeLinks({
    node: name,
    bus,
    mail: rows,
    clock,
    soon: queueMicrotask,
    onNobody: (node) => suspect(node),
    onMailError: onError,
  });
  const members = makeMembers({
    node: name,
    store: rows,
    clock,
    onError,
    isLostTimeDue: local.isLostTimeDue,
  });
  suspect = members.suspect;
  const cluster = makeCluster({
    node: name,
    local,
    links,
    members,
    store,
    shared: rows,
    clock,
    games: shippedGames,
    onTakeover: () => {},
    onError,
  });
  const census = makeCensus();
  const tokens = makeTokens(SECRET);
  const makeToken = (wish: {
    readonly scope: TokenScope;
    readonly player: string | null;
    readonly session: string | undefined;
  }): string => {
    const exp = Math.floor(clock.now() / 1_000) + TOKEN_LIFE_S;
    const claims = { ...wish, session: wish.session ?? null, tenant: TENANT, key: null, exp };
    return tokens.make({ ...claims, mode: 'live' });
  };
  const agreements = makeAgreements({
    store,
    local,
    clock,
    makeId,
    onError,
    rematch: (...asked) => sessions.rematch(...asked),
    notifyOthers: cluster.notifyRematch,
  });
  local.onVisited(agreements.visited);
  const sessions: SessionService = makeSessionService({
    seals: testSeals,
    games: shippedGames,
    store,
    host: cluster.host,
    clock,
    randomness,
    node: name,
    makeId,
    onErased() {},
    onRematch: agreements.changed,
    bots: { listSeatableBots: async () => [] },
  });
  const sockets = makeSocketService(
    {
      agreements,
      host: cluster.host,
      node: name,
      clock,
      tokens,
      makeId,
      onError,
      seals: testSeals,
      store: { ...store, setPresence: async (_: PlayerPresence) => {} },
      accessOf: async () => () => ({ ok: true, socketsMax: 1_000 }),
      clientAddress: () => `198.51.100.${census.all.size % 250}`,
      peers: cluster.sockets,
    },
    census,
  );
  local.onSeated(sockets.seated);
  await cluster.join({
    giveWay: sockets.giveWay,
    catchUp: sockets.catchUp,
    watched: sockets.watched,
    sendAway: sockets.sendAway,
    seated: sockets.seated,
    erased: sockets.dropPlayer,
    rematch: agreements.heard,
  });
  return {
    name,
    clock,
    store,
    faults,
    local,
    host: cluster.host,
    cluster,
    sockets,
    sessions,
    census,
    errors,
    open: (player, session, isThere) =>
      openFakeSocket(
        sockets,
        makeToken({ scope: session === undefined ? 'lobby' : 'session', player, session }),
        isThere,
      ),
    watch: (session) =>
      openFakeSocket(sockets, makeToken({ scope: 'watch', player: null, session })),
  };
}
