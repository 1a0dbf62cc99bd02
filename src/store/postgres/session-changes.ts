/** What commits change beside the logs, for many sessions at once. */

import type { GameId } from '../../games/game.ts';
import { openCounter } from '../rows/open-counter.ts';
import { rateMatches } from '../scripts/ratings.ts';
import type { MatchCommit, SessionChange } from '../store.ts';
import { worldOf } from '../world.ts';
import { keepAll } from './answer-rows.ts';
import { insertAudits } from './audit-rows.ts';
import { uncountAll } from './counters.ts';
import { lockPlayers, playersOf } from './player-rows.ts';
import { scriptTx } from './runner.ts';
import { openSeats, seatPlayers } from './session-rows.ts';
import type { Sql, Tx } from './sql.ts';
import { joinWaiting, removeWaiting, requeue, sessionsOfWaiters } from './waiting.ts';

/** A session that was active has given its code back before; a code may be another's by now. */
const FREE_ROOM_CODES = `DELETE FROM room_code WHERE (tenant, mode, code) IN (
    SELECT room_code.tenant, room_code.mode, room_code.code FROM session JOIN room_code
        ON room_code.tenant = session.tenant AND room_code.mode = session.mode
       AND room_code.code = session.room_code AND room_code.session = session.id
     WHERE session.id = ANY($1::text[]) AND session.status = 'pending'
     ORDER BY room_code.tenant, room_code.mode, room_code.code FOR UPDATE OF room_code)`;

/** `held`: this node has it in memory from now on. Nobody holds what has ended. */
const UPDATE_SESSIONS = `UPDATE session SET
    status = coalesce(given.status, session.status),
    started_at = coalesce(given.started_at, session.started_at),
    ended_at = coalesce(given.ended_at, session.ended_at),
    integrity = coalesce(given.integrity, session.integrity),
    seal = coalesce(given.seal, session.seal),
    holder = CASE WHEN given.status = 'ended' THEN NULL WHEN given.held THEN $8
      ELSE session.holder END,
    wake_at = CASE WHEN given.status = 'ended' OR given.held THEN NULL ELSE session.wake_at END,
    due_node = CASE WHEN given.status = 'ended' OR given.held THEN NULL ELSE session.due_node END
  FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[],
      $7::text[])
    AS given (id, status, started_at, ended_at, integrity, held, seal)
  WHERE session.id = given.id`;

/** A session of another node is left alone: whoever is late must not put it to sleep. */
const SLEEP = `UPDATE session SET holder = NULL, wake_at = given.wake_at, due_node = NULL
  FROM unnest($1::text[], $2::bigint[]) AS given (id, wake_at)
  WHERE session.id = given.id AND session.status <> 'ended'
    AND (session.holder IS NULL OR session.holder = $3)`;

type Changed = MatchCommit & { readonly change: SessionChange };

/** Commits of different sessions, in order of their ids, whose records are written. */
export async function applyChanges(
  tx: Tx,
  node: string,
  commits: readonly MatchCommit[],
): Promise<void> {
  const changed = commits.filter((each): each is Changed => each.change !== null);
  if (changed.length === 0) return;
  const ended = changed.filter(({ change }) => change.status === 'ended');
  // Every statement costs a whole trip, so there is none for what is known to be gone.
  const unpended = changed.filter(({ change }) => change.status !== undefined && !change.wasActive);
  if (unpended.length > 0) await tx.run(FREE_ROOM_CODES, idsOf(unpended));
  await updateSessions(tx, node, changed);
  await leaveSeats(tx, changed);
  await seatAll(tx, changed);
  const full = changed.filter((each) => each.change.full || unpended.includes(each));
  if (full.length > 0) await removeWaiting(tx, idsOf(full));
  if (ended.length > 0) await rateMatches(scriptTx(tx), ended.map(toEnded));
  await keepAll(
    tx,
    changed.flatMap(({ change }) => change.idempotency ?? []),
  );
  await uncountAll(
    tx,
    ended.map((commit) => ({ tenant: commit.tenant, name: openCounter(commit) })),
  );
  await insertAudits(
    tx,
    changed.flatMap(({ change }) => change.audit ?? []),
  );
}

function idsOf(commits: readonly MatchCommit[]): string[] {
  return commits.map(({ session }) => session);
}

function toEnded({ session, tenant, mode, entries }: Changed) {
  return { session, tenant, mode, entry: entries.at(-1)! };
}

async function updateSessions(tx: Tx, node: string, changed: readonly Changed[]): Promise<void> {
  const rows = changed.filter(
    ({ change }) =>
      change.status !== undefined || change.integrity !== undefined || change.awake === true,
  );
  if (rows.length === 0) return;
  await tx.run(
    UPDATE_SESSIONS,
    idsOf(rows),
    rows.map(({ change }) => change.status ?? null),
    rows.map(({ change }) => change.startedAt ?? null),
    rows.map(({ change }) => change.endedAt ?? null),
    rows.map(({ change }) => change.integrity ?? null),
    rows.map(({ change }) => change.awake === true || change.status === 'active'),
    rows.map(({ change }) => change.seal ?? null),
    node,
  );
}

/** Seats that are open again, and the lines in which those who stay wait. */
async function leaveSeats(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const left = changed.flatMap(({ session, change }) =>
    (change.left ?? []).map((seat) => ({ ...seat, session })),
  );
  if (left.length === 0) return;
  await openSeats(tx, left);
  const requeued = changed.flatMap(({ session, change }) =>
    change.requeued === undefined ? [] : [{ session, ...change.requeued }],
  );
  if (requeued.length > 0) await requeue(tx, requeued);
}

async function seatAll(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const seatings = changed.flatMap((commit) => {
    const { session, tenant, change } = commit;
    const { seats = [], full = false } = change;
    return seats.length === 0 ? [] : [{ session, tenant, world: worldOf(commit), seats, full }];
  });
  if (seatings.length === 0) return;
  await seatPlayers(tx, seatings);
  // In a session that is full nobody waits any more.
  await joinWaiting(
    tx,
    seatings.filter(({ full }) => !full),
  );
}

/**
 * Rule S2: nobody is seated from the queue who waits for the game in another session. From here to
 * the end of the transaction nobody else seats these players from the queue. Answers the sessions that
 * must not have them, where no player stands twice.
 */
export async function waitElsewhere(
  tx: Tx,
  commits: readonly MatchCommit[],
): Promise<ReadonlySet<string>> {
  const seats = commits.flatMap((commit) => {
    const { session, tenant, mode, change } = commit;
    const of = { session, tenant, mode, world: worldOf(commit) };
    return (change?.seats ?? []).map((seat) => ({ ...seat, ...of }));
  });
  const players = await playersOf(tx, seats);
  const refs = players.map(({ ref }) => ref);
  await lockPlayers(tx, refs);
  const rows = await tx.all(
    'SELECT id, game FROM session WHERE id = ANY($1::text[])',
    idsOf(commits),
  );
  const games = new Map(rows.map(({ id, game }) => [id, game as GameId]));
  return sessionsOfWaiters(
    tx,
    seats.map(({ session, mode }, i) => ({
      ...{ session, mode },
      ref: refs[i]!,
      game: games.get(session)!,
    })),
  );
}

export async function sleepSessions(
  sql: Sql,
  node: string,
  sessions: readonly { readonly session: string; readonly wakeAt: number | null }[],
): Promise<void> {
  const ids = sessions.map(({ session }) => session);
  const times = sessions.map(({ wakeAt }) => wakeAt);
  await sql.run(SLEEP, ids, times, node);
}
