/** The views of the engines match the schemas, and every part of the schemas occurs. */

import { expect, test } from 'bun:test';
import type { z } from 'zod';
import { makeRandom } from '../../game/src/random.ts';
import { makeAllSetups, playRandomly, seatsOf } from '../../game/src/testing/random-play.ts';
import { playOf } from '../../src/games/plays.test-kit.ts';
import { findGame, GAME_IDS } from '../../src/games/registry.ts';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import { unusedOf } from './game-views.test-kit.ts';
import { GAME_VIEWS } from './game-views.ts';

/** Games of each game, at most; all setups come first. */
const GAMES_MAX = 24;
/** How many of thousands of positions are examined. */
const POSITIONS_MAX = 400;

test.each(GAME_IDS)(
  '[P4] every view of %s matches its schema, and every part of it occurs',
  (id) => {
    const game = findGame(id)!;
    const schema: z.ZodType = GAME_VIEWS[id];
    const setups = makeAllSetups(game);
    const views: unknown[] = [];
    for (let number = 0; number < GAMES_MAX; number += 1) {
      const setup = setups[Math.floor((number * setups.length) / GAMES_MAX)]!;
      const name = `${TEST_SEED} views ${id} ${number}`;
      const chooser = makeRandom(name, () => 'chooser', 0);
      const played = playRandomly({ game, play: playOf(id), setup, secret: name, chooser });
      const step = Math.max(1, Math.floor(played.positions.length / POSITIONS_MAX));
      // The last position too, in which the game is over.
      const shown = played.positions.filter(
        (_, i) => i % step === 0 || i === played.positions.length - 1,
      );
      for (const { state } of shown) {
        for (const viewer of [null, seatsOf(setup)[0]!]) {
          // As it goes over the wire.
          const view: unknown = JSON.parse(JSON.stringify(game.view(state, viewer)));
          const { error } = schema.safeParse(view);
          if (error !== undefined) throw new Error(`${name}: ${error.message}`);
          views.push(view);
        }
      }
    }
    expect([TEST_SEED, unusedOf(schema, views)]).toEqual([TEST_SEED, []]);
  },
);
