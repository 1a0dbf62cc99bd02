/** Counts combos: hits and damage, shown for a little longer than they last. Pure. */

import type { FightState } from '../../../../../src/games/fight-arena/state.ts';

export interface Combo {
  readonly hits: number;
  readonly damage: number;
}

export interface ComboCounter {
  /** Takes the state of a rendered frame. Returns each fighter's combo; null for none. */
  take(state: FightState): readonly [Combo | null, Combo | null];
}

/** A combo stays visible for this many ticks after the recovery from its last hit. */
const STAY_TICKS = 75;
/** A single hit is not a combo. */
const HITS_MIN = 2;

/** The combo that hits one fighter. */
interface Run {
  hits: number;
  /** Health before the first hit, after the last, and in the last tick without a hit. */
  from: number;
  to: number;
  idle: number;
  /** The tick in which the fighter was free again; null during the combo. */
  endedAt: number | null;
}

export function makeComboCounter(): ComboCounter {
  const runs = [makeRun(), makeRun()] as const;
  return {
    take(state) {
      for (const target of [0, 1] as const) follow(runs[target], state, target);
      return [comboOf(runs[1]), comboOf(runs[0])];
    },
  };
}

const makeRun = (): Run => ({ hits: 0, from: 0, to: 0, idle: 0, endedAt: 0 });

function follow(run: Run, { phase, tick, fighters }: FightState, target: 0 | 1): void {
  const { row, health } = fighters[target];
  if (row > 0) {
    if (run.endedAt !== null)
      Object.assign(run, { from: Math.max(run.idle, health), endedAt: null });
    run.hits = row;
    run.to = health;
    return;
  }
  run.endedAt ??= tick;
  // Mispredicted hits, an older combo, and the round before are not shown.
  const isUndone = health > run.to && run.hits > 0;
  const isOld = tick - run.endedAt > STAY_TICKS || tick < run.endedAt;
  if (isUndone || isOld || phase === 'ready') run.hits = 0;
  run.idle = health;
}

function comboOf({ hits, from, to }: Run): Combo | null {
  return hits < HITS_MIN ? null : { hits, damage: from - to };
}
