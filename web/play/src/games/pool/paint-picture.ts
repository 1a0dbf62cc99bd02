/** One picture of the table: cloth, aim, balls and cue. */

import { RADIUS } from '../../../../../src/games/pool/parameters.ts';
import type { Prediction } from './aim.ts';
import { paintBall } from './paint-ball.ts';
import { paintAim, paintCue, paintTable } from './paint-table.ts';
import type { Facing } from './playback.ts';
import { UPRIGHT } from './playback.ts';
import type { Projection } from './projection.ts';
import type { Settings } from './tools.ts';
import type { Ball } from './view.ts';

/** What the picture takes from the table. */
interface Shown {
  readonly canvas: HTMLCanvasElement;
  readonly at: Projection;
  readonly prediction: Prediction | null;
  readonly settings: Settings;
  readonly facings: ReadonlyMap<number, Facing>;
  readonly aim: number;
}

/** Where the balls lie, and whether and from where one is struck. */
interface Lies {
  readonly isAiming: boolean;
  readonly balls: readonly Ball[];
  readonly cue: Ball | null;
}

export function paintPicture(table: Shown, { isAiming, balls, cue }: Lies): void {
  const { canvas, at, prediction, settings, facings } = table;
  const pen = canvas.getContext('2d');
  if (pen === null) return;
  const style = getComputedStyle(canvas);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  paintTable(
    pen,
    at,
    {
      cloth: colour('--po-cloth'),
      cushion: colour('--po-cushion'),
      wood: colour('--po-wood'),
      accent: colour('--mp-accent'),
    },
    prediction === null || settings.safety ? null : settings.pocket,
  );
  const { met } = prediction ?? { met: null };
  if (isAiming && prediction !== null) {
    paintAim(
      pen,
      at,
      prediction.way,
      met === null ? null : { ...met, x: met.ball.x, y: met.ball.y },
    );
  }
  const radius = RADIUS * at.scale;
  for (const { n, x, y } of balls) {
    pen.save();
    pen.translate(...at.toPixels(x, y));
    paintBall(pen, n, radius, facings.get(n) ?? UPRIGHT, ([vx, vy, vz]) =>
      at.upright ? [-vy, -vx, vz] : [vx, -vy, vz],
    );
    pen.restore();
  }
  if (cue !== null) paintCue(pen, at, [cue.x, cue.y], table.aim, settings.power);
}
