/** Names in matches in memory: an erased player's name is removed there as well. */

import { worldName } from '../../events/event.ts';
import type { Roster } from '../../match/session.ts';
import { worldOf } from '../../store/world.ts';
import type { Erased } from './host-deps.ts';
import { heldMatch, heldMatches, type Match, type MatchTable } from './match-table.ts';

/** Ids of players, by the `worldName` of their tenant and world. */
export type PlayersByWorld = ReadonlyMap<string, Pick<ReadonlySet<string>, 'has'>>;

/** No session of that world in memory names the player any more. */
export function forgetPlayer(table: MatchTable, player: Erased): void {
  for (const each of table.sessions.values()) {
    // A read in progress may have begun before the erasure.
    if (each.phase === 'loading') each.erased.push(player);
    else forgetIn(each, player);
  }
}

export function forgetIn(match: Match, { tenant, world, playerId }: Erased): void {
  if (match.row.tenant !== tenant || worldOf(match.row) !== world) return;
  if (!match.roster.some((each) => each?.id === playerId)) return;
  leaveOut(match, (player) => player?.id === playerId);
}

/** The seats stay taken, without a player. */
function leaveOut(match: Match, isMeant: (player: Roster[number], seat: number) => boolean): void {
  match.roster = match.roster.map((player, seat) =>
    isMeant(player, seat) ? { id: null, displayName: null } : player,
  );
}

/** Sessions in memory that name one of these players; null for anybody. */
export function listNaming(table: MatchTable, players: PlayersByWorld | null): readonly string[] {
  const sessions: string[] = [];
  for (const { row, roster } of heldMatches(table)) {
    const ids = players?.get(worldName({ tenant: row.tenant, mode: worldOf(row) })) ?? null;
    if (players !== null && ids === null) continue;
    const isNamed = roster.some(
      (player) => typeof player?.id === 'string' && ids?.has(player.id) !== false,
    );
    if (isNamed) sessions.push(row.id);
  }
  return sessions;
}

/** The player of that seat was erased: returns the name that the session had there, or null. */
export function forgetSeat(table: MatchTable, session: string, seat: number): Erased | null {
  const match = heldMatch(table, session);
  const playerId = match?.roster[seat]?.id ?? null;
  if (match === undefined || playerId === null) return null;
  leaveOut(match, (_, at) => at === seat);
  return { tenant: match.row.tenant, world: worldOf(match.row), playerId };
}
