/** Placing balls: the rack, the spot, and the cue ball in hand. */

import type { Random } from '../../../game/src/random.ts';
import { RADIUS } from './physics/parameters.ts';
import type { Placed } from './physics/simulate.ts';
import { FOOT_SPOT_X, HEAD_STRING_X, isOnTable, X_MAX, Y_MAX } from './physics/table.ts';

export const VARIANTS = ['eightball', 'nineball'] as const;
export type Variant = (typeof VARIANTS)[number];

/** A place on the table, m: x, y. */
export type Place = readonly [number, number];

/** All balls by number, the cue ball first; null is in hand or has fallen. */
export type Table = readonly (Place | null)[];

/** Rows from the one at the foot spot. The 8 or 9 is in the middle; the rear corners differ in group. */
const ROWS: Readonly<Record<Variant, readonly (readonly number[])[]>> = {
  eightball: [[1], [9, 2], [10, 8, 3], [11, 4, 12, 5], [6, 13, 14, 7, 15]],
  nineball: [[1], [2, 3], [4, 9, 5], [6, 7], [8]],
};

/** No rack is perfect: balls are this far apart, m, and off by up to `UNEVEN` in each direction. */
const RACK_GAP = 6e-5;
const UNEVEN_STEPS = 20;
const UNEVEN_STEP = 1e-6;

/** A full rack, and the cue ball in hand. */
export function rackBalls(variant: Variant): Table {
  const apart = 2 * RADIUS + RACK_GAP;
  const rowApart = apart * Math.sqrt(0.75);
  const rows = ROWS[variant];
  const table: (Place | null)[] = Array(rows.flat().length + 1).fill(null);
  for (const [row, numbers] of rows.entries()) {
    for (const [index, n] of numbers.entries()) {
      const y = ((numbers.length - 1) / 2 - index) * apart;
      table[n] = [FOOT_SPOT_X + row * rowApart, y];
    }
  }
  return table;
}

/**
 * The rack as it is broken: each ball off by up to 20 µm along and across, drawn by the match, so
 * that no break can be memorized. Balls never overlap.
 */
export function unsettle(table: Table, random: Random): Table {
  const off = (): number => (random.integer(2 * UNEVEN_STEPS + 1) - UNEVEN_STEPS) * UNEVEN_STEP;
  return table.map((place, n) =>
    place === null || n === 0 ? place : [place[0] + off(), place[1] + off()],
  );
}

/** Spotted balls are placed this far from others, m. */
const SPOT_GAP = 1e-5;

/**
 * Places a ball on the foot spot or, if others are in the way, as near to it as possible: behind it
 * on the line to the foot cushion, otherwise in front of it (WPA 1.4).
 */
export function spotBall(table: Table, n: number): Table {
  const others = table.flatMap((place, other) => (place === null || other === n ? [] : [place]));
  const beside = others.flatMap((place) => edgesOnLine(place));
  const free = [FOOT_SPOT_X, ...beside].filter(
    (x) => Math.abs(x) <= X_MAX && others.every((place) => !overlaps([x, 0], place)),
  );
  const behind = free.filter((x) => x >= FOOT_SPOT_X);
  const x = behind.length > 0 ? Math.min(...behind) : Math.max(...free);
  return table.map((place, number) => (number === n ? [x, 0] : place));
}

/** The places on the long middle line where a ball just clears another one. */
function edgesOnLine([x, y]: Place): readonly number[] {
  const apart = 2 * RADIUS + SPOT_GAP;
  const square = apart * apart - y * y;
  if (square <= 0) return [];
  const off = Math.sqrt(square);
  return [x - off, x + off];
}

function overlaps([ax, ay]: Place, [bx, by]: Place): boolean {
  const dx = ax - bx;
  const dy = ay - by;
  return dx * dx + dy * dy < 4 * RADIUS * RADIUS;
}

/** Why balls cannot be placed like this; null if they can. */
export function wrongBalls(balls: readonly Placed[]): string | null {
  for (const [index, { n, x, y }] of balls.entries()) {
    if (!isOnTable(x, y)) return `${n} is not on the table`;
    for (const other of balls.slice(index + 1)) {
      if (other.n === n) return `${n} is there twice`;
      if (overlaps([x, y], [other.x, other.y])) return `${n} and ${other.n} overlap`;
    }
  }
  return null;
}

/** Where the cue ball may be put: anywhere, or behind the head string. */
export type InHand = 'anywhere' | 'behind_head_string';

/** Why the cue ball may not be placed there; null if it may. */
export function refusePlace(table: Table, place: Place, inHand: InHand): string | null {
  const [x, y] = place;
  if (Math.abs(x) > X_MAX || Math.abs(y) > Y_MAX) {
    return `The cue ball has to lie within x ±${X_MAX} and y ±${Y_MAX}`;
  }
  if (inHand === 'behind_head_string' && x >= HEAD_STRING_X) {
    return `The cue ball has to lie behind the head string, x below ${HEAD_STRING_X}`;
  }
  const hit = table.findIndex((other, n) => n > 0 && other !== null && overlaps(place, other));
  return hit < 0 ? null : `The cue ball would overlap ball ${hit}`;
}
