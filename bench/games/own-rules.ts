/**
 * The cost of an operator's game compared with a shipped one: two servers of this checkout, one
 * of which plays tic-tac-toe from a folder of games (`bench/games/own`). Blocks of matches in turn,
 * server CPU per move, as ratios. `bun bench/games/own-rules.ts [rounds] [matchd.v1 or 2]`
 */

import { join } from 'node:path';
import { makeMatchdAdapter, type Version } from '../adapters/matchd.ts';
import { openScripted } from '../driving/match.ts';
import { costOf, runMany } from '../driving/measure.ts';
import { pinnedCores } from '../machine.ts';
import { startMatchd } from '../matchd-server.ts';
import { makeProcesses } from '../processes.ts';
import { makeNumber, makeTable, median } from '../report.ts';

const rounds = Number(process.argv[2] ?? 9);
const version = Number(process.argv[3] ?? 2) as Version;

const OWN = join(import.meta.dir, 'own');
const MATCHES = 100;
const OPENING_MAX = 32;
const BLOCKS_A_ROUND = 5;
const WARM_UP_BLOCKS = 25;
const SETTLE_MS = 20;

const processes = makeProcesses(pinnedCores());

/** One server, its game, and how a block of matches on it goes. */
async function open(game: string) {
  const server = await startMatchd(processes, undefined, { env: { MATCHD_GAMES: OWN } });
  const traffic = { bytes: 0, frames: 0 };
  const { address, key } = server;
  const adapter = makeMatchdAdapter({ address, key, traffic } as never, version, {}, game);
  let index = 0;
  return {
    game,
    /** Server CPU of the moves, in microseconds, and how many there were. */
    async block(): Promise<{ readonly cpuUs: number; readonly moves: number }> {
      const opened = await runMany(MATCHES, OPENING_MAX, () => openScripted(adapter, index++));
      await Bun.sleep(SETTLE_MS);
      let moves = 0;
      const { cpuUs } = await costOf(server.pid, async () => {
        const played = await Promise.all(opened.map((match) => match.play([])));
        moves = played.reduce((sum, each) => sum + each, 0);
      });
      await Promise.all(opened.map((match) => match.leave()));
      return { cpuUs, moves };
    },
    async stop(): Promise<void> {
      adapter.close();
      await server.stop();
    },
  };
}

const sides = [await open('tictactoe'), await open('noughts')] as const;
for (let i = 0; i < WARM_UP_BLOCKS; i++) for (const side of sides) await side.block();

const costs = sides.map((): number[] => []);
for (let round = 0; round < rounds; round++) {
  const sums = sides.map(() => ({ cpuUs: 0, moves: 0 }));
  for (let i = 0; i < BLOCKS_A_ROUND; i++) {
    const order = (round + i) % 2 === 0 ? [0, 1] : [1, 0];
    for (const at of order) {
      const { cpuUs, moves } = await sides[at]!.block();
      sums[at]!.cpuUs += cpuUs;
      sums[at]!.moves += moves;
    }
  }
  for (const [at, { cpuUs, moves }] of sums.entries()) costs[at]!.push(cpuUs / moves);
}
for (const side of sides) await side.stop();

const ratios = costs[1]!.map((cost, round) => cost / costs[0]![round]!);
console.log(
  makeTable(
    [
      { title: 'Game', align: 'left' },
      { title: 'µs of server CPU a move', align: 'right' },
    ],
    sides.map(({ game }, at) => [game, makeNumber(median(costs[at]!))]),
  ),
);
const [low, high] = [Math.min(...ratios), Math.max(...ratios)];
console.log(
  `own ÷ shipped: ${makeNumber(median(ratios))} (${makeNumber(low)}–${makeNumber(high)})`,
);
process.exit(0);
