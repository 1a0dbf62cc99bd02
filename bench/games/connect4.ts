/**
 * How long connect four takes to solve published positions, and `perfect` to answer. Printed only.
 *
 *   bun bench/games/connect4.ts [--data FOLDER] [--only SET|perfect]
 *   bun bench/games/connect4.ts --only elsewhere [--stones N] [--positions N]
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODES_MAX } from '../../game/src/bot.ts';
import { isRefusal } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import type { Position } from '../../src/games/connect4/bits.ts';
import { makePosition } from '../../src/games/connect4/bits.ts';
import { CELLS } from '../../src/games/connect4/board.ts';
import { connect4Bot } from '../../src/games/connect4/bot.ts';
import { type Connect4State, connect4 } from '../../src/games/connect4/connect4.ts';
import { drop, winsBy } from '../../src/games/connect4/moves.ts';
import { makeJudge, playTrial } from '../../src/games/connect4/perfect.test-kit.ts';
import { makeSolver } from '../../src/games/connect4/solver.ts';

/** The published sets are next to the project; `--data` sets another path. */
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
/** The opponents of `perfect` from the first move on, and the number of games. */
const OPPONENTS = [
  ['random', 300],
  ['medium', 60],
  ['hard', 60],
  ['perfect', 2],
] as const;
const STONES_PER_GROUP = 4;
/** Positions outside the book's lines have this many stones. */
const STONES_ELSEWHERE = [3, 4, 5, 6, 7, 8, 9, 10];
const POSITIONS_ELSEWHERE = 50;
const random = makeRandom('bench', () => 'connect4', 0);
const setup = { variant: 'standard', seats: 2, options: {} };

function readFlag(flag: string): string | null {
  const at = process.argv.indexOf(flag);
  return at === -1 ? null : (process.argv[at + 1] ?? null);
}

function after(state: Connect4State, column: number): Connect4State {
  const applied = connect4.apply(state, state.plies % 2, { column }, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

function positionOf(moves: string): Position {
  let state = connect4.initial(setup);
  for (const digit of moves) state = after(state, Number(digit) - 1);
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

interface Time {
  readonly plies: number;
  readonly ms: number;
}

/** Answers from the first move on, the bot on both seats in turn. */
function timePerfect(): void {
  const all: Time[] = [];
  for (const [opponent, games] of OPPONENTS) {
    const times: Time[] = [];
    const trial = { games, randomPlies: 0, opponent };
    playTrial(
      trial,
      random,
      () => -1,
      (ms, plies) => times.push({ ms, plies }),
    );
    printTimes(`perfect against ${opponent}, ${games} games`, times);
    all.push(...times);
  }
  for (let from = 0; from < CELLS; from += STONES_PER_GROUP) {
    const group = all.filter(({ plies }) => plies >= from && plies < from + STONES_PER_GROUP);
    if (group.length > 0) printTimes(`perfect from ${from} stones on`, group);
  }
  printTimes('perfect in all of these games', all);
}

/** One answer in each of some random positions, and how often it gave up what they were worth. */
function timeElsewhere(stones: number, positions: number): void {
  const judge = makeJudge();
  const mind = connect4Bot.makeMind();
  const times: Time[] = [];
  const processorTimes: Time[] = [];
  let worse = 0;
  for (let n = 0; n < positions; n += 1) {
    const state = randomState(stones);
    const question = {
      state,
      seat: stones % 2,
      level: 'perfect',
      nodesMax: NODES_MAX.perfect,
    } as const;
    const began = performance.now();
    const used = process.cpuUsage();
    const { column } = mind.choose(question, random);
    const { user, system } = process.cpuUsage(used);
    times.push({ plies: stones, ms: performance.now() - began });
    processorTimes.push({ plies: stones, ms: (user + system) / 1_000 });
    const position = makePosition(state);
    if (!winsBy(position, column) && judge(position) > 0 - judge(drop(position, column)))
      worse += 1;
  }
  printTimes(`perfect with ${stones} random stones: ${worse} of ${positions} worse`, times);
  printTimes('  by the processor', processorTimes);
}

/** A position with that many stones and no winner. */
function randomState(stones: number): Connect4State {
  for (;;) {
    let state = connect4.initial(setup);
    while (state.plies < stones && connect4.turn(state) !== null) {
      const legal = connect4.legalActions(state)!;
      const { column } = legal[random.integer(legal.length)]!;
      state = after(state, column);
    }
    if (connect4.turn(state) !== null) return state;
  }
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
if (ONLY === 'elsewhere') {
  const stones = readFlag('--stones');
  const positions = Number(readFlag('--positions') ?? POSITIONS_ELSEWHERE);
  for (const each of stones === null ? STONES_ELSEWHERE : [Number(stones)]) {
    timeElsewhere(each, positions);
  }
}
