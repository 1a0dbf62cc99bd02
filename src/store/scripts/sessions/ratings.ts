/** Ratings: written in the transaction that ends matches, read by player and by board. */

import type { GameId, Outcome } from '../../../../game/src/game.ts';
import type { Entry, Mode } from '../../../match/record.ts';
import { SCALE } from '../../../matchmaking/glicko2.ts';
import type { Standing } from '../../../matchmaking/rating.ts';
import { isRatedEnd, NEW_STANDING, PERIOD_MS, rateMatch } from '../../../matchmaking/rating.ts';
import type { GameStanding, RatingStore } from '../../ratings.ts';
import type { RatingChange } from '../../rematches.ts';
import { toLeader, toStanding } from '../../rows/rating-rows.ts';
import { type Row, textOrNull } from '../../rows/row.ts';
import { WORLDS } from '../../world.ts';
import type { Runner, Sql } from '../shared/script.ts';
import { makeRatedMatchReads } from './rated-matches.ts';

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

/** An ended match and its last record. */
export interface EndedMatch {
  readonly session: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly entry: Entry;
}

/** A match that may count, with its outcome. */
interface Counted extends EndedMatch {
  readonly outcome: Outcome;
}

/** A player's row. */
interface Place {
  readonly player: string;
  readonly mode: string;
  readonly game: string;
  readonly tenant: string;
}

/** A match that counts. */
interface Rated extends Counted {
  /** In seat order. */
  readonly places: readonly Place[];
}

/** By `keyOf`. */
type Standings = ReadonlyMap<string, Standing>;

/**
 * Rates ended matches. Returns nothing for a match that does not count. Existing rows are locked
 * first, in a fixed order; missing ones are inserted with their new values.
 */
export async function rateMatches(sql: Sql, ended: readonly EndedMatch[]): Promise<void> {
  const rated = await findRated(sql, ended);
  if (rated.length === 0) return;
  const places = new Map(rated.flatMap((match) => match.places).map((each) => [keyOf(each), each]));
  const known = await lockRows(sql, [...places.values()]);
  const { rows: given, changes } = rateAll(rated, known, places);
  const missing = given.filter((row) => !known.has(keyOf(row)));
  if (missing.length > 0) {
    const made = new Set((await sql.all(MAKE, { given: missing })).map(keyOfRow));
    const others = missing.filter((row) => !made.has(keyOf(row)));
    if (others.length > 0) {
      // Another transaction has inserted some of them meanwhile: compute again from the stored
      // rows.
      const all = new Map([...known, ...(await lockRows(sql, others))]);
      const again = rateAll(rated, all, places);
      await sql.run(WRITE, { given: again.rows });
      await keepChanges(sql, again.changes);
      return;
    }
  }
  if (known.size > 0) {
    await sql.run(WRITE, { given: given.filter((row) => known.has(keyOf(row))) });
  }
  await keepChanges(sql, changes);
}

/** What a match did to its players' ratings, by seat, as in its result. */
interface Change {
  readonly id: string;
  /** `RatingChange`s as JSON. */
  readonly rated: string;
}

async function keepChanges(sql: Sql, given: readonly Change[]): Promise<void> {
  await sql.run(
    `UPDATE session SET rated = given.rated FROM @given(id text, rated text)
      WHERE session.id = given.id`,
    { given },
  );
}

/** The new standings of all players. An unknown player starts with the standing of a new one. */
function rateAll(
  rated: readonly Rated[],
  known: Standings,
  places: ReadonlyMap<string, Place>,
): { readonly rows: (Place & Standing)[]; readonly changes: readonly Change[] } {
  const standings = new Map(known);
  const changes: Change[] = [];
  for (const { session: id, places: seats, outcome, entry } of rated) {
    const before = seats.map((place) => standings.get(keyOf(place)) ?? NEW_STANDING);
    // A player may have ended two matches in one transaction: the second builds on the first.
    const after = rateMatch(before, outcome, entry.at);
    for (const [seat, place] of seats.entries()) standings.set(keyOf(place), after[seat]!);
    const moved = before.map(({ rating }, seat): RatingChange => {
      return [rounded(rating), rounded(after[seat]!.rating)];
    });
    changes.push({ id, rated: JSON.stringify(moved) });
  }
  const rows = [...places].map(([key, place]) => ({ ...place, ...standings.get(key)! }));
  return { rows, changes };
}

/** To a tenth of a point, as in the API. */
function rounded(points: number): number {
  return Math.round(points * 10) / 10;
}

function keyOf({ player, mode, game }: Omit<Place, 'tenant'>): string {
  return `${player} ${mode} ${game}`;
}

function keyOfRow(row: Row): string {
  return keyOf(row as unknown as Place);
}

const SEATS = `SELECT session.id, session.game, seat.player, seat.is_bot
    FROM session JOIN seat ON seat.session = session.id
   WHERE session.id IN :sessions(text) ORDER BY seat.session, seat.seat`;

async function findRated(sql: Sql, ended: readonly EndedMatch[]): Promise<readonly Rated[]> {
  const counted = ended.flatMap((match): Counted[] => {
    const { record } = match.entry;
    if (record.k !== 'ended' || !isRatedEnd(match.mode, record.outcome)) return [];
    return [{ ...match, outcome: record.outcome }];
  });
  if (counted.length === 0) return [];
  const rows = await sql.all(SEATS, { sessions: counted.map(({ session }) => session) });
  const bySession = Map.groupBy(rows, ({ id }) => String(id));
  return counted.flatMap((match): Rated[] => {
    const seats = bySession.get(match.session) ?? [];
    // Bots have no rating to compare a player with.
    const hasBot = seats.some((row) => Boolean(row['is_bot']));
    if (hasBot || seats.length !== match.outcome.places.length) return [];
    const { mode, tenant } = match;
    const places = seats.map(({ player, game }) => ({
      player: String(player),
      mode,
      game: String(game),
      tenant,
    }));
    return [{ ...match, places }];
  });
}

const LOCK = `SELECT rating.* FROM @given(player text, mode text, game text)
    JOIN rating ON rating.player = given.player AND rating.mode = given.mode AND rating.game = given.game
   ORDER BY rating.player, rating.mode, rating.game FOR UPDATE OF rating`;

const INSERT = `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games, wins,
    losses, draws, last_played_at)
  SELECT player, mode, game, tenant, rating, deviation, volatility, games, wins, losses, draws, last_played_at
    FROM @given(player text, mode text, game text, tenant text, rating float8, deviation float8,
      volatility float8, games int, wins int, losses int, draws int, last_played_at bigint)
   WHERE TRUE ORDER BY player, mode, game`;

const MAKE = `${INSERT} ON CONFLICT DO NOTHING RETURNING player, mode, game`;

/** All rows exist and are locked. Not an UPDATE, because SQLite joins more slowly than it finds rows by key. */
const WRITE = `${INSERT} ON CONFLICT (player, mode, game) DO UPDATE SET rating = excluded.rating,
    deviation = excluded.deviation, volatility = excluded.volatility, games = excluded.games,
    wins = excluded.wins, losses = excluded.losses, draws = excluded.draws,
    last_played_at = excluded.last_played_at`;

/** Existing rows stay locked until the transaction ends. */
async function lockRows(sql: Sql, given: readonly Place[]): Promise<Standings> {
  const rows = await sql.all(LOCK, { given });
  return new Map(rows.map((row) => [keyOfRow(row), toStanding(row)]));
}

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

export function makeRatingStore(runner: Pick<Runner, 'sql' | 'dialect'>): RatingStore {
  const { sql } = runner;
  return {
    ...makePlayerReads(sql),
    ...makeRatedMatchReads(runner),
    listLeaders: makeBoardRead(sql),
  };
}

const PLAYERS = `SELECT ref, display_name, created_at FROM player
   WHERE tenant = :tenant AND world IN :worlds(text) AND player_id = :player ORDER BY world`;

const STANDINGS_OF = 'SELECT * FROM rating WHERE player = :ref ORDER BY mode, game';

/** From each id to its rows: with a join, PostgreSQL without statistics would read all of a tenant's players. */
const IN_GAME = `SELECT who.player_id, rating.*
    FROM (SELECT asked.player_id, asked.place,
        (SELECT ref FROM player WHERE player.tenant = :tenant AND player.world = :mode
            AND player.player_id = asked.player_id LIMIT 1) AS ref
      FROM @asked(player_id text, place place)) AS who
    JOIN rating ON rating.player = who.ref AND rating.mode = :mode AND rating.game = :game
   ORDER BY who.place`;

function makePlayerReads(sql: Sql): Omit<RatingStore, 'listLeaders' | 'listRatedMatches'> {
  const standingsOf = async ({ ref }: Row) => {
    const rows = await sql.all(STANDINGS_OF, { ref: String(ref) });
    return rows.map((row) => ({
      mode: row['mode'] as Mode,
      game: row['game'] as GameId,
      ...toStanding(row),
    }));
  };
  return {
    async findRatedPlayer(tenant, world, playerId) {
      const found = await sql.get(PLAYERS, { tenant, worlds: [world], player: playerId });
      if (found === undefined) return null;
      return {
        playerId,
        displayName: textOrNull(found['display_name']),
        createdAt: Number(found['created_at']),
        standings: (await standingsOf(found)).map(
          ({ mode: _, ...standing }): GameStanding => standing,
        ),
      };
    },
    async findStandings({ tenant, mode, game }, playerIds) {
      const asked = playerIds.map((playerId) => ({ playerId }));
      const rows = await sql.all(IN_GAME, { tenant, mode, game, asked });
      return new Map(rows.map((row) => [String(row['player_id']), toStanding(row)]));
    },
    async listStandings(tenant, playerId) {
      const found = await sql.all(PLAYERS, { tenant, worlds: WORLDS, player: playerId });
      return (await Promise.all(found.map(standingsOf))).flat();
    },
  };
}

/** Above every rating. */
const FIRST_PLACE = { rating: Number.MAX_VALUE, ref: '' } as const;
/** The square of a deviation grows per idle millisecond by that of the volatility, times this. */
const GROWTH = (SCALE * SCALE) / PERIOD_MS;

/** The condition of PostgreSQL's partial index `rating_ranked`, literally: otherwise no plan uses it. */
const RANKED = 'AND rating.games >= 5 AND rating.deviation <= 250';

const REST = `CASE WHEN rating.last_played_at < :now::bigint THEN :now::bigint - rating.last_played_at ELSE 0 END`;

const leadersText = (ranked: string): string =>
  `SELECT rating.*, player.player_id, player.display_name FROM rating
     JOIN player ON player.ref = rating.player
    WHERE rating.tenant = :tenant AND rating.mode = :mode AND rating.game = :game
      AND (rating.rating, rating.player) < (:rating::float8, :ref)
      AND rating.games >= :games_min AND player.player_id IS NOT NULL ${ranked}
      AND rating.deviation * rating.deviation + rating.volatility * rating.volatility
        * :growth::float8 * ${REST} <= :deviation_max::float8 * :deviation_max::float8
    ORDER BY rating.rating DESC, rating.player DESC LIMIT :limit`;

const LEADERS = leadersText('');
const RANKED_LEADERS = leadersText(RANKED);

function makeBoardRead(sql: Sql): RatingStore['listLeaders'] {
  return async ({ tenant, mode, game, now, gamesMin, deviationMax, after, limit }) => {
    const { rating, ref } = after ?? FIRST_PLACE;
    const rows = await sql.all(gamesMin >= 5 && deviationMax <= 250 ? RANKED_LEADERS : LEADERS, {
      tenant,
      mode,
      game,
      now,
      rating,
      ref,
      limit,
      games_min: gamesMin,
      deviation_max: deviationMax,
      growth: GROWTH,
    });
    return rows.map(toLeader);
  };
}
