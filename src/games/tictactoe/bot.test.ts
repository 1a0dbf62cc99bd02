/** The bot of tic-tac-toe against everything that can be played. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { BotLevel } from '../bot.ts';
import type { Seat } from '../game.ts';
import { isRefusal } from '../game.ts';
import { makeRandom } from '../random.ts';
import { tictactoeBot } from './bot.ts';
import { type TictactoeState, tictactoe } from './tictactoe.ts';

const random = makeRandom(`${TEST_SEED}`, () => 'tictactoe bot', 0);

function after(state: TictactoeState, seat: Seat, position: number): TictactoeState {
  const applied = tictactoe.apply(state, seat, { position }, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

/** Plays every reply there is against a bot on `seat`; counts how the games come out. */
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
  `[G-TTT] %s loses to no reply at all, on either seat (seed ${TEST_SEED})`,
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
