/** Draws the table: wooden rails, cushions, cloth, pockets and marks. */

import {
  CORNER_CUT,
  FOOT_SPOT_X,
  HALF_LENGTH,
  HALF_SIDE_MOUTH,
  HALF_WIDTH,
  HEAD_STRING_X,
  MOUTHS,
  type Pocket,
} from '../../../../../src/games/pool/physics/table.ts';
import type { Place } from '../../../../../src/games/pool/rack.ts';
import type { Projection } from './projection.ts';
import { RAIL } from './projection.ts';

/** Colours of the page, from its theme. */
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

/** `isZone`: the cue ball must be placed behind the head string, and the cloth there is highlighted. */
export function paintTable(
  pen: CanvasRenderingContext2D,
  at: Projection,
  paints: Paints,
  called: Pocket | null,
  isZone: boolean,
): void {
  const { scale } = at;
  box(pen, at, HALF_LENGTH + RAIL * 0.98, HALF_WIDTH + RAIL * 0.98, 0.075 * scale);
  pen.fillStyle = paints.wood;
  pen.fill();
  pen.lineWidth = Math.max(1, 0.006 * scale);
  pen.strokeStyle = 'rgb(255 255 255 / 16%)';
  pen.stroke();
  for (const mouth of MOUTHS) paintCasting(pen, at, mouth);
  box(pen, at, HALF_LENGTH + CUSHION, HALF_WIDTH + CUSHION, 0.02 * scale);
  pen.fillStyle = paints.cloth;
  pen.fill();
  if (isZone) {
    span(pen, at, [-HALF_LENGTH, -HALF_WIDTH], [HEAD_STRING_X, HALF_WIDTH]);
    pen.fillStyle = 'rgb(255 255 255 / 13%)';
    pen.fill();
  }
  for (const corners of CUSHIONS) {
    trace(pen, at, corners);
    pen.closePath();
    pen.fillStyle = paints.cushion;
    pen.fill();
    // The nose catches the light and throws a shadow on the cloth.
    trace(pen, at, corners.slice(0, 2));
    pen.lineWidth = Math.max(1, 0.007 * scale);
    pen.strokeStyle = 'rgb(255 255 255 / 20%)';
    pen.stroke();
  }
  paintMarks(pen, at);
  for (const mouth of MOUTHS) {
    paintHole(pen, at, mouth);
    if (mouth.pocket === called) paintRing(pen, at, mouth, paints.accent);
  }
}

type Hole = (typeof MOUTHS)[number];

/** The metal around a pocket. */
function paintCasting(pen: CanvasRenderingContext2D, at: Projection, { x, y, hole }: Hole): void {
  const [px, py] = at.toPixels(x, y);
  const radius = hole * 1.42 * at.scale;
  const metal = pen.createLinearGradient(px - radius, py - radius, px + radius, py + radius);
  metal.addColorStop(0, '#d8d3c6');
  metal.addColorStop(0.45, '#8d8a82');
  metal.addColorStop(1, '#55534e');
  // The wood's own edge bounds it.
  pen.save();
  box(pen, at, HALF_LENGTH + RAIL * 0.98, HALF_WIDTH + RAIL * 0.98, 0.075 * at.scale);
  pen.clip();
  ring(pen, px, py, radius);
  pen.fillStyle = metal;
  pen.fill();
  pen.restore();
}

/** A dark pocket with a leather rim that is lit from above. */
function paintHole(pen: CanvasRenderingContext2D, at: Projection, { x, y, hole }: Hole): void {
  const [px, py] = at.toPixels(x, y);
  const radius = hole * at.scale;
  ring(pen, px, py, radius * 1.1);
  pen.fillStyle = '#2b211b';
  pen.fill();
  const depth = pen.createRadialGradient(px, py + radius * 0.25, radius * 0.2, px, py, radius);
  depth.addColorStop(0, '#000');
  depth.addColorStop(0.75, '#070808');
  depth.addColorStop(1, '#25201c');
  ring(pen, px, py, radius);
  pen.fillStyle = depth;
  pen.fill();
  pen.beginPath();
  pen.arc(px, py, radius * 1.04, 0.15 * Math.PI, 0.85 * Math.PI);
  pen.lineWidth = Math.max(1, radius * 0.1);
  pen.strokeStyle = 'rgb(255 255 255 / 22%)';
  pen.stroke();
}

function paintRing(
  pen: CanvasRenderingContext2D,
  at: Projection,
  { x, y, hole }: Hole,
  accent: string,
): void {
  const [px, py] = at.toPixels(x, y);
  const width = Math.max(3, 0.018 * at.scale);
  ring(pen, px, py, hole * at.scale + width / 2);
  pen.lineWidth = width;
  pen.strokeStyle = accent;
  pen.stroke();
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

export function trace(
  pen: CanvasRenderingContext2D,
  at: Projection,
  points: readonly Place[],
): void {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(...at.toPixels(x, y));
}

export function ring(pen: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
}

/** A rectangle from one corner to the other. */
function span(pen: CanvasRenderingContext2D, at: Projection, from: Place, to: Place): void {
  const [ax, ay] = at.toPixels(...from);
  const [bx, by] = at.toPixels(...to);
  pen.beginPath();
  pen.rect(Math.min(ax, bx), Math.min(ay, by), Math.abs(ax - bx), Math.abs(ay - by));
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
