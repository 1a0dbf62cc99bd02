/** Players who wait in the queue (rule S2): written with their seats, read by queue and by player. */

import { NEW_RATING } from '../../../matchmaking/glicko2.ts';
import type { QueueKey, QueueStore, StoredWaiting } from '../../queue.ts';
import type { SeatedRow } from '../../store.ts';
import type { Runner, Sql, Tx } from './script.ts';

/** A player to be seated from the queue. */
export interface Seeker extends Pick<QueueKey, 'mode' | 'game'> {
  readonly session: string;
  /** The player's pseudonym. */
  readonly ref: string;
}

/** A player who is to wait in a session. */
export interface Waiter extends Seeker, QueueKey {
  /** Ms since 1970. */
  readonly since: number;
}

/** A player who takes a seat, perhaps in a waiting session. */
export interface Joiner {
  readonly session: string;
  readonly ref: string;
  readonly at: number;
}

/** A session from the queue that has an open seat again. */
export interface Requeued {
  readonly session: string;
  readonly pairing: string;
}

/** Names for players who may not have rows yet: two works that share one cannot be decided in one round. */
export function namesOfSeekers(
  { tenant, mode }: Pick<QueueKey, 'tenant' | 'mode'>,
  seats: readonly Pick<SeatedRow, 'playerId'>[],
): string[] {
  return seats.map(({ playerId }) => `${tenant} ${mode} ${playerId}`);
}

/**
 * The sessions in which the players wait for their game already. Reliable once the players are
 * locked, if no player occurs twice.
 */
export async function sessionsOfWaiters(
  sql: Sql,
  asked: readonly Seeker[],
): Promise<ReadonlySet<string>> {
  if (asked.length === 0) return new Set();
  // One by one by key: a database without statistics would plan to read all waiting players.
  const rows = await sql.all(
    `SELECT session FROM @asked(session text, ref text, mode text, game text)
      WHERE (SELECT waiting.session FROM waiting WHERE waiting.player = asked.ref
                AND waiting.mode = asked.mode AND waiting.game = asked.game) IS NOT NULL`,
    { asked },
  );
  return new Set(rows.map(({ session }) => String(session)));
}

const INSERT = `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
  SELECT ref, mode, game, tenant, pairing, session, coalesce((
      SELECT rating FROM rating WHERE rating.player = given.ref AND rating.mode = given.mode
         AND rating.game = given.game), :new_rating), since
    FROM @given(ref text, mode text, game text, tenant text, pairing text, session text, since bigint)
   WHERE TRUE ORDER BY ref, mode, game
  ON CONFLICT DO NOTHING RETURNING player, session`;

/**
 * Makes all of them wait in the queues of their sessions. Returns the sessions of those who wait
 * elsewhere for the game, which only the primary key sees: if there are any, the transaction has to
 * be undone.
 */
export async function insertWaiting(
  tx: Tx,
  waiters: readonly Waiter[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.all(INSERT, { given: waiters, new_rating: NEW_RATING.rating });
  const made = new Set(rows.map(({ player, session }) => `${player} ${session}`));
  const others = waiters.filter(({ ref, session }) => !made.has(`${ref} ${session}`));
  return new Set(others.map(({ session }) => session));
}

/**
 * A player who takes a seat in a waiting session waits, too. For a player who waits elsewhere,
 * which only a room code allows, the first row stands. The session's rows are locked, so that
 * nobody joins a queue while an erasure takes the session out of it.
 */
export async function joinWaiting(tx: Tx, joiners: readonly Joiner[]): Promise<void> {
  if (joiners.length === 0) return;
  const rows = await tx.all(
    `SELECT session, tenant, mode, game, pairing FROM waiting WHERE session IN :sessions(text)
      ORDER BY player, mode, game FOR KEY SHARE`,
    { sessions: [...new Set(joiners.map(({ session }) => session))] },
  );
  if (rows.length === 0) return;
  const lines = new Map(rows.map((row) => [String(row['session']), row]));
  const given = joiners.flatMap(({ session, ref, at: since }) => {
    const line = lines.get(session);
    return line === undefined ? [] : [{ ...line, session, ref, since }];
  });
  await tx.all(INSERT, { given, new_rating: NEW_RATING.rating });
}

/**
 * The players of these sessions wait in their queues. For a player who waits elsewhere the first
 * row stands; in a session with an erased player nobody waits.
 */
export async function requeue(tx: Tx, given: readonly Requeued[]): Promise<void> {
  if (given.length === 0) return;
  await tx.run(
    `INSERT INTO waiting (player, mode, game, tenant, pairing, session, rating, since)
     SELECT seat.player, session.mode, session.game, session.tenant, given.pairing, session.id,
         coalesce(rating.rating, :new_rating), session.created_at
       FROM @given(session text, pairing text)
       JOIN session ON session.id = given.session AND session.status = 'pending'
       JOIN seat ON seat.session = session.id AND NOT seat.is_bot
       LEFT JOIN rating ON rating.player = seat.player AND rating.mode = session.mode
         AND rating.game = session.game
      WHERE NOT EXISTS (SELECT 1 FROM seat AS other JOIN player ON player.ref = other.player
          WHERE other.session = session.id AND player.player_id IS NULL)
      ORDER BY seat.player, session.mode, session.game
     ON CONFLICT DO NOTHING`,
    { given, new_rating: NEW_RATING.rating },
  );
}

/** Full, active and ended sessions wait for nobody. Returns how many players waited. */
export async function removeWaiting(tx: Tx, sessions: readonly string[]): Promise<number> {
  if (sessions.length === 0) return 0;
  return tx.run(
    `DELETE FROM waiting WHERE (player, mode, game) IN (
       SELECT player, mode, game FROM waiting WHERE session IN :sessions(text)
       ORDER BY player, mode, game FOR UPDATE)`,
    { sessions },
  );
}

/** A session with an erased player never starts: nobody waits in these players' sessions any more. */
export async function leaveWaiting(tx: Tx, refs: readonly string[]): Promise<void> {
  // By their seats: a player who waits elsewhere has no waiting row for this session.
  const rows = await tx.all(
    `SELECT DISTINCT waiting.session FROM seat JOIN waiting ON waiting.session = seat.session
      WHERE seat.player IN :refs(text)`,
    { refs },
  );
  const sessions = rows.map(({ session }) => String(session));
  // A player who joined while this waited for the locks is seen by the next statement only.
  while ((await removeWaiting(tx, sessions)) > 0);
}

export function makeQueueStore({ sql }: Runner): QueueStore {
  return {
    async findWaiting({ tenant, mode, game }, playerIds) {
      // From player to row: a database without statistics would plan to read all rows.
      const rows = await sql.all(
        `SELECT player_id, (SELECT session FROM waiting WHERE waiting.mode = :mode
             AND waiting.game = :game AND waiting.player = (SELECT ref FROM player
               WHERE player.tenant = :tenant AND player.world = :mode
                 AND player.player_id = asked.player_id)) AS session
           FROM @asked(player_id text, i place) ORDER BY i`,
        { tenant, mode, game, asked: playerIds.map((playerId) => ({ playerId })) },
      );
      return rows
        .filter(({ session }) => session !== null)
        .map(({ player_id, session }) => ({
          playerId: String(player_id),
          session: String(session),
        }));
    },
    async listWaiting({ tenant, mode, game, pairing }, limit) {
      const rows = await sql.all(
        `SELECT session, avg(rating) AS rating, min(since) AS since,
             (SELECT count(*) FROM seat WHERE seat.session = waiting.session) AS taken
           FROM waiting WHERE tenant = :tenant AND mode = :mode AND game = :game
            AND pairing = :pairing
          GROUP BY session ORDER BY min(since), session LIMIT :limit`,
        { tenant, mode, game, pairing, limit },
      );
      return rows.map(
        ({ session, rating, since, taken }): StoredWaiting => ({
          session: String(session),
          rating: Number(rating),
          since: Number(since),
          taken: Number(taken),
        }),
      );
    },
  };
}
