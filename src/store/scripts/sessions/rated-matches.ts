/** A player's rated matches, read from the sessions of the player's seats: they have no table. */

import type { LogRecord } from '../../../match/record.ts';
import { playerOutcome } from '../../../matchmaking/rating.ts';
import {
  type RatedMatch,
  type RatedMatchQuery,
  type RatingStore,
  SESSIONS_EXAMINED,
} from '../../ratings.ts';
import { toRatingChanges } from '../../rows/rating-rows.ts';
import { type Row, textOrNull } from '../../rows/row.ts';
import { AFTER_ALL_IDS, type Runner, type Sql } from '../shared/script.ts';

const PLAYER = `SELECT ref FROM player
   WHERE tenant = :tenant AND world = :world AND player_id = :player`;

const STANDING = 'SELECT games FROM rating WHERE player = :ref AND mode = :mode AND game = :game';

/** The last session that a page examines. None: the page reaches the end. */
const LAST_EXAMINED = `SELECT session FROM seat WHERE player = :ref AND session < :before
   ORDER BY session DESC LIMIT 1 OFFSET ${SESSIONS_EXAMINED - 1}`;

export function makeRatedMatchReads({
  sql,
  dialect,
}: Pick<Runner, 'sql' | 'dialect'>): Pick<RatingStore, 'listRatedMatches'> {
  // Both tables are bounded, and no index of a tenant's sessions fits, so no plan reads other
  // players' rows.
  const matches = `SELECT session.id, session.ended_at, session.rated, seat.seat,
      (SELECT record FROM log WHERE log.session = session.id ORDER BY v DESC LIMIT 1) AS last_record
    FROM ${dialect.sessionsOfSeats}
   WHERE seat.player = :ref AND seat.session < :before AND seat.session >= :from
     AND session.id < :before AND session.id >= :from
     AND session.mode = :mode AND session.game = :game AND session.rated IS NOT NULL
   ORDER BY seat.session DESC LIMIT :limit`;
  return {
    async listRatedMatches(query) {
      const { world: mode, game, limit } = query;
      const ref = await findRef(sql, query);
      if (ref === null) return null;
      // A player without a rating in the game has no rated match: many sessions of other games need
      // not be read.
      const standing = await sql.get(STANDING, { ref, mode, game });
      if (standing === undefined) return { matches: [], next: null };
      const before = query.before ?? AFTER_ALL_IDS;
      const last = textOrNull((await sql.get(LAST_EXAMINED, { ref, before }))?.['session']);
      const asked = { ref, mode, game, before, from: last ?? '', limit: limit + 1 };
      const rows = await sql.all(matches, asked);
      const page = rows.slice(0, limit).map(toRatedMatch);
      return { matches: page, next: rows.length > limit ? page.at(-1)!.session : last };
    },
  };
}

async function findRef(sql: Sql, { tenant, world, playerId }: RatedMatchQuery) {
  return textOrNull((await sql.get(PLAYER, { tenant, world, player: playerId }))?.['ref']);
}

function toRatedMatch(row: Row): RatedMatch {
  const seat = Number(row['seat']);
  const [before, after] = toRatingChanges(row['rated'])![seat]!;
  const last = JSON.parse(String(row['last_record'])) as LogRecord;
  if (last.k !== 'ended') throw new Error(`session ${row['id']} is rated and has no end`);
  return {
    session: String(row['id']),
    at: Number(row['ended_at']),
    before,
    after,
    outcome: playerOutcome(last.outcome, seat),
  };
}
