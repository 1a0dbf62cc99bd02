/** Who waits in the queue, as atomic steps (rule S2). */

import type { KeptWaiting, Line, WaitingPlayer } from '../../src/store/queue.ts';
import type { SeatedRow } from '../../src/store/store.ts';
import { standingOf } from './ratings.ts';
import type { PlayerTableRow, SessionTableRow, Tables } from './tables.ts';

type World = Pick<Line, 'tenant' | 'mode' | 'game'>;

export function findWaiting(
  tables: Tables,
  world: World,
  playerIds: readonly string[],
): readonly WaitingPlayer[] {
  return playerIds.flatMap((playerId) => {
    const found = [...tables.waiting].find(
      (row) => isIn(row, world) && row.player.playerId === playerId,
    );
    return found === undefined ? [] : [{ playerId, session: found.session }];
  });
}

function isIn(row: World, { tenant, mode, game }: World): boolean {
  return row.tenant === tenant && row.mode === mode && row.game === game;
}

export function isAnyWaiting(
  tables: Tables,
  world: World,
  seats: readonly Pick<SeatedRow, 'playerId'>[],
): boolean {
  const ids = seats.map(({ playerId }) => playerId);
  return findWaiting(tables, world, ids).length > 0;
}

/** Players of a session that waits, wait; of one who waits elsewhere the first place stands. */
export function wait(
  tables: Tables,
  { row: { id: session, tenant, mode, game } }: SessionTableRow,
  pairing: string,
  player: PlayerTableRow,
  since: number,
): void {
  const world = { tenant, mode, game };
  if (player.playerId === null || isAnyWaiting(tables, world, [{ playerId: player.playerId }])) {
    return;
  }
  const { rating } = standingOf(player, world);
  tables.waiting.add({ ...world, pairing, session, player, rating, since });
}

/** The pairing that a session's players wait for; null when nobody waits in it. */
export function pairingOf(tables: Tables, session: string): string | null {
  for (const row of tables.waiting) if (row.session === session) return row.pairing;
  return null;
}

export function removeWaiting(tables: Tables, session: string): void {
  for (const row of tables.waiting) if (row.session === session) tables.waiting.delete(row);
}

/** Whoever left a session waits by it no more. */
export function stopWaiting(tables: Tables, session: string, player: PlayerTableRow): void {
  for (const row of tables.waiting) {
    if (row.session === session && row.player === player) tables.waiting.delete(row);
  }
}

/** A session from the queue has an open seat again: who sits in it waits in its line. */
export function requeue(tables: Tables, kept: SessionTableRow, pairing: string): void {
  const { row, seats, bots } = kept;
  if (row.status !== 'pending') return;
  if (seats.some((player) => player?.playerId === null)) return;
  for (const [seat, player] of seats.entries()) {
    if (player !== undefined && !bots.has(seat)) wait(tables, kept, pairing, player, row.createdAt);
  }
}

/** Where an erased player sits no match will ever begin: nobody waits in his sessions any more. */
export function leaveWaiting(tables: Tables, player: PlayerTableRow): void {
  for (const row of [...tables.waiting]) {
    const { seats } = tables.sessions.get(row.session)!;
    if (seats.includes(player)) removeWaiting(tables, row.session);
  }
}

export function listWaiting(tables: Tables, line: Line, limit: number): readonly KeptWaiting[] {
  const rows = [...tables.waiting].filter((row) => isIn(row, line) && row.pairing === line.pairing);
  const bySession = Map.groupBy(rows, ({ session }) => session);
  const sessions = Array.from(bySession, ([session, group]) => ({
    session,
    rating: group.reduce((sum, row) => sum + row.rating, 0) / group.length,
    since: Math.min(...group.map(({ since }) => since)),
    taken: tables.sessions.get(session)!.seats.filter((seat) => seat !== undefined).length,
  }));
  const order = (a: KeptWaiting, b: KeptWaiting): number =>
    a.since - b.since || (a.session < b.session ? -1 : 1);
  return sessions.sort(order).slice(0, limit);
}
