/** Pool against the contract of all games, in both variants and under every rule of calls. */

import type { AnyGame, Json } from '../../../game/src/game.ts';
import type { Random } from '../../../game/src/random.ts';
import { gameContractSuite } from '../contract-suite.ts';
import { pool } from './pool.ts';
import { randomLegalAction } from './random-action.test-kit.ts';
import type { PoolState } from './state.ts';
import { SHOTS_MAX } from './state.ts';

// No cast: see tictactoe.test.ts.
const game: AnyGame = pool;
gameContractSuite('G-POOL-9', game, {
  // Each shot may be followed by one choice.
  inputsMax: 2 * SHOTS_MAX,
  gamesPerSetup: 2,
  randomAction: (state: Json, random: Random) => randomLegalAction(state as PoolState, random),
});
