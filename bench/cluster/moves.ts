/**
 * Moves on several nodes of one PostgreSQL and one NATS: `bun bench/cluster/moves.ts [matches]
 * [rounds]`. One node and four are measured in turn; every match is made on any node, and each of its
 * players is connected to any. All runs on this one machine.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../e2e/server-process.ts';
import { startNats } from '../../src/testing/servers/nats.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import {
  createSession,
  keyHeaders,
  matchdFramesAwaited,
  openMatchdMatch,
  SOCKET_PATH,
  socketProtocols,
} from '../adapters/matchd.ts';
import { makeHttpClient } from '../driving/http-client.ts';
import type { Adapter, ScriptedMatch, Target } from '../driving/match.ts';
import { openScripted } from '../driving/match.ts';
import { quantile, runMany } from '../driving/measure.ts';
import { cpuNs } from '../kernel.ts';
import { makeNumber, makeSpread, makeTable } from '../report.ts';

const ROOT = join(import.meta.dir, '../..');
const NODE_COUNTS = [1, 4] as const;
/** For each node: what is compiled late costs much while it is. */
const WARM_UP_MATCHES = 1_500;
const PLAYS = 10;
/** For so long nothing is played, to see what nodes cost that do nothing. */
const IDLE_MS = 5_000;
const OPENING_MAX = 16;
const HTTP_CONNECTIONS = 8;
const PAUSE_MS = 200;
/** A tenant is known to every node within two seconds. */
const KNOWN_MS = 2_500;

interface Round {
  /** CPU of all nodes while nothing is played, ms a second. */
  readonly idleMs: number;
  readonly moves: number;
  readonly nodesUs: number;
  readonly postgresUs: number;
  readonly natsUs: number;
  readonly seconds: number;
  readonly latenciesMs: number[];
}

/** CPU of a process and all that it started, µs. */
function cpuOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const own = cpuNs(pid) / 1_000;
  if (children === '') return own;
  return children.split(' ').reduce((sum, child) => sum + cpuOfAll(Number(child)), own);
}

/** A key of a tenant whose plan does not slow the benchmark. */
async function makeKey(env: Record<string, string>): Promise<string> {
  const run = async <T>(...args: string[]): Promise<T> => {
    const command = ['src/cli/main.ts', ...args, '--json'];
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: ROOT,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      env: { ...process.env, ...env },
    });
    const text = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(command.join(' '));
    return JSON.parse(text) as T;
  };
  const plan = ['--name', 'bench', '--plan', 'enterprise'];
  const { id } = await run<{ id: string }>('tenants', 'create', ...plan);
  const which = ['--tenant', id, '--mode', 'test', '--name', 'bench'];
  return (await run<{ key: string }>('keys', 'create', ...which)).key;
}

/** Spreads what a match has to do over the nodes, as a balancer would that knows nothing. */
function makeAdapter(nodes: readonly ServerProcess[], key: string): Adapter {
  const traffic = { frames: 0, bytes: 0 };
  const targets = nodes.map(({ url }): Target => {
    const { hostname, port } = new URL(url);
    return { address: { host: hostname, port: Number(port) }, key, traffic };
  });
  const clients = targets.map(({ address }) =>
    makeHttpClient(address, HTTP_CONNECTIONS, keyHeaders(key)),
  );
  const any = (index: number): number => Math.floor(index) % nodes.length;
  return {
    async open(index, _plies, events) {
      // Of 4 nodes, over 64 matches: each node with each for both players.
      const owner = any(index);
      const places = [any(index / 4), any(index / 16)];
      const { sessionId, tokens } = await createSession(clients[owner]!, index, {});
      const doors = tokens.map((token, seat) => ({
        path: SOCKET_PATH,
        protocols: socketProtocols(token),
        target: targets[places[seat]!]!,
      }));
      return openMatchdMatch(targets[owner]!, index, sessionId, doors, events);
    },
    framesAwaited: matchdFramesAwaited,
    close() {
      for (const client of clients) client.close();
    },
  };
}

async function measure(count: number, matches: number): Promise<Round> {
  const folder = makeTempFolder();
  const postgres = await startPostgres();
  const nats = await startNats(1);
  const nodes: ServerProcess[] = [];
  const env = {
    MATCHD_STORE: await postgres.createDatabase(),
    MATCHD_BUS: nats.urls.join(),
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
  };
  try {
    for (let n = 0; n < count; n++) {
      nodes.push(await startServer({ port: await freePort(), dataDir: folder, env }));
    }
    const key = await makeKey(env);
    await Bun.sleep(KNOWN_MS);
    const adapter = makeAdapter(nodes, key);
    const cpu = () => ({
      nodesUs: nodes.reduce((sum, { pid }) => sum + cpuOfAll(pid), 0),
      postgresUs: postgres.pids().reduce((sum, pid) => sum + cpuNs(pid) / 1_000, 0),
      natsUs: nats.pids().reduce((sum, pid) => sum + cpuOfAll(pid), 0),
    });
    return await playAll(adapter, matches, count * WARM_UP_MATCHES, cpu);
  } finally {
    for (const node of nodes) await node.kill();
    await nats.stop();
    await postgres.stop();
    removeFolder(folder);
  }
}

type Cpu = () => Pick<Round, 'nodesUs' | 'postgresUs' | 'natsUs'>;

async function playAll(
  adapter: Adapter,
  matches: number,
  warmUpMatches: number,
  cpu: Cpu,
): Promise<Round> {
  let index = 0;
  const open = (n: number): Promise<ScriptedMatch[]> =>
    runMany(n, OPENING_MAX, () => openScripted(adapter, index++));
  const play = async (all: readonly ScriptedMatch[], latencies: number[]): Promise<number> => {
    const moves = await Promise.all(all.map((each) => each.play(latencies)));
    return moves.reduce((sum, each) => sum + each, 0);
  };
  const leave = (all: readonly ScriptedMatch[]) => Promise.all(all.map((each) => each.leave()));
  for (let played = 0; played < warmUpMatches; played += matches) {
    const all = await open(matches);
    await play(all, []);
    await leave(all);
  }
  await Bun.sleep(PAUSE_MS);
  const idle = cpu().nodesUs;
  await Bun.sleep(IDLE_MS);
  const idleMs = (cpu().nodesUs - idle) / IDLE_MS;
  const total = { moves: 0, nodesUs: 0, postgresUs: 0, natsUs: 0, seconds: 0 };
  const latenciesMs: number[] = [];
  for (let n = 0; n < PLAYS; n++) {
    const all = await open(matches);
    await Bun.sleep(PAUSE_MS);
    const before = cpu();
    const began = performance.now();
    total.moves += await play(all, latenciesMs);
    total.seconds += (performance.now() - began) / 1_000;
    const after = cpu();
    for (const part of ['nodesUs', 'postgresUs', 'natsUs'] as const) {
      total[part] += after[part] - before[part];
    }
    await leave(all);
  }
  adapter.close();
  return { ...total, idleMs, latenciesMs };
}

const [matches = '100', rounds = '3'] = process.argv.slice(2);
const byCount = new Map<number, Round[]>(NODE_COUNTS.map((count) => [count, []]));
for (let round = 1; round <= Number(rounds); round++) {
  for (const count of NODE_COUNTS) {
    console.error(`round ${round}, ${count} nodes`);
    byCount.get(count)!.push(await measure(count, Number(matches)));
  }
}
const RIGHT = [
  'idle, ms/s',
  'nodes, µs a move',
  'PostgreSQL',
  'NATS',
  'moves/s',
  'p50 ms',
  'p99 ms',
];
console.log(
  `${matches} matches at once, ${rounds} rounds in turn; CPU in µs a move, all processes\n`,
);
console.log(
  makeTable(
    [
      { title: 'nodes', align: 'left' },
      ...RIGHT.map((title) => ({ title, align: 'right' as const })),
    ],
    [...byCount].map(([count, all]) => [
      `${count}`,
      makeSpread(all.map(({ idleMs }) => idleMs)),
      makeSpread(all.map(({ nodesUs, moves }) => nodesUs / moves)),
      makeSpread(all.map(({ postgresUs, moves }) => postgresUs / moves)),
      makeSpread(all.map(({ natsUs, moves }) => natsUs / moves)),
      makeSpread(all.map(({ moves, seconds }) => moves / seconds)),
      makeNumber(
        quantile(
          all.flatMap(({ latenciesMs }) => latenciesMs),
          0.5,
        ),
      ),
      makeNumber(
        quantile(
          all.flatMap(({ latenciesMs }) => latenciesMs),
          0.99,
        ),
      ),
    ]),
  ),
);
process.exit(0);
