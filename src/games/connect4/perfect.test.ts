/** `perfect` loses no worth that it can solve; see perfect.slow.ts for more. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { NODES_MAX } from '../../../game/src/bot.ts';
import { isRefusal } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makePosition } from './bits.ts';
import { connect4Bot } from './bot.ts';
import { type Connect4State, connect4 } from './connect4.ts';
import { readOpenings } from './opening-signs.ts';
import { findOpening } from './opening-worth.ts';
import { gaveUp, makeJudge, playTrial } from './perfect.test-kit.ts';

/** The machine may be busy. */
setDefaultTimeout(60_000);

const random = makeRandom(`${TEST_SEED}`, () => 'connect4 perfect', 0);

function play(state: Connect4State, column: number): Connect4State {
  const applied = connect4.apply(state, state.plies % 2, { column }, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

test(`[G-C4] perfect keeps a win or a draw against random moves (seed ${TEST_SEED})`, () => {
  const trial = { games: 20, randomPlies: 16, opponent: 'random' } as const;
  const games = playTrial(trial, random, makeJudge());
  expect(games.flatMap(({ worths }) => worths).length).toBeGreaterThan(20);
  expect(games.filter(gaveUp)).toEqual([]);
});

test(`[G-C4] from the first move on perfect wins as red against any moves (seed ${TEST_SEED})`, () => {
  for (const opponent of ['random', 'easy', 'hard', 'perfect'] as const) {
    const games = playTrial({ games: 2, randomPlies: 0, opponent }, random, () => -1);
    expect([opponent, games[0]!.moves, games[0]!.worths.at(-1)]).toEqual([
      opponent,
      games[0]!.moves,
      1,
    ]);
  }
});

/** The fewest own stones to a four, up to `stones`, by the game's own rules; otherwise Infinity. */
function stonesToWin(state: Connect4State, stones: number): number {
  const after = legalColumns(state).map((column) => play(state, column));
  if (after.some(isWon)) return 1;
  if (stones === 1) return Infinity;
  return 1 + Math.min(Infinity, ...after.map((each) => stonesAfter(each, stones - 1)));
}

/** The same for the player who has just moved: the longest resistance of the opponent. */
function stonesAfter(state: Connect4State, stones: number): number {
  const replies = legalColumns(state).map((column) => play(state, column));
  if (replies.length === 0 || replies.some(isWon)) return Infinity;
  return Math.max(...replies.map((each) => stonesToWin(each, stones)));
}

function legalColumns(state: Connect4State): number[] {
  return (connect4.legalActions(state) ?? []).map(({ column }) => column);
}

function isWon(state: Connect4State): boolean {
  return (connect4.outcome(state)?.winners.length ?? 0) > 0;
}

test('[G-C4] perfect takes a win in two before it uses its book', () => {
  let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
  for (const column of '4264') state = play(state, Number(column) - 1);
  const question = { state, seat: 0, level: 'perfect', nodesMax: 10_000 } as const;
  expect(connect4Bot.makeMind().choose(question, random)).toEqual({ column: 4 });
});

test(`[G-C4] against random moves perfect misses no win in one or two (seed ${TEST_SEED})`, () => {
  const mind = connect4Bot.makeMind();
  let chances = 0;
  for (let game = 0; game < 200; game += 1) {
    const seat = game % 2;
    let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
    while (connect4.turn(state) !== null) {
      if (state.plies % 2 !== seat) {
        const open = legalColumns(state);
        state = play(state, open[random.integer(open.length)]!);
        continue;
      }
      const least = stonesToWin(state, 2);
      const question = { state, seat, level: 'perfect', nodesMax: NODES_MAX.perfect } as const;
      const after = play(state, mind.choose(question, random).column);
      if (least === 2) chances += 1;
      if (least === 1) expect([state.board, isWon(after)]).toEqual([state.board, true]);
      if (least === 2) expect([state.board, stonesAfter(after, 1)]).toEqual([state.board, 1]);
      state = after;
    }
  }
  expect(chances).toBeGreaterThan(30);
});

test('[G-C4] with few stones perfect plays by the table, however they got there', () => {
  const mind = connect4Bot.makeMind();
  const openings = readOpenings();
  for (let plies = 0; plies < 4; plies += 1) {
    let state = connect4.initial({ variant: 'standard', seats: 2, options: {} });
    while (state.plies < plies) state = play(state, random.integer(7));
    const question = { state, seat: plies % 2, level: 'perfect', nodesMax: 10_000 } as const;
    const after = play(state, mind.choose(question, random).column);
    const [before, left] = [state, after].map((each) => findOpening(openings, makePosition(each)));
    if (before == null || left == null) continue;
    expect([state.board, 0 - left.worth]).toEqual([state.board, before.worth]);
  }
});

test('[G-C4] lost worth is detected', () => {
  expect(gaveUp({ moves: '', worths: [1, 1, 0] })).toBe(true);
  expect(gaveUp({ moves: '', worths: [0, -1, 1] })).toBe(true);
  expect(gaveUp({ moves: '', worths: [-1, 0, 0, 1] })).toBe(false);
});
