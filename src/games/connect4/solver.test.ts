/** The solver of connect four against published positions and against a plain search. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRefusal } from '../../../game/src/game.ts';
import { makeRandom, type Random } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makePosition } from './bits.ts';
import { connect4Bot } from './bot.ts';
import { type Connect4State, connect4 } from './connect4.ts';
import { makeSolver } from './solver.ts';

/** The machine may be busy. */
setDefaultTimeout(60_000);

const random = makeRandom(`${TEST_SEED}`, () => 'connect4 solver', 0);

function after(state: Connect4State, column: number): Connect4State {
  const applied = connect4.apply(state, connect4.turn(state)!, { column }, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** Columns as digits from 1, as in the published sets. */
function stateOf(moves: string): Connect4State {
  let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
  for (const digit of moves) state = after(state, Number(digit) - 1);
  return state;
}

function scoreOf(state: Connect4State): number {
  const solver = makeSolver();
  solver.allow(Number.MAX_SAFE_INTEGER);
  return solver.solve(makePosition(state))!;
}

/** Published positions from the design's data, which users of the project do not have. */
const DATA = join(import.meta.dirname, '../../../../shared/data/connect4');
const SETS = [
  ['Test_L3_R1', 500],
  ['Test_L2_R1', 500],
  ['Test_L1_R1', 100],
  ['Test_L2_R2', 40],
] as const;

describe.skipIf(!existsSync(DATA))('published positions (skipped where the data is not)', () => {
  test.each(SETS)('[G-C4] %s', (name, count) => {
    const lines = readFileSync(join(DATA, `${name}.txt`), 'utf8')
      .trim()
      .split('\n');
    for (const line of lines.slice(0, count)) {
      const [moves = '', score] = line.split(' ');
      expect([moves, scoreOf(stateOf(moves))]).toEqual([moves, Number(score)]);
    }
  });
});

/** Every line to its end: no table, no bits, no ordering. */
function plainScore(state: Connect4State): number {
  const outcome = connect4.outcome(state);
  if (outcome !== null) return outcome.winners.length === 0 ? 0 : -((44 - state.plies) >> 1);
  const moves = connect4.legalActions(state)!;
  return Math.max(...moves.map(({ column }) => 0 - plainScore(after(state, column))));
}

/** A position with that many stones in which nobody has won. */
function randomState(plies: number, chance: Random): Connect4State {
  for (;;) {
    let state = stateOf('');
    while (state.plies < plies && connect4.turn(state) !== null) {
      const legal = connect4.legalActions(state)!;
      state = after(state, legal[chance.integer(legal.length)]!.column);
    }
    if (connect4.turn(state) !== null) return state;
  }
}

test(`[G-C4] agrees with a plain search (seed ${TEST_SEED})`, () => {
  for (let n = 0; n < 60; n += 1) {
    const state = randomState(34, random);
    expect([state.board, scoreOf(state)]).toEqual([state.board, plainScore(state)]);
  }
});

test('[G-C4] reports when its nodes run out, and can continue', () => {
  const solver = makeSolver();
  const position = makePosition(stateOf('44'));
  solver.allow(1_000);
  expect(solver.solve(position)).toBeNull();
  expect(solver.nodes()).toBe(1_001);
  solver.allow(1_000_000);
  expect(solver.solve(makePosition(randomState(30, random)))).not.toBeNull();
});

test(`[G-C4] perfect keeps the exact score of what it can solve (seed ${TEST_SEED})`, () => {
  const mind = connect4Bot.makeMind();
  for (let n = 0; n < 40; n += 1) {
    let state = randomState(20, random);
    const score = scoreOf(state);
    const question = {
      state,
      seat: state.plies % 2,
      level: 'perfect',
      nodesMax: 5_000_000,
    } as const;
    state = after(state, mind.choose(question, random).column);
    const left = connect4.turn(state) === null ? plainScore(state) : scoreOf(state);
    expect([n, 0 - left]).toEqual([n, score]);
  }
});

test('[G-C4] without any nodes it still plays', () => {
  for (const level of ['hard', 'perfect'] as const) {
    const question = { state: stateOf('4444'), seat: 0, level, nodesMax: 1 };
    expect(connect4.legalActions(question.state)).toContainEqual(
      connect4Bot.makeMind().choose(question, random),
    );
  }
});
