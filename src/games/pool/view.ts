/** What everybody may see: the table, what is due, and the last shot as it can be drawn. */

import type { Json } from '../game.ts';
import { placedBalls } from './facts.ts';
import type { Leg, Shot } from './simulate.ts';
import { simulate } from './simulate.ts';
import type { LastShot, PoolState } from './state.ts';

export function makeView(state: PoolState): Json {
  const { variant, callPocket, table, isBreak, inHand, choices, groups, mayPushOut } = state;
  const { fouls, shots, last } = state;
  return {
    ...{ variant, callPocket },
    balls: placedBalls(table).map((ball) => ({ ...ball })),
    ...{ isBreak, inHand, choices, groups, mayPushOut, fouls, shots },
    last: last === null ? null : viewShot(last),
  };
}

/** The state holds what the shot was; how it went is simulated anew, to the same bits. */
function viewShot(last: LastShot): Json {
  const { seat, action, before, pocketed, foul, spotted, end, scratched } = last;
  const balls = placedBalls(before);
  const shot = simulate(balls, action.shot);
  return {
    ...{ seat, action, before: balls.map((ball) => ({ ...ball })) },
    ...{ pocketed, scratched, foul, spotted, end },
    ...viewMotion(shot),
  };
}

/** How a shot went, as plain JSON. */
export function viewMotion(shot: Shot): {
  readonly duration: number;
  readonly events: readonly Json[];
  readonly courses: readonly Json[];
} {
  return {
    duration: shot.duration,
    events: shot.events.map((event) => ({ ...event })),
    courses: shot.courses.map(({ ball, legs }) => ({ ball, legs: legs.map(viewLeg) })),
  };
}

/** In a fixed order, as names would be most of the text. Zero is never written as -0. */
function viewLeg({ motion, t, x, y, vx, vy, ax, ay, wx, wy, wz }: Leg): Json {
  return [motion, ...[t, x, y, vx, vy, ax, ay, wx, wy, wz].map((value) => value + 0)];
}
