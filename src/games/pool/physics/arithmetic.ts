/** Sine, cosine and exponential with the four basic operations only: the same bits on every machine. */

/** Half of pi as the sum of two doubles. */
const HALF_PI = 1.5707963267948966;
const HALF_PI_REST = 6.123233995736766e-17;

/** The largest angle accepted, radians. */
const ANGLE_MAX = 1_000;

/** A direction in the plane. */
export interface Direction {
  readonly cos: number;
  readonly sin: number;
}

/**
 * Cosine and sine of an angle in radians, to 3e-16. Exactly even and odd, so that mirrored shots
 * stay mirrored. Throws beyond 1,000 radians.
 */
export function directionOf(angle: number): Direction {
  const size = Math.abs(angle);
  if (!(size <= ANGLE_MAX)) throw new RangeError(`directionOf(${angle}): out of bounds`);
  const quarters = Math.floor(size / HALF_PI + 0.5);
  const rest = size - quarters * HALF_PI - quarters * HALF_PI_REST;
  const near = { cos: smallCos(rest), sin: smallSin(rest) };
  const { cos, sin } = turned(near, quarters % 4);
  return { cos, sin: angle < 0 ? -sin : sin };
}

function turned({ cos, sin }: Direction, quarters: number): Direction {
  if (quarters === 0) return { cos, sin };
  if (quarters === 1) return { cos: -sin, sin: cos };
  if (quarters === 2) return { cos: -cos, sin: -sin };
  return { cos: sin, sin: -cos };
}

/** Taylor's series up to x^17, for x within a quarter of pi: the next term is below 1e-19. */
function smallSin(x: number): number {
  const y = x * x;
  let sum = 1;
  for (let n = 16; n >= 2; n -= 2) sum = 1 - (y / (n * (n + 1))) * sum;
  return x * sum;
}

/** As `smallSin`, up to x^16. */
function smallCos(x: number): number {
  const y = x * x;
  let sum = 1;
  for (let n = 16; n >= 2; n -= 2) sum = 1 - (y / (n * (n - 1))) * sum;
  return sum;
}

/** The angle of a direction to the x axis, from -pi to pi, to 1e-15; 0 for no direction. */
export function angleOf(x: number, y: number): number {
  const size = Math.sqrt(x * x + y * y);
  if (size === 0) return 0;
  // Tangent of a quarter of the angle to the nearer half of the axis: below 0.42.
  const half = Math.abs(y) / (size + Math.abs(x));
  const quarter = half / (1 + Math.sqrt(1 + half * half));
  const angle = 4 * smallArctan(quarter);
  const turned = x < 0 ? 2 * HALF_PI - angle : angle;
  return y < 0 ? -turned : turned;
}

/** Terms of the series of the arctangent: enough for 0.42 to the power of twice as many. */
const ARCTAN_TERMS = 22;

function smallArctan(x: number): number {
  const y = x * x;
  let sum = 0;
  for (let n = ARCTAN_TERMS; n >= 0; n -= 1) sum = 1 / (2 * n + 1) - y * sum;
  return x * sum;
}

/** How often an exponent is halved to make it small, and the series terms that then suffice. */
const HALVINGS = 8;
const SHRINK = 1 / 256;
const TERMS = 9;
/** From here on the result is below 1e-17, which is negligible. */
const EXPONENT_MAX = 40;

/** exp(-x) for x of at least 0, to 1e-12 of its size; 0 from 40 on. */
export function expMinus(x: number): number {
  if (x >= EXPONENT_MAX) return 0;
  const y = x * SHRINK;
  let value = 1;
  for (let n = TERMS; n >= 1; n -= 1) value = 1 - (y / n) * value;
  for (let n = 0; n < HALVINGS; n += 1) value *= value;
  return value;
}
