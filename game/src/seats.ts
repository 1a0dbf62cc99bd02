/** Seats in turn order and in simultaneous play. */

import type { Seat } from './game.ts';

/** The next seat in turn order that is not in `out`; the seat itself if there is no other. */
export function seatAfter(seat: Seat, seats: number, out: readonly Seat[] = []): Seat {
  for (let step = 1; step < seats; step += 1) {
    const next = (seat + step) % seats;
    if (!out.includes(next)) return next;
  }
  return seat;
}

/**
 * For simultaneous choices: the seats that have not chosen yet, as `acting` returns them. `choices` is by seat, null
 * until the seat has chosen.
 */
export function waitingFor(
  choices: readonly unknown[],
  out: readonly Seat[] = [],
): readonly Seat[] {
  return choices.flatMap((choice, seat) => (choice === null && !out.includes(seat) ? [seat] : []));
}

/** Hides all values but the viewer's own: the others become null. */
export function onlyOwn<T>(values: readonly T[], viewer: Seat | null): readonly (T | null)[] {
  return values.map((value, seat) => (seat === viewer ? value : null));
}
