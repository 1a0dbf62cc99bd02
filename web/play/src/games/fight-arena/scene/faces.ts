/** @table The expressions of fighters: strokes on a head, millimetres from its middle, x ahead, y up. */

import type { Point } from './pose.ts';

export type Mood = 'calm' | 'keen' | 'hurt' | 'out' | 'glad';

/** A stroke of this width through these points. */
type Line = readonly [width: number, ...points: Point[]];

export interface Face {
  /** Whether the eyes are open. */
  readonly sees: boolean;
  readonly lines: readonly Line[];
}

const BROW: Line = [16, [34, 50], [84, 36]];
const MOUTH: Line = [14, [72, -74], [106, -74]];

export const FACES: Readonly<Record<Mood, Face>> = {
  calm: { sees: true, lines: [MOUTH] },
  keen: { sees: true, lines: [BROW, MOUTH] },
  glad: {
    sees: false,
    lines: [
      [16, [46, 2], [66, 24], [86, 2]],
      [16, [104, 2], [118, 22], [130, 2]],
      [16, [62, -62], [86, -82], [112, -66]],
    ],
  },
  hurt: {
    sees: false,
    lines: [
      [16, [44, 26], [82, 8], [46, -10]],
      [16, [134, 26], [106, 8], [132, -10]],
      [16, [70, -80], [88, -64], [108, -80]],
    ],
  },
  out: {
    sees: false,
    lines: [
      [16, [44, 26], [80, -10]],
      [16, [44, -10], [80, 26]],
      [16, [100, 26], [136, -10]],
      [16, [100, -10], [136, 26]],
      MOUTH,
    ],
  },
};
