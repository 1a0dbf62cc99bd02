/**
 * Moves on several nodes of one PostgreSQL and one NATS: `bun bench/cluster/moves.ts [matches]
 * [rounds]`. One node with that many parallel matches and four are measured in turn, with as many
 * in all and with as many each; every match is created on any node, and each of its players
 * connects to any. The control is four independent nodes with their own databases: their extra cost
 * over one node is due to the shared machine.
 */

import { readFileSync } from 'node:fs';
import type { ServerProcess } from '../../e2e/parts/server-process.ts';
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
import { makeKey } from './key.ts';
import { KNOWN_MS, withServers } from './nodes.ts';

const CASES: readonly Case[] = [
  { name: '1 node', count: 1, areApart: false },
  { name: '4 nodes', count: 4, areApart: false },
  { name: '4 apart', count: 4, areApart: true },
];
/** For each node: late compilation would distort the figures. */
const WARM_UP_MATCHES = 1_500;
const TICKS_PER_S = 100;
const playOf = 10;
/** How long nothing is played, to measure idle nodes. */
const IDLE_MS = 5_000;
const OPENING_MAX = 16;
const HTTP_CONNECTIONS = 8;
const PAUSE_MS = 200;

interface Case {
  readonly name: string;
  readonly count: number;
  /** Each has its own database and its own matches. */
  readonly areApart: boolean;
}

interface Round {
  readonly name: string;
  readonly matches: number;
  /** CPU of all nodes while nothing is played, ms a second. */
  readonly idleMs: number;
  /** CPU of nodes and PostgreSQL until a match is created and both players are shown it, µs. */
  readonly openUs: number;
  readonly moves: number;
  readonly nodesUs: number;
  readonly postgresUs: number;
  readonly natsUs: number;
  readonly seconds: number;
  readonly latenciesMs: number[];
}

/** CPU of a process and all that it started, threads and processes that have ended among them, µs. */
function cpuOfAll(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  // utime, stime, cutime, cstime: see proc_pid_stat(5).
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const own = (ticks / TICKS_PER_S) * 1_000_000;
  if (children === '') return own;
  return children.split(' ').reduce((sum, child) => sum + cpuOfAll(Number(child)), own);
}

interface Node {
  readonly server: ServerProcess;
  readonly key: string;
}

/** Spreads the calls of a match over the nodes, like a load balancer without further knowledge. */
function makeAdapter(nodes: readonly Node[], areApart: boolean): Adapter {
  const traffic = { frames: 0, bytes: 0 };
  const targets = nodes.map(({ server, key }): Target => {
    const { hostname, port } = new URL(server.url);
    return { address: { host: hostname, port: Number(port) }, key, traffic };
  });
  const clients = targets.map(({ address, key }) =>
    makeHttpClient(address, HTTP_CONNECTIONS, keyHeaders(key)),
  );
  const any = (index: number): number => Math.floor(index) % nodes.length;
  return {
    async open(index, _plies, events) {
      // Of 4 nodes, over 64 matches: each node with each for both players.
      const owner = any(index);
      const places = areApart ? [owner, owner] : [any(index / 4), any(index / 16)];
      const { sessionId, tokens } = await createSession(clients[owner]!, index, {});
      const doors = tokens.map((token, seat) => ({
        path: SOCKET_PATH,
        protocols: socketProtocols(token),
        target: targets[places[seat]!]!,
      }));
      return openMatchdMatch(targets[owner]!, index, sessionId, doors, events);
    },
    framesAwaited: (isLast) => matchdFramesAwaited(isLast),
    close() {
      for (const client of clients) client.close();
    },
  };
}

async function measure({ name, count, areApart }: Case, matches: number): Promise<Round[]> {
  const rounds: Round[] = [];
  await withServers(async ({ postgres, nats, makeEnv, startNode }) => {
    const nodes: Node[] = [];
    const shared = await makeEnv();
    for (let n = 0; n < count; n++) {
      const env = areApart ? await makeEnv() : shared;
      const server = await startNode(env);
      const key = areApart || n === 0 ? await makeKey(env) : nodes[0]!.key;
      nodes.push({ server, key });
    }
    await Bun.sleep(KNOWN_MS);
    const adapter = makeAdapter(nodes, areApart);
    const cpu = () => ({
      nodesUs: nodes.reduce((sum, { server }) => sum + cpuOfAll(server.pid), 0),
      postgresUs: cpuOfAll(postgres.pids()[0]!),
      natsUs: nats.pids().reduce((sum, pid) => sum + cpuNs(pid) / 1_000, 0),
    });
    const player = makePlayer(adapter, cpu);
    await player.warmUp(matches, count * WARM_UP_MATCHES);
    for (const all of new Set([matches, count * matches])) {
      rounds.push({ name, matches: all, ...(await player.measure(all)) });
    }
    adapter.close();
  });
  return rounds;
}

type Cpu = () => Pick<Round, 'nodesUs' | 'postgresUs' | 'natsUs'>;

function makePlayer(adapter: Adapter, cpu: Cpu) {
  let index = 0;
  const open = (n: number): Promise<ScriptedMatch[]> =>
    runMany(n, OPENING_MAX, () => openScripted(adapter, index++));
  const play = async (all: readonly ScriptedMatch[], latencies: number[]): Promise<number> => {
    const moves = await Promise.all(all.map((each) => each.play(latencies)));
    return moves.reduce((sum, each) => sum + each, 0);
  };
  const leave = (all: readonly ScriptedMatch[]) => Promise.all(all.map((each) => each.leave()));
  return {
    async warmUp(matches: number, count: number): Promise<void> {
      for (let played = 0; played < count; played += matches) {
        const all = await open(matches);
        await play(all, []);
        await leave(all);
      }
    },
    async measure(matches: number): Promise<Omit<Round, 'name' | 'matches'>> {
      await Bun.sleep(PAUSE_MS);
      const idle = cpu().nodesUs;
      await Bun.sleep(IDLE_MS);
      const idleMs = (cpu().nodesUs - idle) / IDLE_MS;
      const total = { openUs: 0, moves: 0, nodesUs: 0, postgresUs: 0, natsUs: 0, seconds: 0 };
      const latenciesMs: number[] = [];
      for (let n = 0; n < playOf; n++) {
        const first = cpu();
        const all = await open(matches);
        await Bun.sleep(PAUSE_MS);
        const before = cpu();
        total.openUs += costOf(first, before) / matches / playOf;
        const began = performance.now();
        total.moves += await play(all, latenciesMs);
        total.seconds += (performance.now() - began) / 1_000;
        const after = cpu();
        for (const part of ['nodesUs', 'postgresUs', 'natsUs'] as const) {
          total[part] += after[part] - before[part];
        }
        await leave(all);
      }
      return { ...total, idleMs, latenciesMs };
    },
  };
}

function costOf(before: ReturnType<Cpu>, after: ReturnType<Cpu>): number {
  return after.nodesUs - before.nodesUs + after.postgresUs - before.postgresUs;
}

const [matches = '100', rounds = '3'] = process.argv.slice(2);
const byCase = new Map<string, Round[]>();
for (let round = 1; round <= Number(rounds); round++) {
  for (const which of CASES) {
    console.error(`round ${round}, ${which.name}`);
    for (const each of await measure(which, Number(matches))) {
      const name = `${each.name} with ${each.matches} matches`;
      byCase.set(name, [...(byCase.get(name) ?? []), each]);
    }
  }
}
const COLUMNS: Readonly<Record<string, (all: readonly Round[]) => string>> = {
  'idle, ms/s': (all) => makeSpread(all.map(({ idleMs }) => idleMs)),
  'opening, µs': (all) => makeSpread(all.map(({ openUs }) => openUs)),
  'nodes, µs a move': (all) => makeSpread(all.map(({ nodesUs, moves }) => nodesUs / moves)),
  PostgreSQL: (all) => makeSpread(all.map(({ postgresUs, moves }) => postgresUs / moves)),
  NATS: (all) => makeSpread(all.map(({ natsUs, moves }) => natsUs / moves)),
  'moves/s': (all) => makeSpread(all.map(({ moves, seconds }) => moves / seconds)),
  'p50 ms': (all) => makeNumber(quantile(latenciesOf(all), 0.5)),
  'p99 ms': (all) => makeNumber(quantile(latenciesOf(all), 0.99)),
};
const latenciesOf = (all: readonly Round[]): number[] =>
  all.flatMap(({ latenciesMs }) => latenciesMs);
console.log(`${rounds} rounds in turn; CPU in µs a move, all processes\n`);
console.log(
  makeTable(
    [
      { title: 'nodes', align: 'left' },
      ...Object.keys(COLUMNS).map((title) => ({ title, align: 'right' as const })),
    ],
    [...byCase].map(([name, all]) => [name, ...Object.values(COLUMNS).map((show) => show(all))]),
  ),
);
process.exit(0);
