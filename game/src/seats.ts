/** Seats in turn and seats at the same time: whose move it is, and what each of them may see. */

import type { Seat } from './game.ts';

/** The seat after `seat` in the order of play that is not out. The seat itself where it is the last one in. */
export function seatAfter(seat: Seat, seats: number, out: readonly Seat[] = []): Seat {
  for (let step = 1; step < seats; step += 1) {
    const next = (seat + step) % seats;
    if (!out.includes(next)) return next;
  }
  return seat;
}

/**
 * Where all choose at the same time: the seats that have not chosen yet, which is what `acting` has to answer.
 * `choices` is by seat, null until the seat has chosen.
 */
export function waitingFor(
  choices: readonly unknown[],
  out: readonly Seat[] = [],
): readonly Seat[] {
  return choices.flatMap((choice, seat) => (choice === null && !out.includes(seat) ? [seat] : []));
}

/** Of values by seat the viewer's own, for a view: null stands for those of all others. */
export function onlyOwn<T>(values: readonly T[], viewer: Seat | null): readonly (T | null)[] {
  return values.map((value, seat) => (seat === viewer ? value : null));
}
