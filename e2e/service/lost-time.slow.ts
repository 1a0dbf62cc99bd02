/** Interruptions of the real service that last longer than a turn: the player to move can still move, and turns end. */

// @alone: it measures times, which parallel tests would stretch.

import { describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import {
  isPostgresHere,
  setReadOnly,
  signalPostgres,
  startPostgres,
} from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { type Line, openLine } from '../faults/line.ts';
import {
  freePort,
  type ServerOptions,
  type ServerProcess,
  startServer,
} from '../parts/server-process.ts';
import { makeTurnMatch, openSocket, type TurnMatch, until } from '../parts/turn-matches.ts';

const TURN_MS = 6_000;
/** Longer than a turn. */
const AWAY_MS = 8_000;
/** A move is sent this long after its turn began, when the turn would have expired. */
const DURING_MS = 4_000;
/** A turn without a move ends within one turn, ten seconds, and the interval of the checks. */
const END_MS_MAX = TURN_MS + 10_000 + 4_000;
/** Time for a takeover, a recovery of the database, and a client's reconnection. */
const BACK_MS_MAX = 15_000;
const TEST_MS_MAX = 120_000;

interface Frame {
  readonly t: string;
  readonly status?: string;
}

/** A service with matches, and a way to interrupt it. */
interface Place {
  /** Nodes that serve requests now. */
  urls(): readonly string[];
  readonly key: string;
  /** Resolves once it serves again. */
  interrupt(): Promise<void>;
  end(): Promise<void>;
}

/** Two players that act like any client: each reconnects when its socket closes, and repeats unacknowledged commands. */
function openPlayers(place: Place, { sessionId: s, tokens }: TurnMatch) {
  const frames: Frame[] = [];
  const sockets = new Set<WebSocket>();
  let [isOver, isMoving] = [false, false];
  const move = JSON.stringify({ t: 'act', s, id: 'm1', action: { position: 4 } });
  const has = (kind: string): boolean => frames.some(({ t }) => t === kind);
  let isSecondConnected = false;
  /** Connects to the node at that index of the list, and the next time to the next one. */
  const connect = (player: string, at: number): void => {
    isSecondConnected ||= player === 'b';
    const urls = place.urls();
    const socket = openSocket(urls[at % urls.length]!, tokens[player]!);
    sockets.add(socket);
    const sendMove = (): void => {
      if (socket.readyState === 1 && isMoving && !has('ack')) socket.send(move);
    };
    const again = player === 'a' ? setInterval(sendMove, 300) : undefined;
    socket.onmessage = ({ data }) => {
      frames.push(JSON.parse(String(data)) as Frame);
      // The node of the first player owns the match.
      if (!isSecondConnected && has('state')) connect('b', 1);
    };
    socket.onclose = () => {
      clearInterval(again);
      sockets.delete(socket);
      if (!isOver) setTimeout(() => connect(player, at + 1), 300);
    };
  };
  connect('a', 0);
  return {
    has,
    isActive: () => frames.some(({ status }) => status === 'active'),
    move() {
      isMoving = true;
    },
    close() {
      isOver = true;
      for (const socket of sockets) socket.close();
    },
  };
}

type Players = ReturnType<typeof openPlayers>;

async function awaitMove(players: Players): Promise<number> {
  const ms = await until(() => players.has('ack') || players.has('over'), BACK_MS_MAX);
  expect([players.has('ack'), players.has('over')]).toEqual([true, false]);
  return ms;
}

/** How long after the interruption the moves were acknowledged, and a turn without a move ended. Ms. */
interface Outcome {
  /** Sent during the interruption. */
  readonly earlyMs: number;
  /** Sent after the interruption. */
  readonly movedMs: number;
  readonly endedMs: number;
}

/** In one match a player moves during the interruption, in one after it; in the third no player moves. */
async function hold(place: Place): Promise<Outcome> {
  const tenant = { url: place.urls()[0]!, testKey: place.key };
  const options = { turnTimeoutMs: TURN_MS, disconnectGraceMs: 60_000 };
  const make = () => makeTurnMatch(tenant, ['a', 'b'], options);
  const matches = [await make(), await make(), await make()].map((made) =>
    openPlayers(place, made),
  );
  const [early, moving, idle] = matches as [Players, Players, Players];
  try {
    await until(() => matches.every((each) => each.isActive()), BACK_MS_MAX);
    await Bun.sleep(TURN_MS / 2);
    const sending = setTimeout(early.move, DURING_MS);
    await place.interrupt();
    clearTimeout(sending);
    const backAt = performance.now();
    early.move();
    const earlyMs = await awaitMove(early);
    await Bun.sleep(Math.max(0, 300 - earlyMs));
    moving.move();
    const movedMs = await awaitMove(moving);
    await until(() => idle.has('over'), END_MS_MAX + BACK_MS_MAX);
    return { earlyMs, movedMs, endedMs: performance.now() - backAt };
  } finally {
    for (const each of matches) each.close();
  }
}

type Interrupt = (
  server: ServerProcess,
  start: () => Promise<ServerProcess>,
  dataDir: string,
) => Promise<ServerProcess>;

/** One process on SQLite. */
async function openAlone(interrupt: Interrupt): Promise<Place> {
  const dataDir = makeTempFolder();
  const options: ServerOptions = { port: await freePort(), dataDir };
  let server = await startServer(options);
  return {
    urls: () => [server.url],
    key: server.testKey,
    async interrupt() {
      server = await interrupt(server, () => startServer(options), dataDir);
    },
    async end() {
      await server.kill();
      removeFolder(dataDir);
    },
  };
}

const ALONE: Readonly<Record<string, Interrupt>> = {
  async SIGSTOP(server) {
    server.pause();
    await Bun.sleep(AWAY_MS);
    server.resume();
    return server;
  },
  async 'kill -9'(server, start) {
    await server.kill();
    await Bun.sleep(AWAY_MS);
    return start();
  },
  async 'a restart'(server, start) {
    await server.stop();
    await Bun.sleep(AWAY_MS);
    return start();
  },
  // Each write waits for five seconds and is then rejected.
  async 'a database file locked by another process'(server, _, dataDir) {
    const other = new DatabaseSync(join(dataDir, 'matchd.db'));
    other.exec('PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE');
    await Bun.sleep(AWAY_MS);
    other.exec('ROLLBACK');
    other.close();
    return server;
  },
  ...(Bun.which('prlimit') && {
    async 'a file system that rejects writes'(server: ServerProcess) {
      limitFiles(server, '0');
      await Bun.sleep(AWAY_MS);
      limitFiles(server, 'unlimited');
      return server;
    },
  }),
};

/** The largest file that the process may write: with 0 it can only read. */
function limitFiles({ pid }: ServerProcess, bytes: string): void {
  execFileSync('prlimit', ['--pid', `${pid}`, `--fsize=${bytes}:unlimited`]);
}

type Cluster = Awaited<ReturnType<typeof openServers>>;

async function openServers(count: number) {
  const dataDir = makeTempFolder();
  const postgres = await startPostgres();
  const nats = count > 1 ? await startNats(1) : null;
  const database = await postgres.createDatabase();
  const servers: ServerProcess[] = [];
  /** The connections of each node to the database and to the bus. */
  const lines: { readonly database: Line; readonly bus: Line | null }[] = [];
  for (let n = 0; n < count; n++) {
    const bus = nats === null ? null : await openLine(nats.ports[0]!);
    const line = { database: await openLine(postgres.port), bus };
    const env = {
      MATCHD_STORE: database.replace(`:${postgres.port}/`, `:${line.database.port}/`),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
      ...(bus === null ? null : { MATCHD_BUS: `nats://127.0.0.1:${bus.port}` }),
    };
    lines.push(line);
    servers.push(await startServer({ port: await freePort(), dataDir, env }));
  }
  return {
    servers,
    postgres,
    lines,
    async end() {
      await Promise.all(servers.map((each) => each.kill()));
      for (const { database: line, bus } of lines) await Promise.all([line.close(), bus?.close()]);
      await nats?.stop();
      await postgres.stop();
      removeFolder(dataDir);
    },
  };
}

/** Cuts these connections of the first node, or blocks what arrives over them; then repairs them. */
async function cutOff(
  { lines }: Cluster,
  how: 'cut' | 'hold',
  kinds: readonly ('database' | 'bus')[],
): Promise<void> {
  const cut = kinds.map((kind) => lines[0]![kind]!);
  for (const line of cut) line[how]();
  await Bun.sleep(AWAY_MS);
  for (const line of cut) line.mend();
}

/** The number of nodes, and the fault of one of them or of their database. */
const SHARED: Readonly<Record<string, readonly [number, (cluster: Cluster) => Promise<void>]>> = {
  'a killed database': [
    1,
    async ({ postgres }) => {
      await postgres.kill();
      await Bun.sleep(AWAY_MS);
      await postgres.restart();
    },
  ],
  'a read-only database': [
    1,
    async ({ postgres }) => {
      await setReadOnly(postgres, true);
      await Bun.sleep(AWAY_MS);
      await setReadOnly(postgres, false);
    },
  ],
  'a paused database': [
    1,
    async ({ postgres }) => {
      signalPostgres(postgres, 'SIGSTOP');
      await Bun.sleep(AWAY_MS);
      signalPostgres(postgres, 'SIGCONT');
    },
  ],
  'a killed node': [2, async ({ servers }) => servers.shift()!.kill()],
  'a node that shuts down': [
    2,
    async ({ servers }) => {
      await servers.shift()!.stop();
    },
  ],
  'a node paused beyond its lease': [
    2,
    async ({ servers }) => {
      servers[0]!.pause();
      await Bun.sleep(AWAY_MS);
      servers[0]!.resume();
    },
  ],
  'a node disconnected from the database': [2, (cluster) => cutOff(cluster, 'cut', ['database'])],
  'a node whose connection to the database hangs': [
    2,
    (cluster) => cutOff(cluster, 'hold', ['database']),
  ],
  // Permanently: the other node takes the match over, and its players have to find it there.
  'a node disconnected from everything': [
    2,
    async ({ lines }) => {
      lines[0]!.database.cut();
      lines[0]!.bus!.cut();
    },
  ],
  'a node whose connections all hang': [
    2,
    async ({ lines }) => {
      lines[0]!.database.hold();
      lines[0]!.bus!.hold();
    },
  ],
  // It continues to serve its own matches, and the other node's through the database.
  'a node disconnected from the bus': [
    2,
    async ({ lines }) => {
      lines[0]!.bus!.cut();
    },
  ],
};

async function openShared(
  count: number,
  interrupt: (cluster: Cluster) => Promise<void>,
): Promise<Place> {
  const cluster = await openServers(count);
  const { testKey } = cluster.servers[0]!;
  return {
    urls: () => cluster.servers.map(({ url }) => url),
    key: testKey,
    interrupt: () => interrupt(cluster),
    end: cluster.end,
  };
}

async function run(what: string, place: Place): Promise<void> {
  try {
    const { earlyMs, movedMs, endedMs } = await hold(place);
    const [early, moved, ended] = [earlyMs, movedMs, endedMs].map(Math.round);
    console.log(`${what}: sent during it ${early} ms, after it ${moved} ms; ended ${ended} ms`);
    expect(endedMs).toBeLessThan(END_MS_MAX);
  } finally {
    await place.end();
  }
}

describe('[P6] an interruption longer than a turn', () => {
  test.concurrent.each(Object.entries(ALONE))(
    '[P6] %s, one process: the player to move can still move, and a turn without a move ends',
    async (what, interrupt) => run(what, await openAlone(interrupt)),
    TEST_MS_MAX,
  );

  const shared = isPostgresHere() && isNatsHere() ? test.concurrent : test.skip;
  shared.each(Object.entries(SHARED))(
    '[P6][N2][N3][N5] %s: the player to move can still move, and a turn without a move ends',
    async (what, [count, interrupt]) => run(what, await openShared(count, interrupt)),
    TEST_MS_MAX,
  );
});
