/** What each seat holds down, gathered on the server, and which ticks may be played: pure. */

import type { Seat } from '../../../game/src/game.ts';

/** A tick is played no later than so many ticks after its time, with what is known by then. */
export const LATE_TICKS_MAX = 9;
/** Masks for ticks further ahead of the clock are not kept. */
export const AHEAD_TICKS_MAX = 30;
/** Masks that one frame may bring. */
export const MASKS_MAX = 60;

/** Why masks were not taken; nothing has changed then. */
export type MasksRefusal = 'too_far_ahead';

export interface Collector {
  /**
   * Takes a seat's masks for the ticks from `from` on, checked by `parseMasks`. What is for ticks
   * already played is passed over and counted; what was told before stands; a gap is filled with
   * the mask before it. `dueTick` is the tick whose time it is.
   */
  accept(seat: Seat, from: number, masks: readonly number[], dueTick: number): MasksRefusal | null;
  /** The seat drops everything from the next tick to be played on: its player has gone. */
  release(seat: Seat): void;
  /**
   * Masks of the ticks that may be played now, tick by tick and by seat: those that every seat has
   * told, and those that are too late to be waited for. They count as played from now on.
   */
  take(dueTick: number): readonly (readonly number[])[];
  /** The next tick to be played. */
  readonly nextTick: () => number;
  /** Ticks that were filled with the last known mask, and masks that came too late, by seat. */
  readonly stats: readonly { readonly filled: number; readonly late: number }[];
}

interface SeatInput {
  /** Masks told for `nextTick` and the ticks after it. */
  readonly told: number[];
  /** The mask of the last tick played. */
  last: number;
  /** True for seats without a player: nobody is waited for. */
  isReleased: boolean;
  filled: number;
  late: number;
}

/** Begins with tick `nextTick`: 0, or where the log ends. */
export function makeCollector(seats: number, from: number): Collector {
  const inputs = Array.from(
    { length: seats },
    (): SeatInput => ({ told: [], last: 0, isReleased: false, filled: 0, late: 0 }),
  );
  let nextTick = from;
  return {
    nextTick: () => nextTick,
    stats: inputs,
    accept(seat, first, masks, dueTick) {
      if (first + masks.length > dueTick + AHEAD_TICKS_MAX) return 'too_far_ahead';
      const input = inputs[seat]!;
      input.isReleased = false;
      for (const [index, mask] of masks.entries()) tell(input, first + index - nextTick, mask);
      return null;
    },
    release(seat) {
      const input = inputs[seat]!;
      input.told.length = 0;
      input.last = 0;
      input.isReleased = true;
    },
    take(dueTick) {
      const ticks: (readonly number[])[] = [];
      while (nextTick <= dueTick && isReady(inputs, nextTick, dueTick)) {
        ticks.push(inputs.map(takeOne));
        nextTick += 1;
      }
      return ticks;
    },
  };
}

/** `place` counts from the next tick to be played. */
function tell(input: SeatInput, place: number, mask: number): void {
  if (place < 0) input.late += 1;
  while (input.told.length < place) input.told.push(input.told.at(-1) ?? input.last);
  if (place === input.told.length) input.told.push(mask);
}

function isReady(inputs: readonly SeatInput[], tick: number, dueTick: number): boolean {
  if (dueTick - tick >= LATE_TICKS_MAX) return true;
  return inputs.every(({ told, isReleased }) => told.length > 0 || isReleased);
}

function takeOne(input: SeatInput): number {
  const mask = input.told.shift();
  if (mask !== undefined) input.last = mask;
  else if (!input.isReleased) input.filled += 1;
  return input.last;
}
