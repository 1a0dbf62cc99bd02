/** The rows of those who wait in the queue: written with the seats they go with (rule S2). */

import { NEW_RATING } from '../../matchmaking/glicko2.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Line } from '../queue.ts';
import type { SeatedRow } from '../store.ts';
import type { Sql } from './sql.ts';

/** A player who is to be seated from the queue. */
export interface Seeker extends Pick<Line, 'mode' | 'game'> {
  readonly session: string;
  /** The player's pseudonym. */
  readonly ref: string;
}

/** A player who is to wait in a new session. */
export interface Waiter extends Seeker, Line {
  /** Ms since 1970. */
  readonly since: number;
}

/** What `roundsOf` knows players of a world by who have no rows yet. */
export function namesOfSeekers(
  { tenant, mode }: Pick<Line, 'tenant' | 'mode'>,
  seats: readonly Pick<SeatedRow, 'playerId'>[],
): string[] {
  return seats.map(({ playerId }) => `${tenant} ${mode} ${playerId}`);
}

/** The same works in rounds, in their order as far as can be: nobody is named twice in a round. */
export function roundsOf<T>(
  works: readonly T[],
  namesOf: (work: T) => readonly string[],
): readonly (readonly T[])[] {
  const rounds: { readonly works: T[]; readonly names: Set<string> }[] = [];
  for (const work of works) {
    const names = namesOf(work);
    let round = rounds.find((each) => !names.some((name) => each.names.has(name)));
    if (round === undefined) {
      round = { works: [], names: new Set() };
      rounds.push(round);
    }
    round.works.push(work);
    for (const name of names) round.names.add(name);
  }
  return rounds.map((round) => round.works);
}

/**
 * The sessions of those who wait for their game already. For certain when the players are locked, and
 * nobody stands there twice.
 */
export async function sessionsOfWaiters(
  sql: Sql,
  seekers: readonly Seeker[],
): Promise<ReadonlySet<string>> {
  if (seekers.length === 0) return new Set();
  const rows = await sql.all(
    `SELECT asked.session FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])
         AS asked (session, player, mode, game)
       CROSS JOIN LATERAL (
         SELECT FROM waiting WHERE waiting.player = asked.player
            AND waiting.mode = asked.mode AND waiting.game = asked.game LIMIT 1) AS found`,
    seekers.map(({ session }) => session),
    seekers.map(({ ref }) => ref),
    seekers.map(({ mode }) => mode),
    seekers.map(({ game }) => game),
  );
  return new Set(rows.map(({ session }) => String(session)));
}

const RATING_OF_GIVEN = `SELECT rating FROM rating WHERE rating.player = given.player
  AND rating.mode = given.mode AND rating.game = given.game LIMIT 1`;

/**
 * All of them wait in the lines of their sessions. Answers the sessions of those who wait elsewhere for
 * the game, as seen by nobody but the key: if there are any the transaction has to be undone.
 */
export async function insertWaiting(
  sql: Sql,
  waiters: readonly Waiter[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.all(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT given.player, given.mode, given.game, given.tenant, given.pairing, given.session,
         coalesce(known.rating, $8), given.since
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
         $7::bigint[]) AS given (player, mode, game, tenant, pairing, session, since)
       LEFT JOIN LATERAL (${RATING_OF_GIVEN}) AS known ON TRUE
      ORDER BY given.player, given.mode, given.game
     ON CONFLICT DO NOTHING RETURNING player, session`,
    waiters.map(({ ref }) => ref),
    waiters.map(({ mode }) => mode),
    waiters.map(({ game }) => game),
    waiters.map(({ tenant }) => tenant),
    waiters.map(({ pairing }) => pairing),
    waiters.map(({ session }) => session),
    waiters.map(({ since }) => since),
    NEW_RATING.rating,
  );
  const made = new Set(rows.map(({ player, session }) => `${player} ${session}`));
  const others = waiters.filter(({ ref, session }) => !made.has(`${ref} ${session}`));
  return new Set(others.map(({ session }) => session));
}

/** Who takes seats in a session. */
export interface Joining {
  readonly session: string;
  readonly seats: readonly Pick<SeatedRow, 'seat' | 'at'>[];
}

/**
 * Whoever takes seats in a session that waits, waits too. Of a player who waits elsewhere, which only a
 * room code lets him do, the first place stands. The rows that say in which line are locked, so that
 * nobody joins a line that an erasure is taking the session out of.
 */
export async function joinWaiting(sql: Sql, joinings: readonly Joining[]): Promise<void> {
  const all = joinings.flatMap(({ session, seats }) => seats.map((seat) => ({ ...seat, session })));
  if (all.length === 0) return;
  await sql.run(
    `WITH locked AS MATERIALIZED (
       SELECT session, tenant, mode, game, pairing FROM waiting WHERE session = ANY($1::text[])
        ORDER BY player, mode, game FOR KEY SHARE),
     given AS MATERIALIZED (
       SELECT line.*, seated.player, taken.at
         FROM (SELECT DISTINCT * FROM locked) AS line
         JOIN unnest($1::text[], $2::int[], $3::bigint[]) AS taken (session, seat, at)
           ON taken.session = line.session
         CROSS JOIN LATERAL (
           SELECT player FROM seat WHERE seat.session = taken.session
              AND seat.seat = taken.seat AND NOT seat.is_bot LIMIT 1) AS seated)
     INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT given.player, given.mode, given.game, given.tenant, given.pairing, given.session,
         coalesce(known.rating, $4), given.at
       FROM given LEFT JOIN LATERAL (${RATING_OF_GIVEN}) AS known ON TRUE
      ORDER BY given.player, given.mode, given.game
     ON CONFLICT DO NOTHING`,
    all.map(({ session }) => session),
    all.map(({ seat }) => seat),
    all.map(({ at }) => at),
    NEW_RATING.rating,
  );
}

/** A session from the queue that has an open seat again. */
export interface Requeued {
  readonly session: string;
  readonly pairing: string;
}

/**
 * Who sits in these sessions waits in their lines. Of a player who waits elsewhere the first place stands;
 * where an erased player sits nobody waits.
 */
export async function requeue(sql: Sql, sessions: readonly Requeued[]): Promise<void> {
  await sql.run(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, session.mode, session.game, session.tenant, given.pairing, session.id,
         coalesce(rating.rating, $3), session.created_at
       FROM unnest($1::text[], $2::text[]) AS given (session, pairing)
       JOIN session ON session.id = given.session AND session.status = 'pending'
       JOIN seat ON seat.session = session.id AND NOT seat.is_bot
       LEFT JOIN rating ON rating.player = seat.player AND rating.mode = session.mode
         AND rating.game = session.game
      WHERE NOT EXISTS (SELECT FROM seat AS other JOIN player ON player.ref = other.player
          WHERE other.session = session.id AND player.player_id IS NULL)
      ORDER BY seat.player, session.mode, session.game
     ON CONFLICT DO NOTHING`,
    sessions.map(({ session }) => session),
    sessions.map(({ pairing }) => pairing),
    NEW_RATING.rating,
  );
}

/** Sessions that are full, active or over wait for nobody. Answers how many players waited. */
export function removeWaiting(sql: Sql, sessions: readonly string[]): Promise<number> {
  return sql.run(
    `DELETE FROM waiting WHERE (player, mode, game) IN (
       SELECT player, mode, game FROM waiting WHERE session = ANY($1::text[])
       ORDER BY player, mode, game FOR UPDATE)`,
    sessions,
  );
}

/** Where an erased player sits no match will ever begin: nobody waits in his sessions any more. */
export async function leaveWaiting(
  sql: Sql,
  tenant: string,
  world: KeyMode,
  playerId: string,
): Promise<void> {
  // By his seats: of one who waits elsewhere no row says that he sits here, too.
  const rows = await sql.all(
    `SELECT DISTINCT waiting.session FROM player JOIN seat ON seat.player = player.ref
       JOIN waiting ON waiting.session = seat.session
      WHERE player.tenant = $1 AND player.world = $2 AND player.player_id = $3`,
    tenant,
    world,
    playerId,
  );
  if (rows.length === 0) return;
  const sessions = rows.map(({ session }) => String(session));
  // Whoever joined while the rows' locks were waited for is seen by the next statement alone.
  while ((await removeWaiting(sql, sessions)) > 0);
}
