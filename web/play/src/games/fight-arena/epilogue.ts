/**
 * The animation after the last attack of a match: the rules stop there, but players see the fall
 * and the win. Pure.
 */

import type { FightState } from '../../../../../src/games/fight-arena/state.ts';
import { step } from '../../../../../src/games/fight-arena/step.ts';

/** It lasts this many ticks: any fall has ended by then, and the winner cheers. */
const EPILOGUE_TICKS = 180;
const TICKS_PER_SECOND = 60;
const NOTHING_HELD = [0, 0] as const;

export interface Epilogue {
  /** The state in which the match ended. */
  readonly end: FightState;
  /** Seconds after the end. */
  stateAt(seconds: number): FightState;
}

/** `end` is the state of a match that its rounds have decided. */
export function makeEpilogue(end: FightState): Epilogue {
  const states = [end];
  // Between two rounds bodies move without contact; the next round does not begin.
  let body: FightState = { ...end, phase: 'pause', left: EPILOGUE_TICKS + 1 };
  return {
    end,
    stateAt(seconds) {
      const wanted = Math.min(EPILOGUE_TICKS, Math.floor(seconds * TICKS_PER_SECOND));
      while (states.length <= wanted) {
        body = step(body, NOTHING_HELD);
        states.push({ ...body, phase: 'over', left: end.left });
      }
      return states[wanted]!;
    },
  };
}

/** Whether both states have the same end. A prediction may have a different one. */
export function isSameEnd(a: FightState, b: FightState): boolean {
  if (a === b) return true;
  return a.tick === b.tick && JSON.stringify(a.fighters) === JSON.stringify(b.fighters);
}
