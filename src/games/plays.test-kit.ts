/** How each game is played at random: the one list for all tests of every game. */

import type { GameId, Json } from '../../game/src/game.ts';
import type { Random } from '../../game/src/random.ts';
import type { Play } from '../../game/src/testing/random-play.ts';
import { randomLegalAction } from './pool/random-action.test-kit.ts';
import type { PoolState } from './pool/state.ts';
import { SHOTS_MAX } from './pool/state.ts';
import type { ShippedGameId } from './registry.ts';

const PLAYS: Readonly<Record<ShippedGameId, Play>> = {
  tictactoe: { inputsMax: 9 },
  connect4: { inputsMax: 42 },
  checkers: { inputsMax: 1_500 },
  'fight-arena': { inputsMax: 20_000 },
  pool: {
    // Each shot may be followed by one choice.
    inputsMax: 2 * SHOTS_MAX,
    randomAction: (state: Json, random: Random) => randomLegalAction(state as PoolState, random),
  },
  // With `captureBeforeHome` tokens may keep circling.
  ludo: { inputsMax: 50_000 },
};

/** How a shipped game is played at random. */
export function playOf(id: GameId): Play {
  return PLAYS[id as ShippedGameId];
}
