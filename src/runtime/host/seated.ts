/** Notifies listeners of new seats, so that the players' other open sockets show the session. */

import type { SeatGiven } from './host-deps.ts';
import type { MatchTable } from './match-table.ts';
import type { MatchView } from './work.ts';

/** To be called for every new seat, once that is committed; repeating it is harmless. */
export function notifySeats(
  { listeners }: MatchTable,
  { row, session }: Pick<MatchView, 'row' | 'session'>,
  seats: readonly SeatGiven[],
): void {
  for (const { playerId, seat, isBot } of seats) {
    // The service's own bots have no sockets.
    if (session.seats[seat]!.level !== null) continue;
    for (const notify of listeners.seated) notify(row, playerId, seat, isBot, session.at);
  }
}

/** Notifies listeners of all seats of a session; of none after its end. */
export function notifyRoster(table: MatchTable, { row, roster, session }: MatchView): void {
  if (session.status === 'ended') return;
  const seats = roster.flatMap((player, seat) => {
    const playerId = player?.id ?? null;
    return playerId === null ? [] : [{ playerId, seat, isBot: session.seats[seat]!.isBot }];
  });
  notifySeats(table, { row, session }, seats);
}
