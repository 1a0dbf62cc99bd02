/** Ratings: written in the commit that ends a match, read by player and by board. */

import type { GameId } from '../../games/game.ts';
import type { Entry, Mode } from '../../match/record.ts';
import { SCALE } from '../../matchmaking/glicko2.ts';
import type { Standing } from '../../matchmaking/rating.ts';
import { isRatedEnd, NEW_STANDING, PERIOD_MS, rateMatch } from '../../matchmaking/rating.ts';
import type { BoardQuery, GameStanding, RatingStore } from '../ratings.ts';
import { toLeader, toStanding } from '../rows/rating-rows.ts';
import { textOrNull } from '../rows/row.ts';
import { WORLDS } from '../world.ts';
import type { Prepare } from './rows.ts';
import type { Statements } from './statements.ts';

/** What the last record of a match does to its players' ratings; nothing if it does not count. */
export function rateSession(
  sql: Statements,
  session: string,
  tenant: string,
  mode: Mode,
  { at, record }: Entry,
): void {
  if (record.k !== 'ended' || !isRatedEnd(mode, record.outcome)) return;
  const seats = sql.all('SELECT player, is_bot FROM seat WHERE session = ? ORDER BY seat', session);
  // Bots have no rating that a player could be measured against.
  const isOfPlayers = seats.every((row) => row['is_bot'] === 0);
  if (!isOfPlayers || seats.length !== record.outcome.places.length) return;
  const game = sql.get('SELECT game FROM session WHERE id = ?', session)!['game']!;
  // One by one, as a join of the three tables takes more than twice as long.
  const known = seats.map(({ player }) => {
    const row = sql.get(
      'SELECT * FROM rating WHERE player = ? AND mode = ? AND game = ?',
      player!,
      mode,
      game,
    );
    return row === undefined ? NEW_STANDING : toStanding(row);
  });
  const standings = rateMatch(known, record.outcome, at);
  for (const [seat, { player }] of seats.entries()) {
    const standing = standings[seat]!;
    sql.run(
      `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games, wins,
         losses, draws, last_played_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (player, mode, game) DO UPDATE SET rating = excluded.rating,
         deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games,
         wins = excluded.wins, losses = excluded.losses, draws = excluded.draws,
         last_played_at = excluded.last_played_at`,
      player!,
      mode,
      game,
      tenant,
      standing.rating,
      standing.deviation,
      standing.volatility,
      standing.games,
      standing.wins,
      standing.losses,
      standing.draws,
      at,
    );
  }
}

export function makeRatingReads(all: Prepare): RatingStore {
  return { ...makePlayerReads(all), listLeaders: makeBoardRead(all) };
}

function makePlayerReads(all: Prepare): Omit<RatingStore, 'listLeaders'> {
  const player = all(
    `SELECT ref, display_name, created_at FROM player
      WHERE tenant = ? AND world = ? AND player_id = ?`,
  );
  const ofPlayer = all('SELECT * FROM rating WHERE player = ? ORDER BY mode, game');
  const inGame = all(
    `SELECT rating.* FROM player JOIN rating ON rating.player = player.ref
      WHERE player.tenant = ?1 AND player.world = ?2 AND player.player_id = ?3
        AND rating.mode = ?2 AND rating.game = ?4`,
  );
  const standingsOf = (ref: string) =>
    ofPlayer(ref).map((row) => ({
      mode: row['mode'] as Mode,
      game: row['game'] as GameId,
      ...toStanding(row),
    }));
  return {
    async findRatedPlayer(tenant, world, playerId) {
      const [found] = player(tenant, world, playerId);
      if (found === undefined) return null;
      return {
        playerId,
        displayName: textOrNull(found['display_name']),
        createdAt: Number(found['created_at']),
        standings: standingsOf(String(found['ref'])).map(
          ({ mode: _, ...standing }): GameStanding => standing,
        ),
      };
    },
    async findStandings({ tenant, mode, game }, playerIds) {
      const standings = new Map<string, Standing>();
      for (const playerId of playerIds) {
        const [row] = inGame(tenant, mode, playerId, game);
        if (row !== undefined) standings.set(playerId, toStanding(row));
      }
      return standings;
    },
    async listStandings(tenant, playerId) {
      return WORLDS.flatMap((world) => player(tenant, world, playerId)).flatMap(({ ref }) =>
        standingsOf(String(ref)),
      );
    },
  };
}

/** Above every rating. */
const FIRST_PLACE = { rating: Number.MAX_VALUE, ref: '' } as const;

function makeBoardRead(all: Prepare): RatingStore['listLeaders'] {
  // The square of a deviation grows with each period of rest by that of the volatility.
  const leaders = all(
    `SELECT rating.*, player.player_id, player.display_name FROM rating
       JOIN player ON player.ref = rating.player
      WHERE rating.tenant = ?1 AND rating.mode = ?2 AND rating.game = ?3
        AND (rating.rating, rating.player) < (?4, ?5)
        AND rating.games >= ?6 AND player.player_id IS NOT NULL
        AND rating.deviation * rating.deviation + rating.volatility * rating.volatility
          * ?9 * max(0, ?7 - rating.last_played_at) <= ?8 * ?8
      ORDER BY rating.rating DESC, rating.player DESC LIMIT ?10`,
  );
  const growth = (SCALE * SCALE) / PERIOD_MS;
  return async ({ tenant, mode, game, now, gamesMin, deviationMax, after, limit }: BoardQuery) => {
    const { rating, ref } = after ?? FIRST_PLACE;
    const values = [tenant, mode, game, rating, ref, gamesMin, now, deviationMax, growth, limit];
    return leaders(...values).map(toLeader);
  };
}
