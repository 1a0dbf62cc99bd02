/** Ratings: written in the transaction that ends matches, read by player and by board. */

import type { GameId } from '../../games/game.ts';
import type { Entry, Mode } from '../../match/record.ts';
import { SCALE } from '../../matchmaking/glicko2.ts';
import type { Standing } from '../../matchmaking/rating.ts';
import { isRatedEnd, NEW_STANDING, PERIOD_MS, rateMatch } from '../../matchmaking/rating.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { GameStanding, RatingStore } from '../ratings.ts';
import { toLeader, toStanding } from '../rows/rating-rows.ts';
import { textOrNull } from '../rows/row.ts';
import { WORLDS } from '../world.ts';
import type { Row, Sql } from './sql.ts';

/** A match that has ended, and its last record. */
export interface EndedMatch {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly entry: Entry;
}

/** Whose standings change, with the seats' order. */
interface Rated extends EndedMatch {
  readonly game: string;
  readonly players: readonly string[];
}

/**
 * What ends of matches do to their players' ratings; nothing where it does not count. Rows are
 * locked first, all in one order; those that are not there yet are made.
 */
export async function rateMatches(sql: Sql, ended: readonly EndedMatch[]): Promise<void> {
  const rated = await findRated(sql, ended);
  if (rated.length === 0) return;
  const standings = await lockStandings(sql, rated);
  for (const { players, mode, game, entry } of rated) {
    if (entry.record.k !== 'ended') continue;
    const keys = players.map((player) => keyOf(player, mode, game));
    const known = keys.map((key) => standings.get(key)!);
    // Somebody may have ended two matches in one transaction: the second counts on the first.
    const after = rateMatch(known, entry.record.outcome, entry.at);
    for (const [seat, key] of keys.entries()) standings.set(key, after[seat]!);
  }
  await writeStandings(sql, standings);
}

function keyOf(player: string, mode: string, game: string): string {
  return `${player} ${mode} ${game}`;
}

async function findRated(sql: Sql, ended: readonly EndedMatch[]): Promise<readonly Rated[]> {
  const counted = ended.filter(
    ({ mode, entry: { record } }) => record.k === 'ended' && isRatedEnd(mode, record.outcome),
  );
  if (counted.length === 0) return [];
  const rows = await sql.all(
    `SELECT session.id, session.game, seat.player, seat.is_bot
       FROM session JOIN seat ON seat.session = session.id
      WHERE session.id = ANY($1::text[]) ORDER BY seat.session, seat.seat`,
    counted.map(({ session }) => session),
  );
  const bySession = Map.groupBy(rows, ({ id }) => id);
  return counted.flatMap((match): Rated[] => {
    const seats = bySession.get(match.session) ?? [];
    const { record } = match.entry;
    // Bots have no rating that a player could be measured against.
    const isOfPlayers = seats.every((row) => row['is_bot'] === false);
    if (record.k !== 'ended' || !isOfPlayers || seats.length !== record.outcome.places.length) {
      return [];
    }
    const players = seats.map(({ player }) => String(player));
    return [{ ...match, game: String(seats[0]!['game']), players }];
  });
}

type Keys = readonly [players: string[], modes: string[], games: string[]];

/** Standings by `keyOf`, whose rows are locked until the transaction ends. */
async function lockStandings(sql: Sql, rated: readonly Rated[]): Promise<Map<string, Standing>> {
  const wanted = new Map(
    rated.flatMap(({ players, mode, game, tenant }) =>
      players.map((player) => [keyOf(player, mode, game), { player, mode, game, tenant }] as const),
    ),
  );
  const known = await lockRows(sql, keysOf(wanted.values()));
  const missing = [...wanted].filter(([key]) => !known.has(key)).map(([, each]) => each);
  if (missing.length === 0) return known;
  await sql.run(
    `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games, wins,
       losses, draws, last_played_at)
     SELECT player, mode, game, tenant, $5, $6, $7, 0, 0, 0, 0, 0
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
         AS given (player, mode, game, tenant)
      ORDER BY player, mode, game ON CONFLICT DO NOTHING`,
    ...keysOf(missing),
    missing.map(({ tenant }) => tenant),
    NEW_STANDING.rating,
    NEW_STANDING.deviation,
    NEW_STANDING.volatility,
  );
  // Somebody else may have made them, and written into them since.
  return new Map([...known, ...(await lockRows(sql, keysOf(missing)))]);
}

function keysOf(rows: Iterable<{ player: string; mode: string; game: string }>): Keys {
  const all = [...rows];
  return [
    all.map(({ player }) => player),
    all.map(({ mode }) => mode),
    all.map(({ game }) => game),
  ];
}

async function lockRows(sql: Sql, keys: Keys): Promise<Map<string, Standing>> {
  const rows = await sql.all(
    `SELECT rating.* FROM rating
       JOIN unnest($1::text[], $2::text[], $3::text[]) AS given (player, mode, game)
         USING (player, mode, game)
      ORDER BY player, mode, game FOR UPDATE OF rating`,
    ...keys,
  );
  return new Map(
    rows.map((row) => [
      keyOf(String(row['player']), String(row['mode']), String(row['game'])),
      // A row that was made a moment ago.
      row['games'] === 0 ? NEW_STANDING : toStanding(row),
    ]),
  );
}

async function writeStandings(sql: Sql, standings: ReadonlyMap<string, Standing>): Promise<void> {
  const keys = Array.from(standings.keys(), (key) => key.split(' '));
  const all = [...standings.values()];
  await sql.run(
    `UPDATE rating SET rating = given.rating, deviation = given.deviation,
       volatility = given.volatility, games = given.games, wins = given.wins,
       losses = given.losses, draws = given.draws, last_played_at = given.last_played_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::float8[], $5::float8[], $6::float8[],
       $7::int[], $8::int[], $9::int[], $10::int[], $11::bigint[])
       AS given (player, mode, game, rating, deviation, volatility, games, wins, losses, draws,
         last_played_at)
     WHERE rating.player = given.player AND rating.mode = given.mode AND rating.game = given.game`,
    keys.map(([player]) => player!),
    keys.map(([, mode]) => mode!),
    keys.map(([, , game]) => game!),
    all.map(({ rating }) => rating),
    all.map(({ deviation }) => deviation),
    all.map(({ volatility }) => volatility),
    all.map(({ games }) => games),
    all.map(({ wins }) => wins),
    all.map(({ losses }) => losses),
    all.map(({ draws }) => draws),
    all.map(({ lastPlayedAt }) => lastPlayedAt),
  );
}

export function makeRatingStore(db: Sql): RatingStore {
  return { ...makePlayerReads(db), listLeaders: makeBoardRead(db) };
}

function makePlayerReads(db: Sql): Omit<RatingStore, 'listLeaders'> {
  const standingsOf = async (ref: string) => {
    const rows = await db.all('SELECT * FROM rating WHERE player = $1 ORDER BY mode, game', ref);
    return rows.map((row) => ({
      mode: row['mode'] as Mode,
      game: row['game'] as GameId,
      ...toStanding(row),
    }));
  };
  const findPlayers = (
    tenant: string,
    worlds: readonly KeyMode[],
    playerId: string,
  ): Promise<readonly Row[]> =>
    db.all(
      `SELECT ref, display_name, created_at FROM player
        WHERE tenant = $1 AND world = ANY($2::text[]) AND player_id = $3 ORDER BY world`,
      tenant,
      worlds,
      playerId,
    );
  return {
    async findRatedPlayer(tenant, world, playerId) {
      const [found] = await findPlayers(tenant, [world], playerId);
      if (found === undefined) return null;
      return {
        playerId,
        displayName: textOrNull(found['display_name']),
        createdAt: Number(found['created_at']),
        standings: (await standingsOf(String(found['ref']))).map(
          ({ mode: _, ...standing }): GameStanding => standing,
        ),
      };
    },
    async findStandings({ tenant, mode, game }, playerIds) {
      const rows = await db.all(
        `SELECT player.player_id, rating.* FROM unnest($4::text[])
             WITH ORDINALITY AS asked (player_id, place)
           JOIN player ON player.tenant = $1 AND player.world = $2
            AND player.player_id = asked.player_id
           JOIN rating ON rating.player = player.ref AND rating.mode = $2 AND rating.game = $3
          ORDER BY asked.place`,
        tenant,
        mode,
        game,
        playerIds,
      );
      return new Map(rows.map((row) => [String(row['player_id']), toStanding(row)]));
    },
    async listStandings(tenant, playerId) {
      const found = await findPlayers(tenant, WORLDS, playerId);
      return (await Promise.all(found.map(({ ref }) => standingsOf(String(ref))))).flat();
    },
  };
}

/** Above every rating. */
const FIRST_PLACE = { rating: Number.MAX_VALUE, ref: '' } as const;
/** The square of a deviation grows with each millisecond of rest by that of the volatility, times this. */
const GROWTH = (SCALE * SCALE) / PERIOD_MS;

/** Said in the words of an index, `rating_ranked`: else a plan cannot know that it may use it. */
const RANKED = 'AND rating.games >= 5 AND rating.deviation <= 250';

function makeBoardRead(db: Sql): RatingStore['listLeaders'] {
  return async ({ tenant, mode, game, now, gamesMin, deviationMax, after, limit }) => {
    const { rating, ref } = after ?? FIRST_PLACE;
    const ranked = gamesMin >= 5 && deviationMax <= 250 ? RANKED : '';
    const rows = await db.all(
      `SELECT rating.*, player.player_id, player.display_name FROM rating
         JOIN player ON player.ref = rating.player
        WHERE rating.tenant = $1 AND rating.mode = $2 AND rating.game = $3
          AND (rating.rating, rating.player) < ($4::float8, $5)
          AND rating.games >= $6 AND player.player_id IS NOT NULL ${ranked}
          AND rating.deviation * rating.deviation + rating.volatility * rating.volatility
            * $9::float8 * greatest(0, $7::bigint - rating.last_played_at) <= $8::float8 * $8::float8
        ORDER BY rating.rating DESC, rating.player DESC LIMIT $10`,
      tenant,
      mode,
      game,
      rating,
      ref,
      gamesMin,
      now,
      deviationMax,
      GROWTH,
      limit,
    );
    return rows.map(toLeader);
  };
}
