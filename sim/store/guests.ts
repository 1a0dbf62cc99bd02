/** Guests who go when nothing else is kept of them, as atomic steps. */

import { GUEST_PREFIX, type GuestSweep, isGuestId, isMadeGuestId } from '../../src/store/guests.ts';
import type { KeyMode } from '../../src/tenancy/tenant.ts';
import { type PlayerTableRow, rowName, type SessionTableRow, type Tables } from './tables.ts';

/** Those of sessions that were removed. */
export function removeGuestsOf(tables: Tables, removed: readonly SessionTableRow[]): void {
  const players = removed.flatMap(({ seats, bots }) => seats.filter((_, seat) => !bots.has(seat)));
  removeUnused(
    tables,
    players.flatMap((player) => (isGuestId(player?.playerId ?? '') ? [player!] : [])),
  );
}

/** Those who were left behind when their sessions went: of `limit` after one. */
export function removeGuests(
  tables: Tables,
  tenant: string,
  world: KeyMode,
  after: string,
  limit: number,
): GuestSweep {
  const guests = [...tables.players.values()]
    .flatMap((player) => {
      const { playerId: id } = player;
      const isOwn = player.tenant === tenant && player.world === world;
      return isOwn && id !== null && isGuestId(id) ? [{ id, player }] : [];
    })
    .filter(({ id }) => id > after && id > GUEST_PREFIX)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
  const made = guests.filter(({ id }) => isMadeGuestId(id));
  const removed = removeUnused(
    tables,
    made.map(({ player }) => player),
  );
  return { removed, last: guests.length < limit ? null : guests.at(-1)!.id };
}

/** But not of whom more is kept. Answers how many went. */
function removeUnused(tables: Tables, guests: readonly PlayerTableRow[]): number {
  const used = new Set([
    ...[...tables.sessions.values()].flatMap(({ seats }) => seats),
    ...[...tables.tickets.values()].flatMap(({ players }) => players),
    ...[...tables.waiting].map(({ player }) => player),
  ]);
  let removed = 0;
  for (const { ref, tenant, world, playerId } of guests.filter(
    (guest) => !used.has(guest) && guest.check === null && guest.standings.size === 0,
  )) {
    tables.players.delete(rowName(tenant, world, playerId!));
    if (tables.refs.delete(ref)) removed += 1;
  }
  return removed;
}
