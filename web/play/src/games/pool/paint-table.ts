/** The table: rails of wood, cushions, cloth, pockets, and the lines a shot is aimed by. */

import { RADIUS } from '../../../../../src/games/pool/parameters.ts';
import type { Place } from '../../../../../src/games/pool/rack.ts';
import {
  CORNER_CUT,
  FOOT_SPOT_X,
  HALF_LENGTH,
  HALF_SIDE_MOUTH,
  HALF_WIDTH,
  HEAD_STRING_X,
  MOUTHS,
  type Pocket,
} from '../../../../../src/games/pool/table.ts';
import type { Projection } from './projection.ts';
import { RAIL } from './projection.ts';

/** Colours of the page, as the theme has them. */
export interface Paints {
  readonly cloth: string;
  readonly cushion: string;
  readonly wood: string;
  readonly accent: string;
}

/** How far a cushion reaches from its nose to the wood, m. */
const CUSHION = 0.045;

/** A cushion from one nose tip to the other, with its slanted ends. */
const CUSHIONS: readonly (readonly Place[])[] = [
  ...[1, -1].flatMap((sign) =>
    [1, -1].map((side): Place[] => [
      [side * HALF_SIDE_MOUTH, sign * HALF_WIDTH],
      [side * (HALF_LENGTH - CORNER_CUT), sign * HALF_WIDTH],
      [side * (HALF_LENGTH - CORNER_CUT + CUSHION * 1.1), sign * (HALF_WIDTH + CUSHION)],
      [side * (HALF_SIDE_MOUTH - CUSHION * 0.25), sign * (HALF_WIDTH + CUSHION)],
    ]),
  ),
  ...[1, -1].map((sign): Place[] => [
    [sign * HALF_LENGTH, HALF_WIDTH - CORNER_CUT],
    [sign * HALF_LENGTH, CORNER_CUT - HALF_WIDTH],
    [sign * (HALF_LENGTH + CUSHION), CORNER_CUT - HALF_WIDTH - CUSHION * 1.1],
    [sign * (HALF_LENGTH + CUSHION), HALF_WIDTH - CORNER_CUT + CUSHION * 1.1],
  ]),
];

export function paintTable(
  pen: CanvasRenderingContext2D,
  at: Projection,
  paints: Paints,
  called: Pocket | null,
): void {
  const { scale } = at;
  box(pen, at, HALF_LENGTH + RAIL * 0.96, HALF_WIDTH + RAIL * 0.96, 0.09 * scale);
  pen.fillStyle = paints.wood;
  pen.fill();
  box(pen, at, HALF_LENGTH + CUSHION, HALF_WIDTH + CUSHION, 0.02 * scale);
  pen.fillStyle = paints.cloth;
  pen.fill();
  for (const corners of CUSHIONS) {
    trace(pen, at, corners);
    pen.closePath();
    pen.fillStyle = paints.cushion;
    pen.fill();
  }
  paintMarks(pen, at);
  for (const { pocket, x, y, hole } of MOUTHS) {
    const [px, py] = at.toPixels(x, y);
    ring(pen, px, py, hole * scale);
    pen.fillStyle = '#0b0f10';
    pen.fill();
    pen.lineWidth = Math.max(1.5, 0.008 * scale);
    pen.strokeStyle = pocket === called ? paints.accent : 'rgb(0 0 0 / 45%)';
    if (pocket === called) pen.lineWidth *= 2.2;
    pen.stroke();
  }
}

/** Head string, foot spot and the sights on the rails. */
function paintMarks(pen: CanvasRenderingContext2D, at: Projection): void {
  trace(pen, at, [
    [HEAD_STRING_X, -HALF_WIDTH],
    [HEAD_STRING_X, HALF_WIDTH],
  ]);
  pen.lineWidth = 1;
  pen.strokeStyle = 'rgb(255 255 255 / 22%)';
  pen.stroke();
  const dot = (x: number, y: number, radius: number, colour: string): void => {
    const [px, py] = at.toPixels(x, y);
    ring(pen, px, py, radius);
    pen.fillStyle = colour;
    pen.fill();
  };
  dot(FOOT_SPOT_X, 0, 2, 'rgb(255 255 255 / 35%)');
  const sight = Math.max(1.4, 0.007 * at.scale);
  for (const eighth of [1, 2, 3, 5, 6, 7]) {
    const x = (eighth / 4 - 1) * HALF_LENGTH;
    for (const sign of [1, -1]) dot(x, sign * (HALF_WIDTH + 0.092), sight, '#f0e6cf');
  }
  for (const quarter of [-0.5, 0, 0.5]) {
    for (const sign of [1, -1]) {
      dot(sign * (HALF_LENGTH + 0.092), quarter * HALF_WIDTH, sight, '#f0e6cf');
    }
  }
}

/** The way of the cue ball, the ghost where it meets, and where the ball met goes. */
export function paintAim(
  pen: CanvasRenderingContext2D,
  at: Projection,
  way: readonly Place[],
  met: { readonly x: number; readonly y: number; readonly dx: number; readonly dy: number } | null,
): void {
  const last = way.at(-1);
  if (last === undefined) return;
  pen.setLineDash([6, 5]);
  pen.lineWidth = 1.6;
  pen.strokeStyle = 'rgb(255 255 255 / 82%)';
  trace(pen, at, way);
  pen.stroke();
  pen.setLineDash([]);
  const [px, py] = at.toPixels(last[0], last[1]);
  ring(pen, px, py, RADIUS * at.scale);
  pen.stroke();
  if (met === null) return;
  const reach = 0.22;
  trace(pen, at, [
    [met.x, met.y],
    [met.x + met.dx * reach, met.y + met.dy * reach],
  ]);
  pen.lineWidth = 2;
  pen.stroke();
}

/** The cue behind the ball, drawn back as far as the shot is strong (0 to 1). */
export function paintCue(
  pen: CanvasRenderingContext2D,
  at: Projection,
  [x, y]: Place,
  aim: number,
  power: number,
): void {
  const [dx, dy] = [Math.cos(aim), Math.sin(aim)];
  const tip = RADIUS * 1.5 + power * 0.2;
  const part = (from: number, to: number, width: number, colour: string): void => {
    trace(pen, at, [
      [x - dx * (tip + from), y - dy * (tip + from)],
      [x - dx * (tip + to), y - dy * (tip + to)],
    ]);
    pen.lineWidth = width * at.scale;
    pen.lineCap = 'round';
    pen.strokeStyle = colour;
    pen.stroke();
  };
  part(0, 1.1, 0.017, 'rgb(0 0 0 / 25%)');
  part(0.5, 1.1, 0.02, '#5a3318');
  part(0.02, 0.5, 0.013, '#d9b27c');
  part(0, 0.02, 0.012, '#4b78a8');
  pen.lineCap = 'butt';
}

function trace(pen: CanvasRenderingContext2D, at: Projection, points: readonly Place[]): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(...at.toPixels(x, y));
}

function ring(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

function box(
  pen: CanvasRenderingContext2D,
  at: Projection,
  halfX: number,
  halfY: number,
  round: number,
): void {
  const [ax, ay] = at.toPixels(-halfX, -halfY);
  const [bx, by] = at.toPixels(halfX, halfY);
  pen.beginPath();
  const left = Math.min(ax, bx);
  const top = Math.min(ay, by);
  pen.roundRect(left, top, Math.abs(ax - bx), Math.abs(ay - by), round);
}
