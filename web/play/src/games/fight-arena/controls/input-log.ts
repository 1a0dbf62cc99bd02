/** A seat's recent inputs and their durations: newest first. Pure. */

import {
  DOWN,
  isDown,
  isUp,
  LEFT,
  RIGHT,
  sideways,
  UP,
} from '../../../../../../src/games/fight-arena/controls.ts';
import type { FightState } from '../../../../../../src/games/fight-arena/state.ts';

export interface HeldInput {
  readonly mask: number;
  /** Ticks. */
  readonly ticks: number;
}

export interface InputLog {
  /** Takes the state of a rendered frame. Returns whether anything except a count has changed. */
  take(state: FightState): boolean;
  /** By seat. */
  readonly rows: readonly [readonly HeldInput[], readonly HeldInput[]];
}

export const ROWS_MAX = 8;
/** Higher counts are not shown. */
const TICKS_MAX = 99;

export function makeInputLog(): InputLog {
  const rows: [HeldInput[], HeldInput[]] = [[], []];
  let last = -1;
  return {
    rows,
    take({ tick, fighters }) {
      const passed = tick - last;
      // A jump in time, also backwards: the recorded inputs do not belong to this state.
      if (passed < 0 || passed > TICKS_MAX) for (const each of rows) each.length = 0;
      last = tick;
      if (passed === 0) return false;
      const changed = fighters.map(({ held }, seat) => note(rows[seat]!, held, Math.abs(passed)));
      return changed.includes(true);
    },
  };
}

function note(rows: HeldInput[], mask: number, passed: number): boolean {
  const newest = rows[0];
  if (newest?.mask === mask) {
    rows[0] = { mask, ticks: Math.min(TICKS_MAX, newest.ticks + passed) };
    return false;
  }
  rows.unshift({ mask, ticks: 1 });
  if (rows.length > ROWS_MAX) rows.pop();
  return true;
}

const ARROWS: Readonly<Record<number, string>> = {
  0: '·',
  [LEFT]: '←',
  [RIGHT]: '→',
  [UP]: '↑',
  [DOWN]: '↓',
  [LEFT | UP]: '↖',
  [RIGHT | UP]: '↗',
  [LEFT | DOWN]: '↙',
  [RIGHT | DOWN]: '↘',
};

/** The stick's direction as an arrow; opposite directions cancel out. */
export function arrowOf(mask: number): string {
  const side = sideways(mask);
  const aside = side === 0 ? 0 : side < 0 ? LEFT : RIGHT;
  const upright = isUp(mask) ? UP : isDown(mask) ? DOWN : 0;
  return ARROWS[aside | upright]!;
}
