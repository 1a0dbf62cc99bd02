/** Ratings, as atomic steps with the commit that ends a match (rule L1). */

import type { GameId } from '../../src/games/game.ts';
import type { Entry, Mode } from '../../src/match/record.ts';
import {
  isRatedEnd,
  NEW_STANDING,
  rateMatch,
  type Standing,
} from '../../src/matchmaking/rating.ts';
import type { PlayerTableRow, SessionTableRow, Tables } from './tables.ts';

type World = { readonly mode: Mode; readonly game: GameId };

export function standingOf(player: PlayerTableRow, { mode, game }: World): Standing {
  return player.standings.get(`${mode} ${game}`) ?? NEW_STANDING;
}

/** What the last record of a match does to its players' ratings; nothing where it does not count. */
export function rateSession({ row, seats, bots }: SessionTableRow, { at, record }: Entry): void {
  if (record.k !== 'ended' || !isRatedEnd(row.mode, record.outcome)) return;
  const players = seats.filter((player) => player !== undefined);
  if (bots.size > 0 || players.length !== record.outcome.places.length) return;
  const known = players.map((player) => standingOf(player, row));
  const rated = rateMatch(known, record.outcome, at);
  for (const [seat, player] of players.entries()) {
    player.standings.set(`${row.mode} ${row.game}`, rated[seat]!);
  }
}

/** By player id; those without a rated match are left out. */
export function findStandings(
  { players }: Tables,
  world: World & { readonly tenant: string },
  ids: readonly string[],
): ReadonlyMap<string, Standing> {
  const found = new Map<string, Standing>();
  for (const player of players.values()) {
    const { tenant, playerId } = player;
    if (tenant !== world.tenant || playerId === null || !ids.includes(playerId)) continue;
    const standing = standingOf(player, world);
    if (standing.games > 0) found.set(playerId, standing);
  }
  return found;
}
