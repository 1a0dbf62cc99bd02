/**
 * How long matches pause when a node is told to stop: `bun bench/cluster/drain.ts [matches]
 * [rounds]`. Three nodes, one PostgreSQL, one NATS; players are the SDK's own clients, who respond
 * quickly. Every other match has both players on the stopping node, the rest one of them. Each
 * round has a control without a stop. All runs on this one machine.
 */

import type { ServerProcess } from '../../e2e/parts/server-process.ts';
import { type Client, CommandError, connect } from '../../sdk/src/client/index.ts';
import { createMatchd } from '../../sdk/src/server/index.ts';
import { quantile } from '../driving/measure.ts';
import { makeNumber, makeTable } from '../report.ts';
import { withServers } from './nodes.ts';

const NODES = 3;
const THINK_MS = 40;
const BEFORE_MS = 1_500;
/** Gaps that begin within this time of the stop are examined. */
const LOOKED_AT_MS = 2_500;
/**
 * Late work of a starting node, such as compiling, must not count towards the other node's stop.
 */
const SETTLE_MS = 4_000;
const CASES = ['nothing', 'SIGTERM'] as const;
type Case = (typeof CASES)[number];

/** A running match, and when its moves were acknowledged. */
interface Match {
  readonly isAllHere: boolean;
  readonly ackedAt: number[];
  readonly close: () => void;
}

/**
 * A socket as a load balancer would place it: at first where its match begins, then at any ready
 * node.
 */
function makeSocketClass(first: ServerProcess) {
  let count = 0;
  return class extends WebSocket {
    constructor(_: string, protocols: string[]) {
      const isFirst = count === 0 && nodes.includes(first);
      const node = isFirst ? first : nodes[placed % nodes.length]!;
      placed += isFirst ? 0 : 1;
      count += 1;
      super(`${node.url.replace('http', 'ws')}/v1/socket`, protocols);
    }
  };
}

const [matches = '40', rounds = '5'] = process.argv.slice(2);
/** Those that are ready. */
const nodes: ServerProcess[] = [];
/** Sockets that were placed again. */
let placed = 0;

async function openMatch(owner: ServerProcess, index: number): Promise<Match> {
  const { url, testKey: key } = owner;
  const other = nodes.find((node) => node !== owner)!;
  const ids = [`a${index}`, `b${index}`];
  const players = ids.map((id) => ({ id }));
  const made = await createMatchd({ url, key }).sessions.create({ game: 'checkers', players });
  const isAllHere = index % 2 === 0;
  const ackedAt: number[] = [];
  const clients: Client[] = [];
  for (const [place, id] of ids.entries()) {
    const at = place === 0 || isAllHere ? owner : other;
    const socket = makeSocketClass(at);
    const client = connect({ url, token: made.tokens[id]!, WebSocket: socket });
    clients.push(client);
    const session = await client.firstSession<'checkers'>();
    let askedAt = -1;
    const look = (): void => {
      const { view } = session;
      if (view === null || view.status !== 'active' || view.turn !== view.seat) return;
      const { legal, v } = view;
      if (legal === null || v === askedAt || session.sending.length > 0) return;
      askedAt = v;
      setTimeout(() => {
        const action = legal[Math.floor(Math.random() * legal.length)];
        session.act(action as never).then(
          () => ackedAt.push(performance.now()),
          // Closed at the end of a round, with a move in progress.
          (error: unknown) => error instanceof CommandError || Promise.reject(error),
        );
      }, THINK_MS);
    };
    session.on(look);
    look();
  }
  const close = (): void => {
    for (const client of clients) client.close();
  };
  return { isAllHere, ackedAt, close };
}

/** The longest time between two acknowledged moves around `at`. Ms. */
function longestGap({ ackedAt }: Match, at: number): number | null {
  const all = ackedAt.toSorted((a, b) => a - b);
  const gaps = all.slice(1).map((time, i) => ({ from: all[i]!, ms: time - all[i]! }));
  const seen = gaps.filter(({ from, ms }) => from + ms > at && from < at + LOOKED_AT_MS);
  return seen.length === 0 ? null : Math.max(...seen.map(({ ms }) => ms));
}

/** The longest gaps, by whether both players were on the node. */
async function measure(which: Case, count: number): Promise<readonly (readonly number[])[]> {
  const owner = nodes[0]!;
  const all = await Promise.all(Array.from({ length: count }, (_, i) => openMatch(owner, i)));
  await Bun.sleep(BEFORE_MS);
  const at = performance.now();
  if (which === 'SIGTERM') {
    nodes.splice(nodes.indexOf(owner), 1);
    await owner.stop();
  }
  await Bun.sleep(at + LOOKED_AT_MS + BEFORE_MS - performance.now());
  for (const match of all) match.close();
  return [true, false].map((isAllHere) =>
    all.flatMap((each) => (each.isAllHere === isAllHere ? (longestGap(each, at) ?? []) : [])),
  );
}

const gaps = new Map<string, number[]>();
await withServers(async ({ makeEnv, startNode }) => {
  const env = await makeEnv();
  // Every node has played before anything counts.
  for (let i = 0; i < NODES; i++) nodes.push(await startNode(env));
  for (let i = 0; i < NODES; i++) {
    await measure('nothing', Number(matches));
    nodes.push(nodes.shift()!);
  }
  for (let round = 1; round <= Number(rounds); round++) {
    for (const which of CASES) {
      const [here = [], both = []] = await measure(which, Number(matches));
      for (const [where, some] of [
        ['both players there', here],
        ['one there', both],
      ] as const) {
        const name = `${which}, ${where}`;
        gaps.set(name, [...(gaps.get(name) ?? []), ...some]);
      }
      console.error(
        `round ${round}, ${which}: ${makeNumber(quantile([...here, ...both], 0.5))} ms`,
      );
    }
    nodes.push(await startNode(env));
    await Bun.sleep(SETTLE_MS);
  }
});
const rows = [...gaps].map(([name, some]) => {
  const shown = [0.5, 0.9, 0.99, 1].map((share) => makeNumber(quantile(some, share)));
  return [name, String(some.length), ...shown];
});
const titles = ['matches', 'p50', 'p90', 'p99', 'longest'];
console.log('Longest time between two acknowledged moves of a match, ms\n');
console.log(
  makeTable(
    [{ title: '', align: 'left' }, ...titles.map((title) => ({ title, align: 'right' as const }))],
    rows,
  ),
);
process.exit(0);
