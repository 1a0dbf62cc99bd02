/** The strongest level of the pool bot against the one below, in both variants. */

import { expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { poolBot } from './bot.ts';
import { pool } from './pool.ts';

const GAMES = 40;
const TEST_MS_MAX = 600_000;

test.each(pool.variants)(
  `[G-POOL-18] hard scores at least 0.85 against medium in %s (seed ${TEST_SEED})`,
  (variant) => {
    const game: AnyGame = { ...pool, variants: [variant] } as AnyGame;
    const random = makeRandom(`${TEST_SEED}`, () => `hard ${variant}`, 0);
    const levels = ['hard', 'medium'] as const;
    const part = playOff({ game, bot: poolBot, levels, games: GAMES, nodesMax: 600_000 }, random);
    expect(part).toBeGreaterThanOrEqual(0.85);
  },
  TEST_MS_MAX,
);
