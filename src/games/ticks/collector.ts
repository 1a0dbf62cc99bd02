/** Each seat's inputs, collected on the server, and which ticks may be played: pure. */

import type { Seat } from '../../../game/src/game.ts';

/** A tick is played at most this many ticks after its time, with the inputs known by then. */
export const LATE_TICKS_MAX = 9;
/** Masks for ticks further ahead of the clock are dropped. */
export const AHEAD_TICKS_MAX = 30;
/** The most masks of one frame. */
export const MASKS_MAX = 60;

/** Why masks were refused; nothing has changed then. */
export type MasksRefusal = 'too_far_ahead';

export interface Collector {
  /**
   * Accepts a seat's masks for the ticks from `from` on, checked by `parseMasks`. Those for ticks
   * already played are ignored and counted; earlier inputs are final; a gap is filled with the mask
   * before it. `dueTick` is the tick that is due now.
   */
  accept(seat: Seat, from: number, masks: readonly number[], dueTick: number): MasksRefusal | null;
  /** The seat releases everything from the next tick on: its player has left. */
  release(seat: Seat): void;
  /**
   * The masks of the ticks that may be played now, tick by tick and by seat: complete ones, and
   * those that are too late to wait for. They count as played from now on.
   */
  take(dueTick: number): readonly (readonly number[])[];
  /** The next tick to be played. */
  readonly nextTick: () => number;
  /** Ticks that were filled with the last known mask, and masks that came too late, by seat. */
  readonly stats: readonly { readonly filled: number; readonly late: number }[];
}

interface SeatInput {
  /** Masks received for `nextTick` and later. */
  readonly told: number[];
  /** The mask of the last tick played. */
  last: number;
  /** True for seats without a player: nobody waits for them. */
  isReleased: boolean;
  filled: number;
  late: number;
}

/** Starts with tick `nextTick`: 0, or the end of the log. */
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
