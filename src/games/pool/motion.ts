/** The balls' motion in a shot, in wire form: whole numbers that any client can draw. */

import type { Course, Leg, Shot } from './physics/simulate.ts';
import type { Pocket } from './physics/table.ts';
import type { Cushion } from './physics/walls.ts';
import type { Place } from './rack.ts';

/** Times are whole microseconds after the strike, lengths whole hundredths of a millimetre. */
const TICKS_A_SECOND = 1_000_000;
const TICKS_A_METRE = 100_000;

/**
 * A ball's path: `ball, t, x, y`, then five numbers per piece, `dt, cx, cy, dx, dy`. The ball is at
 * (x, y) until `t`. A piece lasts `dt` and is a quadratic Bézier curve whose parameter is
 * proportional to time; its control point (cx, cy) and its end (dx, dy) are relative to its
 * beginning. This is exact, because constant acceleration is such a curve. After its last piece the
 * ball stays, or has fallen.
 */
export type Path = readonly number[];

/** The motion of one shot. */
export type Motion = {
  /** When nothing travels any more. */
  readonly duration: number;
  /** For the balls that travelled, in the order of their numbers. */
  readonly paths: readonly Path[];
  /** Contacts of two balls: time, ball, ball. In order of time. */
  readonly contacts: readonly (readonly [number, number, number])[];
  /** Contacts of a ball with a cushion, or a jaw of a pocket: time, ball, which. In order of time. */
  readonly cushions: readonly (readonly [number, number, Cushion | Pocket])[];
};

/** `shot` must have its courses. A drawing of this is within 0.05 mm of the shot at any time. */
export function makeMotion({ courses, events }: Shot): Motion {
  const paths = courses.map(makePath).filter((path) => path.length > HEAD);
  return {
    duration: paths.reduce((most, path) => Math.max(most, endOf(path)), 0),
    paths,
    contacts: events.flatMap((event) =>
      event.kind === 'contact' ? [[ticks(event.t, TICKS_A_SECOND), ...event.balls] as const] : [],
    ),
    cushions: events.flatMap((event) =>
      event.kind === 'cushion'
        ? [[ticks(event.t, TICKS_A_SECOND), event.ball, event.at] as const]
        : [],
    ),
  };
}

/** Numbers of a path before its first piece, and of each piece. */
const HEAD = 4;
const PIECE = 5;

/** Rounded; never -0, which JSON does not keep. */
function ticks(value: number, perUnit: number): number {
  return Math.round(value * perUnit) + 0;
}

interface Knot {
  readonly t: number;
  readonly x: number;
  readonly y: number;
}

function knotOf({ t, x, y }: Knot): Knot {
  return {
    t: ticks(t, TICKS_A_SECOND),
    x: ticks(x, TICKS_A_METRE),
    y: ticks(y, TICKS_A_METRE),
  };
}

function makePath({ ball, legs }: Course): Path {
  let from = knotOf(legs[0]!);
  const path = [ball, from.t, from.x, from.y];
  for (const [index, next] of legs.slice(1).entries()) {
    const to = knotOf(next);
    // Legs shorter than a microsecond are left out.
    if (to.t === from.t) continue;
    pushPiece(path, from, controlOf(legs[index]!, next.t), to);
    from = to;
  }
  while (path.length > HEAD && isStill(path, path.length - PIECE)) path.length -= PIECE;
  return path;
}

/** Where a leg would lead in half its time at its initial speed. */
function controlOf({ t, x, y, vx, vy }: Leg, end: number): Knot {
  const half = (end - t) / 2;
  return knotOf({ t, x: x + vx * half, y: y + vy * half });
}

/** Consecutive pieces without movement become one. */
function pushPiece(path: number[], from: Knot, control: Knot, to: Knot): void {
  const piece = [control.x - from.x, control.y - from.y, to.x - from.x, to.y - from.y];
  const last = path.length - PIECE;
  if (last >= HEAD && isStill(path, last) && piece.every((figure) => figure === 0)) {
    path[last]! += to.t - from.t;
  } else path.push(to.t - from.t, ...piece);
}

function isStill(path: Path, piece: number): boolean {
  return path.slice(piece + 1, piece + PIECE).every((figure) => figure === 0);
}

function endOf(path: Path): number {
  let time = path[1]!;
  for (let piece = HEAD; piece < path.length; piece += PIECE) time += path[piece]!;
  return time;
}

/** A ball's position on its path that many seconds after the strike, in metres. */
export function placeOnPath(path: Path, time: number): Place {
  let [, t, x, y] = path as [number, number, number, number];
  for (let piece = HEAD; piece < path.length; piece += PIECE) {
    const [dt, cx, cy, dx, dy] = path.slice(piece, piece + PIECE) as [
      ...[number, number, number, number, number],
    ];
    const share = (time * TICKS_A_SECOND - t) / dt;
    if (share < 1) {
      const u = share < 0 ? 0 : share;
      x += 2 * u * (1 - u) * cx + u * u * dx;
      y += 2 * u * (1 - u) * cy + u * u * dy;
      break;
    }
    t += dt;
    x += dx;
    y += dy;
  }
  return [x / TICKS_A_METRE, y / TICKS_A_METRE];
}
