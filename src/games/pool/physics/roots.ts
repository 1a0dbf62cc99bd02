/** When a polynomial in time first falls through zero: every event of a shot is found this way. */

/** Halvings of an interval after which two roots in it count as a touch without a crossing. */
const DEPTH_MAX = 40;
/** Steps of refinement; bisection alone needs no more than the bits of a double. */
const STEPS_MAX = 80;

/**
 * The time from 0 on at which `c + bt + at²` falls from above zero to below. A value that starts
 * below zero (by rounding) and falls gives 0. Infinity if there is none.
 */
export function fallOfQuadratic(a: number, b: number, c: number): number {
  if (c <= 0 && (b < 0 || (b === 0 && a < 0))) return 0;
  const square = b * b - 4 * a * c;
  if (square <= 0) return Number.POSITIVE_INFINITY;
  const root = Math.sqrt(square);
  // Of the two forms of the root, the one that does not subtract nearly equal numbers.
  const time = b < 0 ? (2 * c) / (root - b) : a < 0 ? (-b - root) / (2 * a) : -1;
  return time >= 0 ? time : Number.POSITIVE_INFINITY;
}

/** A polynomial of degree four, `c0 + c1 t + …`. Reused for each call. */
export type Quartic = [c0: number, c1: number, c2: number, c3: number, c4: number];

/**
 * The first time from 0 to `span` at which the polynomial falls from above zero to below; a value
 * that starts at or below zero and falls gives 0. Infinity if there is none. A touch that doubles
 * cannot tell from a miss is a miss.
 */
export function fallOfQuartic(quartic: Quartic, span: number): number {
  const [c0, c1, c2, c3, c4] = quartic;
  if (c0 <= 0 && (c1 < 0 || (c1 === 0 && c2 < 0))) return 0;
  const d1 = c1 * span;
  const d2 = c2 * span * span;
  const d3 = c3 * span * span * span;
  const d4 = c4 * span * span * span * span;
  // Bernstein's form on 0 to `span`: the polynomial is between its least and largest coefficient.
  const b1 = c0 + d1 / 4;
  const b2 = c0 + d1 / 2 + d2 / 6;
  const b3 = c0 + 0.75 * d1 + d2 / 2 + d3 / 4;
  const b4 = c0 + d1 + d2 + d3 + d4;
  return isolate({ quartic, span }, c0, b1, b2, b3, b4, 0, 1, DEPTH_MAX);
}

interface Sought {
  readonly quartic: Quartic;
  readonly span: number;
}

/** Divides an interval, `low` to `low + width` of the span, until it has only its first fall. */
function isolate(
  sought: Sought,
  b0: number,
  b1: number,
  b2: number,
  b3: number,
  b4: number,
  low: number,
  width: number,
  depth: number,
): number {
  const changes = countChanges(b0, b1, b2, b3, b4);
  if (changes === 0 || (changes === 1 && b0 <= 0)) return Number.POSITIVE_INFINITY;
  if (changes === 1 || depth === 0) {
    if (b0 <= 0 || b4 > 0) return Number.POSITIVE_INFINITY;
    return refine(sought.quartic, low * sought.span, (low + width) * sought.span);
  }
  // De Casteljau's halving.
  const c01 = (b0 + b1) / 2;
  const c12 = (b1 + b2) / 2;
  const c23 = (b2 + b3) / 2;
  const c34 = (b3 + b4) / 2;
  const d02 = (c01 + c12) / 2;
  const d13 = (c12 + c23) / 2;
  const d24 = (c23 + c34) / 2;
  const e03 = (d02 + d13) / 2;
  const e14 = (d13 + d24) / 2;
  const middle = (e03 + e14) / 2;
  const half = width / 2;
  const first = isolate(sought, b0, c01, d02, e03, middle, low, half, depth - 1);
  if (first !== Number.POSITIVE_INFINITY) return first;
  return isolate(sought, middle, e14, d24, c34, b4, low + half, half, depth - 1);
}

/** Changes of sign from one coefficient to the next; zero counts as below. */
function countChanges(b0: number, b1: number, b2: number, b3: number, b4: number): number {
  const s0 = b0 > 0;
  const s1 = b1 > 0;
  const s2 = b2 > 0;
  const s3 = b3 > 0;
  const s4 = b4 > 0;
  return +(s0 !== s1) + +(s1 !== s2) + +(s2 !== s3) + +(s3 !== s4);
}

/** The one fall between `low` and `high`, by Newton's method, with bisection where it leads outside. */
function refine(quartic: Quartic, from: number, to: number): number {
  const [c0, c1, c2, c3, c4] = quartic;
  let low = from;
  let high = to;
  let time = (low + high) / 2;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const value = c0 + time * (c1 + time * (c2 + time * (c3 + time * c4)));
    if (value > 0) low = time;
    else high = time;
    const slope = c1 + time * (2 * c2 + time * (3 * c3 + time * 4 * c4));
    const newton = time - value / slope;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    if (next === time || next <= low || next >= high) break;
    time = next;
  }
  return time;
}
