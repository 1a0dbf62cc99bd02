/** The strength of the draughts bot, and that it claims no false wins. */

import { describe, expect, test } from 'bun:test';
import type { AnyBot } from '../../../../game/src/bot.ts';
import type { AnyGame } from '../../../../game/src/game.ts';
import type { Random } from '../../../../game/src/random.ts';
import { makeRandom } from '../../../../game/src/random.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import { playOff } from '../../play-off.ts';
import { checkersBot } from '../bot.ts';
import { after, atIn } from '../checkers.test-kit.ts';
import { checkers } from '../checkers.ts';
import { DIALECTS } from '../dialect.ts';
import { countFoundWins } from '../forced-wins.test-kit.ts';
import { writeMove } from '../notation.ts';
import { listMoves } from './moves.ts';
import { makeSearch } from './search.ts';
import type { DraughtsState } from './state.ts';
import { makeState } from './state.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

const VARIANTS = Object.keys(DRAUGHTS) as DraughtsVariant[];
const bot: AnyBot = checkersBot;
const gameOf = (variant: DraughtsVariant): AnyGame => ({ ...checkers, variants: [variant] });
const chance = (name: string): Random => makeRandom(`${TEST_SEED}`, () => `draughts ${name}`, 0);

/** Two or three pieces of each side anywhere but on the outer rows. */
function smallPosition(variant: DraughtsVariant, random: Random): DraughtsState {
  const { edge } = DIALECTS[variant];
  const squares = Array.from({ length: (edge * edge) / 2 }, () => '.');
  for (const letters of ['wW', 'wW', 'wW', 'bB', 'bB']) {
    const index = edge / 2 + random.integer(squares.length - edge);
    squares[index] = letters[random.integer(2)]!;
  }
  return makeState({ variant, squares: squares.join(''), turn: 0 });
}

describe('looking ahead', () => {
  test.each(VARIANTS)(
    `[G-CHK] in %s it finds every win in three plies, and claims no other (seed ${TEST_SEED})`,
    (variant) => {
      const wins = countFoundWins(
        {
          search: makeSearch(variant),
          listMoves,
          states: 120,
          plies: 3,
          makeState: (random: Random) => smallPosition(variant, random),
          limits: { plies: 5, nodesMax: 1_000_000, margin: 0 },
        },
        chance(`${variant} wins`),
      );
      expect(wins).toBeGreaterThan(10);
    },
    30_000,
  );

  test.each(VARIANTS)('[G-CHK] in %s it examines no more positions than allowed', (variant) => {
    const search = makeSearch(variant);
    const state = atIn(variant, DIALECTS[variant].start);
    for (const nodesMax of [1, 2, 10, 1_000]) {
      const limits = { plies: 64, nodesMax, margin: 0 };
      const legal = listMoves(state);
      expect(search.rank(state, legal, limits, chance('few'))).toHaveLength(legal.length);
      expect(search.nodes()).toBeLessThanOrEqual(nodesMax);
    }
  });

  test('[G-CHK] it treats a repeated position as a draw, and avoids it when it is ahead', () => {
    const start = atIn('russian', 'W:WKc1,h2,a1:BKb8,h4');
    const state = after(start, 'c1-d2', 'b8-a7', 'd2-c1', 'a7-b8', 'c1-d2', 'b8-a7');
    const legal = listMoves(state);
    const limits = { plies: 1, nodesMax: 1_000, margin: 10_000 };
    const ranked = makeSearch('russian').rank(state, legal, limits, chance('again'));
    const again = ranked.find(({ move }) => writeMove(DIALECTS.russian, move, legal) === 'd2-c1');
    expect(again?.value).toBe(0);
    expect(ranked[0]!.value).toBeGreaterThan(0);
  });

  test('[G-CHK] it knows that a limit draws with its last ply', () => {
    const position = atIn('international', 'W:WK46,K47,K48:BK3');
    for (const [counts, past] of [
      [[31, 0], []],
      [[0, 0], Array.from({ length: 49 }, (_, at) => '.'.repeat(50 - at) + 'w'.repeat(at))],
    ] as const) {
      const state = makeState(position, past, counts);
      const limits = { plies: 2, nodesMax: 5_000, margin: 0 };
      const random = chance('late');
      const [first] = makeSearch('international').rank(state, listMoves(state), limits, random);
      expect(first!.value).toBe(0);
    }
  });
});

describe('strength', () => {
  test.each(VARIANTS)(
    `[G-CHK] in %s medium beats easy (seed ${TEST_SEED})`,
    (variant) => {
      const levels = ['medium', 'easy'] as const;
      const match = { game: gameOf(variant), bot, levels, games: 16, nodesMax: 8_000 };
      expect(playOff(match, chance(`${variant} medium`))).toBeGreaterThanOrEqual(0.8);
    },
    60_000,
  );
});
