/** Hit boxes over the stage: where a fighter can be hit, and where it hits. For training. */

import {
  BOLT_BOX,
  bodyBox,
  hitBox,
  isOutOfReach,
  limbBox,
} from '../../../../../../src/games/fight-arena/body.ts';
import type { Box as BodyBox } from '../../../../../../src/games/fight-arena/moves.ts';
import type { Fighter, FightState } from '../../../../../../src/games/fight-arena/state.ts';
import type { MovingCanvas, View } from './moving-canvas.ts';
import type { Box } from './moving-part.ts';
import { unite } from './moving-part.ts';
import type { Pen } from './paint-fighter.ts';

export type BoxKind = 'body' | 'safe' | 'hit';

export interface ShownBox {
  readonly kind: BoxKind;
  /** Millimetres of the stage. */
  readonly box: Box;
}

/** Fill and line. Lines differ too: thin for a body, broken for an invulnerable one, thick for an attack. */
const LOOKS: Readonly<
  Record<BoxKind, { fill: string; line: string; width: number; dash: number[] }>
> = {
  body: { fill: 'rgb(60 200 255 / 22%)', line: '#9fe6ff', width: 14, dash: [] },
  safe: { fill: 'rgb(255 255 255 / 8%)', line: '#fff', width: 14, dash: [70, 50] },
  hit: { fill: 'rgb(255 50 40 / 38%)', line: '#ff5a4d', width: 30, dash: [] },
};
const MARGIN = 40;

/** The boxes of a state, as the rules have them. */
export function boxesOf({ fighters }: FightState): readonly ShownBox[] {
  return fighters.flatMap(boxesOfFighter);
}

function boxesOfFighter(fighter: Fighter): ShownBox[] {
  const { x, y, facing, boltX, boltFacing } = fighter;
  const own: BoxKind = isOutOfReach(fighter) ? 'safe' : 'body';
  const boxes: ShownBox[] = [{ kind: own, box: placed(bodyBox(fighter), x, y, facing) }];
  const limb = limbBox(fighter);
  if (limb !== null) boxes.push({ kind: own, box: placed(limb, x, y, facing) });
  const hit = hitBox(fighter);
  if (hit !== null) boxes.push({ kind: 'hit', box: placed(hit, x, y, facing) });
  if (boltFacing !== 0) boxes.push({ kind: 'hit', box: placed(BOLT_BOX, boltX, 0, boltFacing) });
  return boxes;
}

function placed({ back, front, low, high }: BodyBox, x: number, y: number, facing: number): Box {
  const [left, right] = facing > 0 ? [x + back, x + front] : [x - front, x - back];
  return { left, right, low: y + low, high: y + high };
}

/** Draws them on a separate canvas; null draws nothing. */
export function paintBoxes(canvas: MovingCanvas, state: FightState | null, view: View): void {
  const boxes = state === null ? [] : boxesOf(state);
  const pen = canvas.cover(boxes.length === 0 ? null : around(boxes), view);
  if (pen !== null) for (const each of boxes) paintBox(pen, each);
}

function around(boxes: readonly ShownBox[]): Box {
  const { left, right, low, high } = unite(boxes.map(({ box }) => box));
  return { left: left - MARGIN, right: right + MARGIN, low: low - MARGIN, high: high + MARGIN };
}

function paintBox(pen: Pen, { kind, box: { left, right, low, high } }: ShownBox): void {
  const { fill, line, width, dash } = LOOKS[kind];
  pen.fillStyle = fill;
  pen.strokeStyle = line;
  pen.lineWidth = width;
  pen.setLineDash(dash);
  pen.fillRect(left, low, right - left, high - low);
  pen.strokeRect(left, low, right - left, high - low);
}
