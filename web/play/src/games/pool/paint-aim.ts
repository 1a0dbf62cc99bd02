/** Draws the lines of an aim, the call, and the cue. */

import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import type { Place } from '../../../../../src/games/pool/rack.ts';
import { ring, trace } from './paint-table.ts';
import type { Projection } from './projection.ts';

/** The path of the cue ball, the ghost ball at the contact, and the direction of the object ball. */
export function paintAim(
  pen: CanvasRenderingContext2D,
  at: Projection,
  way: readonly Place[],
  contact: {
    readonly x: number;
    readonly y: number;
    readonly dx: number;
    readonly dy: number;
  } | null,
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
  if (contact === null) return;
  const reach = 0.22;
  trace(pen, at, [
    [contact.x, contact.y],
    [contact.x + contact.dx * reach, contact.y + contact.dy * reach],
  ]);
  pen.lineWidth = 2;
  pen.stroke();
}

/** A ball's path after the contact. */
export function paintAfter(
  pen: CanvasRenderingContext2D,
  at: Projection,
  way: readonly Place[],
): void {
  trace(pen, at, way);
  pen.setLineDash([2, 5]);
  pen.lineCap = 'round';
  pen.lineWidth = 2;
  pen.strokeStyle = 'rgb(255 240 190 / 85%)';
  pen.stroke();
  pen.setLineDash([]);
  pen.lineCap = 'butt';
}

/** The called ball, at the origin of the pen. */
export function paintCalled(pen: CanvasRenderingContext2D, radius: number, accent: string): void {
  ring(pen, 0, 0, radius + 3);
  pen.lineWidth = 4;
  pen.strokeStyle = 'rgb(0 0 0 / 45%)';
  pen.stroke();
  pen.lineWidth = 2.2;
  pen.strokeStyle = accent;
  pen.stroke();
}

const CUE_LENGTH = 1.1;
/** Where the tip rests, and how far back it is at full power, m. */
const TIP_REST = RADIUS * 1.4;
const TIP_PULL = 0.2;
/** The share of the space behind the ball that is left for the cue when it is pulled back. */
const CUE_PART_LEAST = 0.45;

/** The cue behind the ball, pulled back by the power (0 to 1). All of it is drawn, however little room there is. */
export function paintCue(
  pen: CanvasRenderingContext2D,
  at: Projection,
  { x, y }: { readonly x: number; readonly y: number },
  { aim, power, room }: { readonly aim: number; readonly power: number; readonly room: number },
): void {
  const [dx, dy] = [Math.cos(aim), Math.sin(aim)];
  // Includes the round end of the butt.
  const space = Math.max(0, room - TIP_REST - 0.02);
  const tip = TIP_REST + power * Math.min(TIP_PULL, space * (1 - CUE_PART_LEAST));
  const length = Math.min(CUE_LENGTH, Math.max(0, room - tip - 0.02));
  const part = (from: number, to: number, width: number, colour: string): void => {
    trace(pen, at, [
      [x - dx * (tip + from * length), y - dy * (tip + from * length)],
      [x - dx * (tip + to * length), y - dy * (tip + to * length)],
    ]);
    pen.lineWidth = width * at.scale;
    pen.lineCap = 'round';
    pen.strokeStyle = colour;
    pen.stroke();
  };
  part(0, 1, 0.026, 'rgb(0 0 0 / 28%)');
  part(0.42, 1, 0.023, '#3d2212');
  part(0.45, 0.97, 0.012, '#6d4226');
  part(0.03, 0.44, 0.015, '#e2bd88');
  part(0.43, 0.45, 0.02, '#f4ecd8');
  part(0, 0.02, 0.013, '#5f95cf');
  pen.lineCap = 'butt';
}
