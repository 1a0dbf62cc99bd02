/** What everybody may see: the table, what is due, and the last shot as it can be drawn. */

import type { Json } from '../game.ts';
import { placedBalls } from './facts.ts';
import { makeMotion } from './motion.ts';
import type { Table } from './rack.ts';
import { simulate } from './simulate.ts';
import type { LastShot, PoolState } from './state.ts';

export function makeView(state: PoolState): Json {
  const { variant, callPocket, table, isBreak, inHand, choices, groups, mayPushOut } = state;
  const { fouls, shots, last } = state;
  return {
    ...{ variant, callPocket },
    balls: placedBalls(table).map((ball) => ({ ...ball })),
    ...{ isBreak, inHand, choices, groups, mayPushOut, fouls, shots },
    last: last === null ? null : viewShot(last, table),
  };
}

/**
 * The state holds what the shot was; how it went is simulated anew, to the same bits. Of the balls
 * before it only those are told that do not lie there any more.
 */
function viewShot(last: LastShot, table: Table): Json {
  const { seat, action, before, pocketed, foul, spotted, end, scratched } = last;
  const balls = placedBalls(before);
  const moved = balls.filter(({ n, x, y }) => table[n]?.[0] !== x || table[n]?.[1] !== y);
  return {
    ...{ seat, action, before: moved.map((ball) => ({ ...ball })) },
    ...{ pocketed, scratched, foul, spotted, end },
    motion: makeMotion(simulate(balls, action.shot)),
  };
}
