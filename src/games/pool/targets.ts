/** Promising shots: which ball may be hit, and how it would go into which pocket. */

import { groupOf, isOnEight } from './eightball.ts';
import { angleOf, directionOf } from './physics/arithmetic.ts';
import { RADIUS } from './physics/parameters.ts';
import type { Mouth } from './physics/table.ts';
import { MOUTHS } from './physics/table.ts';
import type { Place, Table } from './rack.ts';
import type { PoolState } from './state.ts';

/** A ball, a pocket, and the estimated probability that the one goes into the other: 0 to 1. */
export interface Target {
  readonly ball: number;
  readonly mouth: Mouth;
  readonly ease: number;
}

/** Numbers of the balls that the seat to move may hit first, and wants to pocket. */
export function ownBalls(state: PoolState): readonly number[] {
  const { variant, table, groups, seat } = state;
  const left = table.flatMap((place, n) => (n > 0 && place !== null ? [n] : []));
  if (variant === 'nineball') return left.slice(0, 1);
  if (isOnEight(state)) return [8];
  const own = groups?.[seat];
  return left.filter((n) => n !== 8 && (own === undefined || groupOf(n) === own));
}

/** Cuts thinner than this, as the cosine of their angle, are not tried. */
const CUT_COS_MIN = 0.2;
/** How fast a shot gets harder with the length of both paths, in m. */
const FAR = 0.7;
/** An obstacle makes a shot this much less likely, not impossible: it is only an estimate. */
const BLOCKED = 0.1;

/** Every own ball with every pocket, easiest first, from a place of the cue ball. */
export function findTargets(state: PoolState, from: Place): readonly Target[] {
  return ownBalls(state)
    .flatMap((ball) =>
      MOUTHS.map((mouth) => ({ ball, mouth, ease: easeOf(state.table, from, ball, mouth) })),
    )
    .filter(({ ease }) => ease > 0)
    .sort((a, b) => b.ease - a.ease);
}

function easeOf(table: Table, from: Place, ball: number, mouth: Mouth): number {
  const at = table[ball]!;
  const ghost = ghostOf(at, mouth, 0);
  const toPocket = lengthOf(mouth.x - at[0], mouth.y - at[1]);
  const toGhost = lengthOf(ghost[0] - from[0], ghost[1] - from[1]);
  const cut =
    ((ghost[0] - from[0]) * (mouth.x - at[0]) + (ghost[1] - from[1]) * (mouth.y - at[1])) /
    (toPocket * toGhost);
  if (!(cut > CUT_COS_MIN)) return 0;
  const square = mouth.x === 0 ? squareness(at, mouth, toPocket) : 1;
  const clear =
    (isClear(table, from, ghost, ball) ? 1 : BLOCKED) *
    (isClear(table, at, [mouth.x, mouth.y], ball) ? 1 : BLOCKED);
  return (cut * square * clear) / ((1 + toPocket / FAR) * (1 + toGhost / FAR));
}

/** A side pocket accepts balls that come straight at it, hardly any along its cushion. */
function squareness(at: Place, mouth: Mouth, far: number): number {
  const share = Math.abs(mouth.y - at[1]) / far;
  return share > 0.4 ? share * share : 0;
}

function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

/** Where the cue ball must be when it hits the ball; `turn`, radians, allows for throw. */
export function ghostOf([x, y]: Place, mouth: Mouth, turn: number): Place {
  const far = lengthOf(mouth.x - x, mouth.y - y);
  const dx = (mouth.x - x) / far;
  const dy = (mouth.y - y) / far;
  const { cos, sin } = directionOf(turn);
  return [x - 2 * RADIUS * (dx * cos - dy * sin), y - 2 * RADIUS * (dx * sin + dy * cos)];
}

export function aimAt(from: Place, to: Place): number {
  return angleOf(to[0] - from[0], to[1] - from[1]);
}

/** Whether a ball can go straight from one place to another, past all but the cue ball and `ball`. */
function isClear(table: Table, from: Place, to: Place, ball: number): boolean {
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const square = dx * dx + dy * dy;
  return table.every((place, n) => {
    if (place === null || n === 0 || n === ball) return true;
    const along = ((place[0] - from[0]) * dx + (place[1] - from[1]) * dy) / square;
    const near = along < 0 ? 0 : along > 1 ? 1 : along;
    const x = place[0] - from[0] - near * dx;
    const y = place[1] - from[1] - near * dy;
    return x * x + y * y > 4 * RADIUS * RADIUS;
  });
}
