/** When and where a ball next hits a cushion, a jaw or a hole on its present course. */

import type { Ball } from './ball.ts';
import { RADIUS } from './parameters.ts';
import type { Quartic } from './roots.ts';
import { fallOfQuadratic, fallOfQuartic } from './roots.ts';
import type { Edge, Mouth, Pocket } from './table.ts';
import {
  CORNER_CUT,
  HALF_LENGTH,
  HALF_SIDE_MOUTH,
  HALF_WIDTH,
  isLongNose,
  isShortNose,
  MOUTHS,
  X_MAX,
  Y_MAX,
} from './table.ts';

/** The four cushions by their position from the breaker's view. */
export const CUSHIONS = ['head', 'foot', 'left', 'right'] as const;
export type Cushion = (typeof CUSHIONS)[number];

/** A fixed object that a ball can hit. */
export type Wall =
  /** The nose of a cushion; `(nx, ny)` is the level direction into it. */
  | { readonly kind: 'nose'; readonly at: Cushion; readonly nx: number; readonly ny: number }
  | { readonly kind: 'jaw'; readonly at: Pocket; readonly edge: Edge }
  /** The point in which a nose and a jaw meet. */
  | { readonly kind: 'tip'; readonly at: Pocket; readonly x: number; readonly y: number }
  | { readonly kind: 'hole'; readonly at: Pocket; readonly mouth: Mouth };

/** A wall and the time of the hit; `wall` is null and `time` Infinity if there is none. Mutable. */
export interface Meeting {
  time: number;
  wall: Wall | null;
}

type Nose = Wall & { readonly kind: 'nose' };

const HEAD: Nose = { kind: 'nose', at: 'head', nx: -1, ny: 0 };
const FOOT: Nose = { kind: 'nose', at: 'foot', nx: 1, ny: 0 };
const LEFT: Nose = { kind: 'nose', at: 'left', nx: 0, ny: 1 };
const RIGHT: Nose = { kind: 'nose', at: 'right', nx: 0, ny: -1 };

/** A pocket with its walls, and their bounding box. */
interface Corner {
  readonly mouth: Mouth;
  readonly hole: Wall;
  readonly jaws: readonly Wall[];
  readonly tips: readonly Wall[];
  readonly xMin: number;
  readonly xMax: number;
  readonly yMin: number;
  readonly yMax: number;
}

/** Rounding at the edge of a box. */
const MARGIN = 1e-6;

const CORNERS: readonly Corner[] = MOUTHS.map((mouth) => {
  const at = mouth.pocket;
  return {
    mouth,
    hole: { kind: 'hole', at, mouth },
    jaws: mouth.jaws.map((edge) => ({ kind: 'jaw', at, edge })),
    tips: mouth.jaws.map(({ x, y }) => ({ kind: 'tip', at, x, y })),
    ...boxOf(mouth),
  };
});

function boxOf({ x, y }: Mouth): Pick<Corner, 'xMin' | 'xMax' | 'yMin' | 'yMax'> {
  const far = Number.POSITIVE_INFINITY;
  const from = x === 0 ? Y_MAX - MARGIN : HALF_WIDTH - CORNER_CUT - MARGIN;
  const [yMin, yMax] = y > 0 ? [from, far] : [-far, -from];
  if (x === 0) return { xMin: -HALF_SIDE_MOUTH, xMax: HALF_SIDE_MOUTH, yMin, yMax };
  const side = HALF_LENGTH - CORNER_CUT - MARGIN;
  return { xMin: x > 0 ? side : -far, xMax: x > 0 ? far : -side, yMin, yMax };
}

/** Finds what the ball hits before its motion ends, from the ball's own time on. */
export function meetWalls(ball: Ball, meeting: Meeting, quartic: Quartic): void {
  meeting.time = ball.until;
  meeting.wall = null;
  meetNose(ball, meeting, LEFT);
  meetNose(ball, meeting, RIGHT);
  meetNose(ball, meeting, HEAD);
  meetNose(ball, meeting, FOOT);
  // One span for all: the bits of a root must not depend on the order of the pockets.
  const span = meeting.time - ball.t;
  const xLow = -highest(-ball.x, -ball.vx, -ball.ax / 2, span);
  const xHigh = highest(ball.x, ball.vx, ball.ax / 2, span);
  const yLow = -highest(-ball.y, -ball.vy, -ball.ay / 2, span);
  const yHigh = highest(ball.y, ball.vy, ball.ay / 2, span);
  for (const corner of CORNERS) {
    if (xHigh < corner.xMin || xLow > corner.xMax) continue;
    if (yHigh < corner.yMin || yLow > corner.yMax) continue;
    for (const jaw of corner.jaws) meetJaw(ball, meeting, jaw);
    for (const tip of corner.tips) meetTip(ball, meeting, tip, span, quartic);
    meetHole(ball, meeting, corner.hole, span, quartic);
  }
  if (meeting.wall === null) meeting.time = Number.POSITIVE_INFINITY;
}

/** The largest value of `c + bt + at²` for t from 0 to `span`. */
export function highest(c: number, b: number, a: number, span: number): number {
  const end = c + span * (b + span * a);
  const turn = a < 0 && b > 0 ? -b / (2 * a) : 0;
  const top = turn < span ? c + turn * (b + turn * a) : end;
  return top > end ? top : end;
}

function note(meeting: Meeting, time: number, wall: Wall): void {
  if (time >= meeting.time) return;
  meeting.time = time;
  meeting.wall = wall;
}

function meetNose(ball: Ball, meeting: Meeting, wall: Nose): void {
  const { nx, ny } = wall;
  const room = nx === 0 ? Y_MAX - ny * ball.y : X_MAX - nx * ball.x;
  const speed = nx * ball.vx + ny * ball.vy;
  const dt = fallOfQuadratic(-(nx * ball.ax + ny * ball.ay) / 2, -speed, room);
  if (ball.t + dt >= meeting.time) return;
  const isNose =
    nx === 0
      ? isLongNose(ball.x + dt * (ball.vx + (dt * ball.ax) / 2))
      : isShortNose(ball.y + dt * (ball.vy + (dt * ball.ay) / 2));
  if (isNose) note(meeting, ball.t + dt, wall);
}

/** A ball farther behind the face of a jaw than this is beside it, not in it. */
const DEEP = -RADIUS / 2;

function meetJaw(ball: Ball, meeting: Meeting, wall: Wall): void {
  if (wall.kind !== 'jaw') return;
  const { x, y, nx, ny, dx, dy, length } = wall.edge;
  const room = (ball.x - x) * nx + (ball.y - y) * ny - RADIUS;
  const speed = ball.vx * nx + ball.vy * ny;
  const dt = fallOfQuadratic((ball.ax * nx + ball.ay * ny) / 2, speed, room);
  if (ball.t + dt >= meeting.time || (dt === 0 && room < DEEP)) return;
  const alongX = ball.x + dt * (ball.vx + (dt * ball.ax) / 2) - x;
  const alongY = ball.y + dt * (ball.vy + (dt * ball.ay) / 2) - y;
  const along = alongX * dx + alongY * dy;
  if (along >= 0 && along <= length) note(meeting, ball.t + dt, wall);
}

function meetTip(ball: Ball, meeting: Meeting, wall: Wall, span: number, quartic: Quartic): void {
  if (wall.kind !== 'tip') return;
  note(meeting, ball.t + timeToCircle(ball, wall.x, wall.y, RADIUS, span, quartic), wall);
}

function meetHole(ball: Ball, meeting: Meeting, wall: Wall, span: number, quartic: Quartic): void {
  if (wall.kind !== 'hole') return;
  const { x, y, hole } = wall.mouth;
  note(meeting, ball.t + timeToCircle(ball, x, y, hole, span, quartic), wall);
}

/** When the ball's centre enters a circle. */
function timeToCircle(
  ball: Ball,
  x: number,
  y: number,
  radius: number,
  span: number,
  quartic: Quartic,
): number {
  fillDistance(quartic, ball.x - x, ball.y - y, ball.vx, ball.vy, ball.ax / 2, ball.ay / 2, radius);
  return fallOfQuartic(quartic, span);
}

/** The square of the length of `d + vt + at²`, less that of `radius`, as a polynomial in t. */
export function fillDistance(
  quartic: Quartic,
  dx: number,
  dy: number,
  vx: number,
  vy: number,
  ax: number,
  ay: number,
  radius: number,
): void {
  quartic[0] = dx * dx + dy * dy - radius * radius;
  quartic[1] = 2 * (dx * vx + dy * vy);
  quartic[2] = vx * vx + vy * vy + 2 * (dx * ax + dy * ay);
  quartic[3] = 2 * (vx * ax + vy * ay);
  quartic[4] = ax * ax + ay * ay;
}
