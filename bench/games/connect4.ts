/** How long connect four takes to solve published positions, and `perfect` to answer. Printed only. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Position } from '../../src/games/connect4/bits.ts';
import { makePosition } from '../../src/games/connect4/bits.ts';
import { CELLS } from '../../src/games/connect4/board.ts';
import { connect4Bot } from '../../src/games/connect4/bot.ts';
import { connect4 } from '../../src/games/connect4/connect4.ts';
import { makeSolver } from '../../src/games/connect4/solver.ts';
import { isRefusal } from '../../src/games/game.ts';
import { makeRandom } from '../../src/games/random.ts';

/** The published sets lie beside the project; `--data FOLDER` names another place, `--only` a part. */
const DATA = readFlag('--data') ?? join(import.meta.dirname, '../../../shared/data/connect4');
const ONLY = readFlag('--only');
/** Sets and the size of the table: a short search is spared the emptying of a large one. */
const SETS = [
  ['L3_R1', 12],
  ['L2_R1', 16],
  ['L2_R2', 18],
  ['L1_R1', 17],
  ['L1_R2', 21],
] as const;
const GAMES = 300;
const NODES = 12_000_000;
const STONES_PER_GROUP = 4;
const random = makeRandom('bench', () => 'connect4', 0);
const setup = { variant: 'standard', seats: 2, options: {} };

function readFlag(flag: string): string | null {
  const at = process.argv.indexOf(flag);
  return at === -1 ? null : (process.argv[at + 1] ?? null);
}

function positionOf(moves: string): Position {
  let state = connect4.initial(setup);
  for (const digit of moves) {
    const applied = connect4.apply(state, state.plies % 2, { column: Number(digit) - 1 }, random);
    if (isRefusal(applied)) throw new Error(applied.error);
    state = applied.state;
  }
  return makePosition(state);
}

/** Each position with an empty table, as the published figures; emptying it is not timed. */
function timeSet(name: string, tableBits: number, isSaid = true): void {
  const file = join(DATA, `Test_${name}.txt`);
  if (!existsSync(file)) {
    console.log(`${name}: left out, there is no ${file}`);
    return;
  }
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const solver = makeSolver(tableBits);
  const sum = { ms: 0, nodes: 0, wrong: 0, nodesMost: 0 };
  for (const line of lines) {
    const [moves = '', score] = line.split(' ');
    const position = positionOf(moves);
    solver.forget();
    solver.allow(Infinity);
    const began = performance.now();
    const found = solver.solve(position);
    sum.ms += performance.now() - began;
    sum.nodes += solver.nodes();
    sum.nodesMost = Math.max(sum.nodesMost, solver.nodes());
    if (found !== Number(score)) sum.wrong += 1;
  }
  if (!isSaid) return;
  const us = ((sum.ms * 1_000) / lines.length).toFixed(1);
  const nodes = (sum.nodes / lines.length).toFixed(1);
  const speed = (sum.nodes / sum.ms / 1_000).toFixed(2);
  console.log(
    `${name}: ${us} µs, ${nodes} nodes (most ${sum.nodesMost}), ${speed} million a second, ` +
      `${sum.wrong} of ${lines.length} wrong`,
  );
}

/** Answers from the first move on, against random moves, the bot on both seats in turn. */
function timePerfect(): void {
  const mind = connect4Bot.makeMind();
  const times: { readonly plies: number; readonly ms: number }[] = [];
  for (let game = 0; game < GAMES; game += 1) {
    let state = connect4.initial(setup);
    for (let seat = connect4.turn(state); seat !== null; seat = connect4.turn(state)) {
      const legal = connect4.legalActions(state)!;
      let action = legal[random.integer(legal.length)]!;
      if (seat === game % 2) {
        const began = performance.now();
        action = mind.choose({ state, seat, level: 'perfect', nodesMax: NODES }, random);
        times.push({ plies: state.plies, ms: performance.now() - began });
      }
      const applied = connect4.apply(state, seat, action, random);
      if (isRefusal(applied)) throw new Error(applied.error);
      state = applied.state;
    }
  }
  for (let from = 0; from < CELLS; from += STONES_PER_GROUP) {
    const group = times.filter(({ plies }) => plies >= from && plies < from + STONES_PER_GROUP);
    if (group.length > 0) printTimes(`perfect from ${from} stones on`, group);
  }
  printTimes(`perfect in all of ${GAMES} games`, times);
}

function printTimes(name: string, times: readonly { readonly ms: number }[]): void {
  const sorted = times.map(({ ms }) => ms).sort((one, other) => one - other);
  const at = (part: number): string => sorted[Math.floor(part * (sorted.length - 1))]!.toFixed(2);
  console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} ms of ${sorted.length}`);
}

// The runtime compiles what runs often: once that is done, it is timed.
timeSet('L2_R1', 16, false);
timeSet('L2_R1', 16, false);
for (const [name, tableBits] of SETS) {
  if (ONLY === null || ONLY === name) timeSet(name, tableBits);
}
if (ONLY === null || ONLY === 'perfect') timePerfect();
