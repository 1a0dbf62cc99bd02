/**
 * Ludo's levels over ten thousand games each, with seats rotated and dice shared.
 * `MATCHD_TEST_GAMES` sets another number: with a thousand, the closest pair is still six standard
 * errors above its limit.
 */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playDuel } from './duel.test-kit.ts';

const GAMES = Number(process.env['MATCHD_TEST_GAMES'] ?? 10_000);
/** Enough for `hard` to look one roll ahead. In a match it has hundreds of times as many. */
const NODES = 110;
const TEST_MS_MAX = 600_000;

/** The least share of wins of the stronger level. */
const LADDER = [
  ['medium', 'easy', 'classic', 2, 0.7],
  ['medium', 'easy', 'classic', 4, 0.75],
  ['hard', 'medium', 'classic', 2, 0.65],
  ['hard', 'medium', 'classic', 4, 0.65],
  ['hard', 'medium', 'quick', 2, 0.52],
  ['hard', 'medium', 'timed', 2, 0.6],
  ['hard', 'medium', 'teams', 4, 0.6],
] as const;

test.each(LADDER)(
  `[G-BOT] ludo: %s beats %s, %s for %d, over ${GAMES} games (seed ${TEST_SEED})`,
  (stronger, weaker, variant, seats, least) => {
    const levels = [stronger, weaker] as const;
    const duel = { variant, seats, levels, games: GAMES, nodesMax: NODES, seed: TEST_SEED };
    const { part, errors } = playDuel(duel);
    console.log(`${stronger} ${part} of the wins, ${errors.toFixed(1)} standard errors`);
    expect(part).toBeGreaterThan(least);
    expect(errors).toBeGreaterThan(5);
  },
  TEST_MS_MAX,
);
