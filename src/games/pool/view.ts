/** The public view: the table, what is next, and the last shot in drawable form. */

import type { Json } from '../../../game/src/game.ts';
import { placedBalls } from './facts.ts';
import type { Motion } from './motion.ts';
import { makeMotion } from './motion.ts';
import { simulate } from './physics/simulate.ts';
import type { Table } from './rack.ts';
import type { LastShot, PoolState } from './state.ts';

export function makeView(state: PoolState): Json {
  const { variant, callPocket, table, isBreak, inHand, choices, groups, mayPushOut } = state;
  const { fouls, shots, last } = state;
  return {
    variant,
    callPocket,
    balls: placedBalls(table).map((ball) => ({ ...ball })),
    isBreak,
    inHand,
    choices,
    groups,
    mayPushOut,
    fouls,
    shots,
    last: last === null ? null : viewShot(last, table),
  };
}

/**
 * Computed motions: all viewers of a position see the same one, and a break takes milliseconds. A
 * motion is collected with its shot.
 */
const motions = new WeakMap<LastShot, Motion>();

function motionOf(last: LastShot): Motion {
  const known = motions.get(last);
  if (known !== undefined) return known;
  const motion = makeMotion(simulate(placedBalls(last.before), last.action.shot));
  motions.set(last, motion);
  return motion;
}

/**
 * The state stores the shot; its course is simulated again, to the same bits. Of the balls before
 * it only those are shown that have moved.
 */
function viewShot(last: LastShot, table: Table): Json {
  const { seat, action, before, pocketed, foul, spotted, end, scratched } = last;
  const balls = placedBalls(before);
  const moved = balls.filter(({ n, x, y }) => table[n]?.[0] !== x || table[n]?.[1] !== y);
  return {
    seat,
    action,
    before: moved.map((ball) => ({ ...ball })),
    pocketed,
    scratched,
    foul,
    spotted,
    end,
    motion: motionOf(last),
  };
}
