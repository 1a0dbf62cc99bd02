/** How each game is played at random: the only list of it, for what is tried on all of them. */

import type { GameId, Json } from './game.ts';
import { randomLegalAction } from './pool/random-action.test-kit.ts';
import type { PoolState } from './pool/state.ts';
import { SHOTS_MAX } from './pool/state.ts';
import type { Random } from './random.ts';
import type { Play } from './random-play.ts';

export const PLAYS: Readonly<Record<GameId, Play>> = {
  tictactoe: { inputsMax: 9 },
  connect4: { inputsMax: 42 },
  checkers: { inputsMax: 1_500 },
  'fight-arena': { inputsMax: 20_000 },
  pool: {
    // Each shot may be followed by one choice.
    inputsMax: 2 * SHOTS_MAX,
    randomAction: (state: Json, random: Random) => randomLegalAction(state as PoolState, random),
  },
  // With `captureBeforeHome` tokens may go round and round.
  ludo: { inputsMax: 50_000 },
};
