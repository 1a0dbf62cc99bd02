/** Ludo's bot: its moves in clear cases, its budget, and its levels. */

import { describe, expect, test } from 'bun:test';
import type { BotLevel } from '../../../game/src/bot.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { DONE, HOME } from './board.ts';
import { ludoBot } from './bot.ts';
import { playDuel } from './duel.test-kit.ts';
import { makeForesight } from './foresight.ts';
import { play, put } from './ludo.test-kit.ts';
import { makeCells, makeRace } from './race.ts';
import type { LudoState } from './state.ts';

const random = makeRandom(`${TEST_SEED}`, () => 'ludo bot', 0);

function choose(state: LudoState, level: BotLevel = 'hard', nodesMax = 60_000): unknown {
  return ludoBot.makeMind().choose({ state, seat: state.seat, level, nodesMax }, random);
}

describe('choices', () => {
  test('[G-BOT] ludo: it rolls when it must roll', () => {
    for (const level of ['easy', 'medium', 'hard', 'perfect'] as const) {
      expect(choose(put([[], []]), level)).toEqual({ roll: true });
    }
  });

  test.each([1, 100, 3_000, 60_000])(
    '[G-BOT] ludo: hard wins when it can, with %d positions',
    (nodes) => {
      const state = play(
        put(
          [
            [30, DONE, DONE, HOME + 3],
            [50, DONE, DONE, DONE],
          ],
          { variant: 'quick' },
        ),
        2,
      );
      expect(choose(state, 'hard', nodes)).toEqual({ token: 3 });
    },
  );

  test('[G-BOT] ludo: hard captures a token that is nearly home, and saves one in danger', () => {
    // Seat 1's token on square 20 has walked 46 squares.
    expect(
      choose(
        play(
          put([
            [17, 30],
            [46, 5, DONE, DONE],
          ]),
          3,
        ),
      ),
    ).toEqual({ token: 0 });
    // Seat 1 is right behind square 45; a two takes the token there to safety on 47.
    expect(
      choose(
        play(
          put([
            [45, 4],
            [18, 18, 17, 16],
          ]),
          2,
        ),
      ),
    ).toEqual({ token: 0 });
  });

  test('[G-BOT] ludo: perfect plays as hard does', () => {
    const state = play(
      put([
        [17, 30],
        [46, 5],
      ]),
      3,
    );
    expect(choose(state, 'perfect')).toEqual(choose(state, 'hard'));
  });
});

test('[G-BOT] ludo: a choice examines no more positions than its budget', () => {
  const state = play(
    put([
      [3, 10, 17, 30],
      [46, 5, 20, 31],
      [2, 9, 44, 25],
      [0, 7, 19, 40],
    ]),
    4,
  );
  const race = makeRace(state);
  for (const nodesMax of [1, 4, 99, 104, 2_000, 2_508, 60_000]) {
    let judged = 0;
    const foresight = makeForesight(race, makeCells(state), 0, () => {
      judged += 1;
    });
    foresight.choose([0, 1, 2, 3], 4, 0, nodesMax);
    expect(judged).toBeLessThanOrEqual(nodesMax);
    // It does use the budget.
    if (nodesMax >= 2_508) expect(judged).toBeGreaterThan(500);
  }
});

/** On a busy machine. */
const TEST_MS_MAX = 30_000;

/** Few positions, so that many games are fast: with more `hard` is only stronger. */
const LADDER = [
  ['medium', 'easy', 2, 400],
  ['medium', 'easy', 4, 200],
  ['hard', 'medium', 2, 400],
  ['hard', 'medium', 4, 200],
] as const;

test.each(LADDER)(
  `[G-BOT] ludo: %s beats %s, %d seats, rotated, same dice (seed ${TEST_SEED})`,
  (stronger, weaker, seats, games) => {
    const levels = [stronger, weaker] as const;
    const variant = 'classic';
    const duel = { variant, seats, levels, games, nodesMax: 110, seed: TEST_SEED };
    expect(playDuel(duel).errors).toBeGreaterThan(4);
  },
  TEST_MS_MAX,
);
