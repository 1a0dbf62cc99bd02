/** Where balls are put by hand: the rack, the spot, and where a cue ball in hand may lie. */

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

/** Rows from the one at the foot spot. The 8 or 9 is in the middle, the rear corners differ. */
const ROWS: Readonly<Record<Variant, readonly (readonly number[])[]>> = {
  eightball: [[1], [9, 2], [10, 8, 3], [11, 4, 12, 5], [6, 13, 14, 7, 15]],
  nineball: [[1], [2, 3], [4, 9, 5], [6, 7], [8]],
};

/** No rack is perfect: balls lie this much apart, m, and off by up to `UNEVEN` each way. */
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
 * The rack as it is when it is broken: each ball off by up to 20 µm along and across, by the
 * match's chance, so that no break can be learnt by heart. Never so far that balls overlap.
 */
export function unsettle(table: Table, random: Random): Table {
  const off = (): number => (random.integer(2 * UNEVEN_STEPS + 1) - UNEVEN_STEPS) * UNEVEN_STEP;
  return table.map((place, n) =>
    place === null || n === 0 ? place : [place[0] + off(), place[1] + off()],
  );
}

/** Spotted balls lie this far from others, m. */
const SPOT_GAP = 1e-5;

/**
 * The table with a ball on the foot spot or, where others are in the way, as near to it as can be:
 * behind it on the line to the foot cushion, else before it (WPA 1.4).
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

/** Why balls cannot lie so; null when they can. */
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

/** Why the cue ball may not be put there; null when it may. */
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
