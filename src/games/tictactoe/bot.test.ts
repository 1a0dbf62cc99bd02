/** The bot of tic-tac-toe against all possible play. */

import { expect, test } from 'bun:test';
import type { BotLevel } from '../../../game/src/bot.ts';
import type { Seat } from '../../../game/src/game.ts';
import { isRefusal } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { tictactoeBot } from './bot.ts';
import { type TictactoeState, tictactoe } from './tictactoe.ts';

const random = makeRandom(`${TEST_SEED}`, () => 'tictactoe bot', 0);

function after(state: TictactoeState, seat: Seat, position: number): TictactoeState {
  const applied = tictactoe.apply(state, seat, { position }, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** Plays every possible reply against a bot on `seat`; counts the results. */
function playAll(level: BotLevel, seat: Seat): { won: number; drawn: number; lost: number } {
  const mind = tictactoeBot.makeMind();
  const counts = { won: 0, drawn: 0, lost: 0 };
  const go = (state: TictactoeState): void => {
    const outcome = tictactoe.outcome(state);
    if (outcome !== null) {
      if (outcome.winners.length === 0) counts.drawn += 1;
      else if (outcome.winners[0] === seat) counts.won += 1;
      else counts.lost += 1;
      return;
    }
    const turn = tictactoe.turn(state)!;
    if (turn === seat) {
      const { position } = mind.choose({ state, seat, level, nodesMax: 1 }, random);
      go(after(state, seat, position));
    } else {
      for (const { position } of tictactoe.legalActions(state)!) go(after(state, turn, position));
    }
  };
  go(tictactoe.initial({ variant: 'standard', seats: 2, options: {} }));
  return counts;
}

test.each(['hard', 'perfect'] as const)(
  `[G-TTT] %s loses to no reply, on either seat (seed ${TEST_SEED})`,
  (level) => {
    for (const seat of [0, 1]) {
      const { won, lost } = playAll(level, seat);
      expect(lost).toBe(0);
      expect(won).toBeGreaterThan(0);
    }
  },
);

test('[G-TTT] easy can be beaten', () => {
  expect(playAll('easy', 1).lost).toBeGreaterThan(0);
});

/** Every unfinished position, by its board. */
function openPositions(): Map<string, TictactoeState> {
  const positions = new Map<string, TictactoeState>();
  const collect = (state: TictactoeState): void => {
    if (positions.has(state.board) || tictactoe.outcome(state) !== null) return;
    positions.set(state.board, state);
    const seat = tictactoe.turn(state)!;
    for (const { position } of tictactoe.legalActions(state)!)
      collect(after(state, seat, position));
  };
  collect(tictactoe.initial({ variant: 'standard', seats: 2, options: {} }));
  return positions;
}

/** A position's worth for the seat to move: the cells left at the end and one for a win. */
function plainWorth(state: TictactoeState, known: Map<string, number>): number {
  const found = known.get(state.board);
  if (found !== undefined) return found;
  const outcome = tictactoe.outcome(state);
  const left = state.board.split('.').length;
  const seat = tictactoe.turn(state);
  const worth =
    seat === null
      ? -Math.sign(outcome!.winners.length) * left
      : Math.max(
          ...tictactoe
            .legalActions(state)!
            .map(({ position }) => 0 - plainWorth(after(state, seat, position), known)),
        );
  known.set(state.board, worth);
  return worth;
}

test(`[G-TTT] one mind with all 4,520 positions wins soonest, loses latest (seed ${TEST_SEED})`, () => {
  const mind = tictactoeBot.makeMind();
  const positions = openPositions();
  const known = new Map<string, number>();
  for (const state of positions.values()) {
    const seat = tictactoe.turn(state)!;
    const { position } = mind.choose({ state, seat, level: 'hard', nodesMax: 1 }, random);
    const left = 0 - plainWorth(after(state, seat, position), known);
    expect([state.board, left]).toEqual([state.board, plainWorth(state, known)]);
  }
  expect(positions.size).toBe(4_520);
});

test('[G-TTT] hard remembers its results: its second answer to a first mark takes under 10 ms', () => {
  const mind = tictactoeBot.makeMind();
  const state = after(tictactoe.initial({ variant: 'standard', seats: 2, options: {} }), 0, 1);
  const times = Array.from({ length: 6 }, () => {
    const began = performance.now();
    mind.choose({ state, seat: 1, level: 'hard', nodesMax: 1 }, random);
    return performance.now() - began;
  });
  // The minimum of five: the machine may be busy. Without a memory it took 40 ms and more.
  expect(Math.min(...times.slice(1))).toBeLessThan(10);
});
