/** Draws one frame of the table: cloth, aim, balls and cue. */

import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import type { Prediction } from './aim.ts';
import { placeLabels } from './labels.ts';
import { paintAfter, paintAim, paintCalled, paintCue } from './paint-aim.ts';
import { paintBall } from './paint-ball.ts';
import { paintTable } from './paint-table.ts';
import type { Facing, Vector } from './playback.ts';
import { UPRIGHT } from './playback.ts';
import type { Projection } from './projection.ts';
import type { Settings } from './tools.ts';
import type { Ball, PoolView } from './view.ts';

/** The inputs of a frame. */
interface Shown {
  readonly canvas: HTMLCanvasElement;
  readonly at: Projection;
  readonly prediction: Prediction | null;
  readonly settings: Settings;
  readonly facings: ReadonlyMap<number, Facing>;
  readonly aim: number;
  readonly view: PoolView;
}

/** From this radius on the number on a ball is readable. CSS pixels. */
const READABLE_PX = 9;

/** The balls' positions, and whether and from where one is shot. */
interface PictureState {
  readonly isAiming: boolean;
  /** No ball rolls: numbers can be read. */
  readonly isResting: boolean;
  readonly balls: readonly Ball[];
  readonly cue: Ball | null;
}

export function paintPicture(
  table: Shown,
  { isAiming, isResting, balls, cue }: PictureState,
): void {
  const { canvas, at, prediction, settings, facings, view } = table;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  const called = prediction === null || settings.safety ? null : settings.ball;
  paintTable(
    pen,
    at,
    {
      cloth: colour('--po-cloth'),
      cushion: colour('--po-cushion'),
      wood: colour('--po-wood'),
      accent: colour('--mp-accent'),
    },
    called === null ? null : settings.pocket,
    isAiming && view.inHand === 'behind_head_string',
  );
  const { contact } = prediction ?? { contact: null };
  if (isAiming && prediction !== null) {
    paintAim(
      pen,
      at,
      prediction.path,
      contact === null ? null : { ...contact, x: contact.ball.x, y: contact.ball.y },
    );
    for (const way of prediction.after) paintAfter(pen, at, way);
  }
  const radius = RADIUS * at.scale;
  const isFlat = isResting && radius >= READABLE_PX;
  for (const { n, x, y } of balls) {
    pen.save();
    pen.translate(...at.toPixels(x, y));
    const onCanvas = ([vx, vy, vz]: Vector): Vector =>
      at.upright ? [-vy, -vx, vz] : [vx, -vy, vz];
    paintBall(pen, n, radius, facings.get(n) ?? UPRIGHT, { onCanvas, isFlat });
    if (n === called) paintCalled(pen, radius, colour('--mp-accent'));
    pen.restore();
  }
  if (isResting && !isFlat && !view.isBreak) paintLabels(pen, balls, radius, canvas, at);
  if (cue !== null) {
    const room = roomBehind(at.toPixels(cue.x, cue.y), at, table.aim, canvas) / at.scale;
    paintCue(pen, at, cue, { aim: table.aim, power: settings.power, room });
  }
}

/** Pixels from a ball to the edge of the canvas, opposite to the aim. */
function roomBehind(
  [x, y]: readonly [number, number],
  at: Projection,
  aim: number,
  { clientWidth, clientHeight }: HTMLCanvasElement,
): number {
  const [ox, oy] = at.toPixels(0, 0);
  const [bx, by] = at.toPixels(-Math.cos(aim), -Math.sin(aim));
  const [dx, dy] = [(bx - ox) / at.scale, (by - oy) / at.scale];
  const reach = (place: number, way: number, size: number): number =>
    way === 0 ? Infinity : ((way > 0 ? size : 0) - place) / way;
  return Math.min(reach(x, dx, clientWidth), reach(y, dy, clientHeight));
}

function paintLabels(
  pen: CanvasRenderingContext2D,
  balls: readonly Ball[],
  radius: number,
  { clientWidth, clientHeight }: HTMLCanvasElement,
  at: Projection,
): void {
  const spots = balls.map((ball) => {
    const [x, y] = at.toPixels(ball.x, ball.y);
    return { n: ball.n, x, y };
  });
  pen.save();
  pen.font = '700 11px sans-serif';
  pen.textAlign = 'center';
  pen.textBaseline = 'middle';
  pen.lineWidth = 3;
  pen.lineJoin = 'round';
  for (const { n, x, y } of placeLabels(spots, radius, clientWidth, clientHeight)) {
    pen.strokeStyle = 'rgb(0 0 0 / 72%)';
    pen.strokeText(String(n), x, y);
    pen.fillStyle = '#fff';
    pen.fillText(String(n), x, y);
  }
  pen.restore();
}
