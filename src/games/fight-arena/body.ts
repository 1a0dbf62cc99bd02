/** Where a fighter can be hit and where it hits, and when boxes overlap. */

import type { Box } from './moves.ts';
import { isActive, MOVES } from './moves.ts';
import { BOLT_HALF, BOLT_HIGH, BOLT_LOW } from './stage.ts';
import type { Draft, Fighter } from './state.ts';

/** Anything with a position and a direction. */
type Placed = Pick<Fighter, 'x' | 'y' | 'facing'>;

const STANDING: Box = { back: -280, front: 280, low: 0, high: 1_800 };
const CROUCHING: Box = { back: -300, front: 300, low: 0, high: 1_150 };
const AIRBORNE: Box = { back: -280, front: 280, low: 300, high: 1_700 };

/** The box of the body. */
export function bodyBox({ act, y, isCrouching, move }: Fighter): Box {
  if (y > 0 || act === 'air') return AIRBORNE;
  const isLow = move === null ? isCrouching : MOVES[move].stance === 'crouch';
  return isLow ? CROUCHING : STANDING;
}

/** The box of the current attack; null for none. */
export function limbBox({ move, age }: Fighter): Box | null {
  return move !== null && age >= MOVES[move].startup ? MOVES[move].limbBox : null;
}

/** Where the fighter's attack hits in this tick; null if it does not, or has hit. */
export function hitBox({ move, age, hasContact }: Fighter): Box | null {
  if (move === null || hasContact || !isActive(MOVES[move], age)) return null;
  return MOVES[move].hitBox;
}

/** A fighter that is down cannot be hit, nor one in the safe ticks of its attack. */
export function isOutOfReach({ act, move, age }: Fighter): boolean {
  if (act === 'fall' || act === 'down') return true;
  return move !== null && age <= MOVES[move].safeTicks;
}

/** Whether two boxes, each relative to its owner, share a point. */
function meets(one: Placed, a: Box, other: Placed, b: Box): boolean {
  if (one.y + a.low > other.y + b.high || other.y + b.low > one.y + a.high) return false;
  const left = one.facing === 1 ? one.x + a.back : one.x - a.front;
  const right = one.facing === 1 ? one.x + a.front : one.x - a.back;
  const otherLeft = other.facing === 1 ? other.x + b.back : other.x - b.front;
  const otherRight = other.facing === 1 ? other.x + b.front : other.x - b.back;
  return left <= otherRight && otherLeft <= right;
}

/** Whether a box of one fighter overlaps the body or the limb of another. */
export function reaches(one: Placed, box: Box, other: Fighter): boolean {
  if (meets(one, box, other, bodyBox(other))) return true;
  const limb = limbBox(other);
  return limb !== null && meets(one, box, other, limb);
}

export const BOLT_BOX: Box = {
  back: -BOLT_HALF,
  front: BOLT_HALF,
  low: BOLT_LOW,
  high: BOLT_HIGH,
};

/** Whether the fighter's bolt hits the other. False without a bolt. */
export function boltReaches({ boltX, boltFacing }: Draft, other: Fighter): boolean {
  if (boltFacing === 0) return false;
  return reaches({ x: boltX, y: 0, facing: boltFacing }, BOLT_BOX, other);
}
