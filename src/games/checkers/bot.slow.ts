/** The strength of the checkers bot over more games, with its real time limits. */

import { expect, test } from 'bun:test';
import type { AnyBot } from '../../../game/src/bot.ts';
import type { AnyGame } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { playOff } from '../play-off.ts';
import { checkersBot } from './bot.ts';
import { checkers } from './checkers.ts';

const game: AnyGame = checkers;
const bot: AnyBot = checkersBot;

test(`[G-CHK] hard makes at least 0.9 of medium over 12 games (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'checkers slow', 0);
  const match = { game, bot, levels: ['hard', 'medium'] as const, games: 12, nodesMax: 600_000 };
  expect(playOff(match, random)).toBeGreaterThanOrEqual(0.9);
}, 600_000);
