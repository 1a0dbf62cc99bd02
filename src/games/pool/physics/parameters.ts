/** The parameters of the simulated table, balls and cue, each with its source. */

/** Radius of a ball, m (2 1/4 inches across, WPA equipment specification 16). */
export const RADIUS = 0.028575;

/** Length and width of the bed between the noses of the cushions, m: a 7-foot table (pooltool). */
export const LENGTH = 1.9812;
export const WIDTH = 0.9906;

/** Distance between the two tips of a mouth, m (pooltool, 7-foot table). */
export const CORNER_MOUTH = 0.118;
export const SIDE_MOUTH = 0.137;

/** Radius of the hole, m; a ball falls when its centre is over it (pooltool, 7-foot table). */
export const CORNER_HOLE = 0.062;
export const SIDE_HOLE = 0.0645;

/** How far the centre of a hole is outside the corner of the noses, or outside the nose line, m. */
export const CORNER_DEPTH = 0.0417;
export const SIDE_DEPTH = 0.0685;

/**
 * The angle of a jaw to the nose of its cushion: cosine and sine of 38 degrees at a corner, of 76
 * at a side. WPA gives the complementary angles, 142 and 104 degrees.
 */
export const CORNER_JAW = { cos: 0.788010753606722, sin: 0.6156614753256583 } as const;
export const SIDE_JAW = { cos: 0.24192189559966773, sin: 0.9702957262759965 } as const;

/** Length of a jaw, m: as far in as a ball's edge can get before the ball falls. */
export const CORNER_JAW_LENGTH = 0.06;
export const SIDE_JAW_LENGTH = 0.03;

/** Gravitational acceleration, m/s². */
export const GRAVITY = 9.81;

/** The parameters of a shot's course besides the table's shape. Dimensionless if no unit is given. */
export interface Physics {
  /** Friction of a ball sliding on the cloth. */
  readonly slide: number;
  /** Drag of a rolling ball, as a share of its weight. */
  readonly roll: number;
  /** Loss of spin about the vertical axis, rad/s². */
  readonly spinDecay: number;
  /** Speed after over speed before, along the line of centres of two balls. */
  readonly ballRestitution: number;
  /** Friction between balls: `base + slope exp(-fall u)`, `u` the speed of slip in m/s. */
  readonly ballFriction: { readonly base: number; readonly slope: number; readonly fall: number };
  /** Speed after over speed before, along the line from a ball's centre to the cushion's nose. */
  readonly cushionRestitution: number;
  readonly cushionFriction: number;
  /** Sine and cosine of the angle at which a ball hits the nose, which is above its centre. */
  readonly noseSin: number;
  readonly noseCos: number;
}

/** Height of the nose over the cloth, as a share of a ball's diameter (WPA: 62.5 to 64.5 %). */
const NOSE_HEIGHT = 0.64;
const NOSE_SIN = 2 * NOSE_HEIGHT - 1;

/** Pivoting friction as a length, m: 4/9 of the radius (pooltool, `u_sp_proportionality`). */
const SPIN_FRICTION = (4 / 9) * RADIUS;

/**
 * A clean cloth and clean balls. Friction, restitution and nose are pooltool's; friction between
 * balls is Alciatore's fit to Marlow's measurements (technical proof A.14).
 */
export const PHYSICS: Physics = {
  slide: 0.2,
  roll: 0.01,
  spinDecay: (5 * SPIN_FRICTION * GRAVITY) / (2 * RADIUS),
  ballRestitution: 0.95,
  ballFriction: { base: 9.951e-3, slope: 0.108, fall: 1.088 },
  cushionRestitution: 0.85,
  cushionFriction: 0.2,
  noseSin: NOSE_SIN,
  noseCos: Math.sqrt(1 - NOSE_SIN * NOSE_SIN),
};

/** Mass of a ball, kg (pooltool; 6 ounces). No course depends on it, because all balls have the same. */
export const MASS = 0.170097;

/** Slower slip and slower travel, m/s, count as none. */
export const STILL = 1e-9;

/**
 * Contacts slower than this, m/s, do not bounce, and leave a gap of `TOUCH_GAP` metres. Otherwise a
 * ball pressed against another, or against a cushion, would bounce infinitely often.
 */
export const TOUCH_SPEED = 5e-3;
export const TOUCH_GAP = 2e-6;

/** More events than any correct shot has (a break has 110, rarely 700): then the shot is stopped. */
export const EVENTS_MAX = 5_000;
