/** From metres on the table to pixels of the canvas and back, horizontal or upright. Pure. */

import { LENGTH, WIDTH } from '../../../../../src/games/pool/physics/parameters.ts';

/** The width of the rails with the pockets, m. */
export const RAIL = 0.145;

export interface Projection {
  /** Pixels a metre. */
  readonly scale: number;
  /** Head at the bottom instead of at the left. */
  readonly upright: boolean;
  toPixels(x: number, y: number): readonly [number, number];
  toTable(px: number, py: number): readonly [number, number];
}

/**
 * An upright table stays so even in a container this low, in parts of its width: below a result and in a replay there
 * is
 * less room.
 */
const UPRIGHT_LEAST = 0.8;

/** The largest table that fits, centred. It is upright only in a container that is high enough, and never on a wide screen. */
export function makeProjection(width: number, height: number, isWideScreen = false): Projection {
  const upright = height > width * UPRIGHT_LEAST && !isWideScreen;
  const long = LENGTH + 2 * RAIL;
  const short = WIDTH + 2 * RAIL;
  const scale = upright
    ? Math.min(width / short, height / long)
    : Math.min(width / long, height / short);
  const [middleX, middleY] = [width / 2, height / 2];
  return {
    scale,
    upright,
    toPixels: (x, y) =>
      upright
        ? [middleX - y * scale, middleY - x * scale]
        : [middleX + x * scale, middleY - y * scale],
    toTable: (px, py) =>
      upright
        ? [(middleY - py) / scale, (middleX - px) / scale]
        : [(px - middleX) / scale, (middleY - py) / scale],
  };
}
