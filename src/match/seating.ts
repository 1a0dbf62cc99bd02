/** The order in which seats are taken: numeric, or drawn from the match's seed (S2, S9). */

import type { Seat } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import type { SessionSetup } from './record.ts';
import type { Roster, Session } from './session.ts';

/** Takes the place of the players' entropy in later draws, which is a JSON array: never the same text. */
const SEATING = 'seats';

/**
 * The seats 0 to `seats` - 1 shuffled by the seed only: the first player takes the first of them.
 * The seed is committed to before anybody joins, so the order cannot depend on who they are.
 */
export function drawSeats(seed: string, seats: number): readonly Seat[] {
  const random = makeRandom(seed, () => SEATING, 0);
  const order = Array.from({ length: seats }, (_, seat) => seat);
  for (let last = seats - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}

/** The order in which a session's seats are taken. */
export function seatOrder({ seating, seed, seats }: SessionSetup): readonly Seat[] {
  if (seating === 'drawn') return drawSeats(seed, seats);
  return Array.from({ length: seats }, (_, seat) => seat);
}

/** The open seats, in the order in which they will be taken. */
export function openSeats(session: Session): readonly Seat[] {
  if (session.seats.every(({ taken }) => taken)) return [];
  return seatOrder(session.setup).filter((seat) => !session.seats[seat]!.taken);
}

/** The seat that the next player takes, or null. */
export function openSeat(session: Session): Seat | null {
  return openSeats(session)[0] ?? null;
}

/** A roster of that many seats, with players on their seats, in order. */
export function withPlayers(
  size: number,
  roster: Roster,
  seats: readonly number[],
  players: readonly Roster[number][],
): Roster {
  return Array.from(
    { length: size },
    (_, seat) => players[seats.indexOf(seat)] ?? roster[seat] ?? null,
  );
}
