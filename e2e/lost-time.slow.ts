/** Interruptions of the real service that last longer than a turn: whoever is on move still moves, and turns end. */

import { describe, expect, test } from 'bun:test';
import { isNatsHere, startNats } from '../src/testing/servers/nats.ts';
import { ask, isPostgresHere, startPostgres } from '../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../src/testing/temp-folder.ts';
import { call } from './matches.ts';
import { freePort, type ServerOptions, type ServerProcess, startServer } from './server-process.ts';

const TURN_MS = 6_000;
/** Longer than a turn. */
const AWAY_MS = 8_000;
/** A turn that is not played ends within one turn and ten seconds, and what a look each second takes. */
const END_MS_MAX = TURN_MS + 10_000 + 4_000;
/** A takeover, a recovery of the database, and a client that comes back. */
const BACK_MS_MAX = 15_000;
const TEST_MS_MAX = 120_000;

interface Frame {
  readonly t: string;
  readonly status?: string;
}

interface Made {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
}

/** A place with matches in it, and what interrupts its service. */
interface Place {
  /** Nodes that may be asked now. */
  urls(): readonly string[];
  readonly key: string;
  /** Ends once it serves again. */
  interrupt(): Promise<void>;
  end(): Promise<void>;
}

/** Two players like any client: each comes back when its socket closes, and repeats what was not acknowledged. */
function openPlayers(place: Place, { sessionId: s, tokens }: Made) {
  const frames: Frame[] = [];
  const sockets = new Set<WebSocket>();
  let [isOver, isMoving, n] = [false, false, 0];
  const move = JSON.stringify({ t: 'act', s, id: 'm1', action: { position: 4 } });
  const has = (kind: string): boolean => frames.some(({ t }) => t === kind);
  const connect = (player: string): void => {
    const urls = place.urls();
    const url = urls[n++ % urls.length]!.replace('http', 'ws');
    const socket = new WebSocket(`${url}/v1/socket`, ['matchd.v1', `token.${tokens[player]}`]);
    sockets.add(socket);
    const say = (): void => {
      if (socket.readyState === 1 && isMoving && !has('ack')) socket.send(move);
    };
    const again = player === 'a' ? setInterval(say, 300) : undefined;
    socket.onmessage = ({ data }) => void frames.push(JSON.parse(String(data)) as Frame);
    socket.onclose = () => {
      clearInterval(again);
      sockets.delete(socket);
      if (!isOver) setTimeout(() => connect(player), 300);
    };
  };
  connect('a');
  connect('b');
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

async function until(what: () => boolean, msMax: number): Promise<number> {
  const from = performance.now();
  while (!what() && performance.now() - from < msMax) await Bun.sleep(50);
  return performance.now() - from;
}

/** In one match a moves once the service is back; in the other nobody does. */
async function hold(place: Place): Promise<{ readonly movedMs: number; readonly endedMs: number }> {
  const tenant = { url: place.urls()[0]!, testKey: place.key };
  const make = async (): Promise<Made> =>
    (await call(tenant, 'POST', '/v1/sessions', {
      game: 'tictactoe',
      matchType: 'private',
      players: [{ id: 'a' }, { id: 'b' }],
      options: { turnTimeoutMs: TURN_MS, disconnectGraceMs: 60_000 },
    })) as Made;
  const [moving, idle] = [openPlayers(place, await make()), openPlayers(place, await make())];
  try {
    await until(() => moving.isActive() && idle.isActive(), BACK_MS_MAX);
    await Bun.sleep(TURN_MS / 2);
    await place.interrupt();
    const backAt = performance.now();
    await Bun.sleep(300);
    moving.move();
    const movedMs = await until(() => moving.has('ack') || moving.has('over'), BACK_MS_MAX);
    expect([moving.has('ack'), moving.has('over')]).toEqual([true, false]);
    await until(() => idle.has('over'), END_MS_MAX + BACK_MS_MAX);
    return { movedMs, endedMs: performance.now() - backAt };
  } finally {
    moving.close();
    idle.close();
  }
}

type Interrupt = (
  server: ServerProcess,
  start: () => Promise<ServerProcess>,
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
      server = await interrupt(server, () => startServer(options));
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
};

type Cluster = Awaited<ReturnType<typeof openServers>>;

async function openServers(count: number) {
  const dataDir = makeTempFolder();
  const postgres = await startPostgres();
  const nats = count > 1 ? await startNats(1) : null;
  const env = {
    MATCHD_STORE: await postgres.createDatabase(),
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    ...(nats === null ? null : { MATCHD_BUS: nats.urls.join(',') }),
  };
  const servers: ServerProcess[] = [];
  for (let n = 0; n < count; n++) {
    servers.push(await startServer({ port: await freePort(), dataDir, env }));
  }
  return {
    ...{ servers, postgres },
    async end() {
      await Promise.all(servers.map((each) => each.kill()));
      await nats?.stop();
      await postgres.stop();
      removeFolder(dataDir);
    },
  };
}

function signal({ postgres }: Cluster, name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of postgres.pids()) process.kill(pid, name);
}

async function setReadOnly({ postgres: { port } }: Cluster, is: boolean): Promise<void> {
  await ask(port, `ALTER SYSTEM SET default_transaction_read_only = ${is ? 'on' : 'off'}`);
  await ask(port, 'SELECT pg_reload_conf()');
}

/** How many nodes, and what happens to them or their database. */
const SHARED: Readonly<Record<string, readonly [number, (cluster: Cluster) => Promise<void>]>> = {
  'a database that is killed': [
    1,
    async ({ postgres }) => {
      await postgres.kill();
      await Bun.sleep(AWAY_MS);
      await postgres.restart();
    },
  ],
  'a database that takes no writes': [
    1,
    async (cluster) => {
      await setReadOnly(cluster, true);
      await Bun.sleep(AWAY_MS);
      await setReadOnly(cluster, false);
    },
  ],
  'a database that stands still': [
    1,
    async (cluster) => {
      signal(cluster, 'SIGSTOP');
      await Bun.sleep(AWAY_MS);
      signal(cluster, 'SIGCONT');
    },
  ],
  'a node that is killed': [2, async ({ servers }) => servers.shift()!.kill()],
  'a node that is told to stop': [
    2,
    async ({ servers }) => {
      await servers.shift()!.stop();
    },
  ],
  'a node that stands still beyond its lease': [
    2,
    async ({ servers }) => {
      servers[0]!.pause();
      await Bun.sleep(AWAY_MS);
      servers[0]!.resume();
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
    const { movedMs, endedMs } = await hold(place);
    console.log(
      `${what}: moved ${Math.round(movedMs)} ms, ended ${Math.round(endedMs)} ms after it`,
    );
    expect(endedMs).toBeLessThan(END_MS_MAX);
  } finally {
    await place.end();
  }
}

describe('[P6] an interruption longer than a turn', () => {
  test.each(Object.entries(ALONE))(
    '[P6] %s, of one process: the player on move still moves, and a turn that is not played ends',
    async (what, interrupt) => run(what, await openAlone(interrupt)),
    TEST_MS_MAX,
  );

  test.skipIf(!isPostgresHere() || !isNatsHere()).each(Object.entries(SHARED))(
    '[P6][N2][N3][N5] %s: the player on move still moves, and a turn that is not played ends',
    async (what, [count, interrupt]) => run(what, await openShared(count, interrupt)),
    TEST_MS_MAX,
  );
});
