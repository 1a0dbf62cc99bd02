/** Random legal actions of pool, for tests: all fields and all choices occur. */

import { pickOne } from '../../../game/src/bot.ts';
import type { Random } from '../../../game/src/random.ts';
import type { PoolAction, ShotAction } from './action.ts';
import { refuseAction } from './legality.ts';
import { HEAD_STRING_X, POCKETS, X_MAX, Y_MAX } from './physics/table.ts';
import type { PoolState } from './state.ts';

/** A number from `low` to `high` in a thousand steps. */
function between(low: number, high: number, random: Random): number {
  return low + ((high - low) * random.integer(1_001)) / 1_000;
}

/** Draws until it is legal; most drawn shots are, apart from the place of the cue ball. */
export function randomLegalAction(state: PoolState, random: Random): PoolAction {
  if (state.choices.length > 0) return { choose: pickOne(state.choices, random) };
  for (;;) {
    const action = randomShot(state, random);
    if (refuseAction(state, action) === null) return action;
  }
}

function randomShot(state: PoolState, random: Random): ShotAction {
  const { table, isBreak, inHand } = state;
  const x = between(-X_MAX, inHand === 'anywhere' ? X_MAX : HEAD_STRING_X, random);
  const place = inHand === null ? null : { x, y: between(-Y_MAX, Y_MAX, random) };
  const [fromX, fromY] = place === null ? table[0]! : [place.x, place.y];
  const balls = table.flatMap((each, n) => (each === null || n === 0 ? [] : [n]));
  const [atX, atY] = table[isBreak ? 1 : pickOne(balls, random)]!;
  const aim = Math.atan2(atY - fromY, atX - fromX) + between(-0.03, 0.03, random);
  const call = { ball: pickOne(balls, random), pocket: pickOne(POCKETS, random) };
  return {
    shot: {
      aim,
      speed: between(isBreak ? 6 : 0.5, isBreak ? 12 : 6, random),
      side: between(-0.01, 0.01, random),
      follow: between(-0.01, 0.01, random),
      elevation: random.integer(4) === 0 ? between(0, 1, random) : 0,
    },
    ...(!isBreak && random.integer(4) > 0 && state.callPocket !== 'none' && { call }),
    ...(!isBreak && random.integer(8) === 0 && { safety: true }),
    ...(state.mayPushOut && random.integer(2) === 0 && { pushOut: true }),
    ...(place !== null && { place }),
  };
}
