/** What commits change outside the logs, for many sessions at once. */

import { openCounter } from '../../rows/open-counter.ts';
import type { MatchCommit, SessionChange } from '../../store.ts';
import { worldOf } from '../../world.ts';
import { keepAll } from '../shared/answers.ts';
import { insertAudits } from '../shared/audit.ts';
import { uncountAll } from '../shared/counters.ts';
import type { Tx } from '../shared/script.ts';
import { joinWaiting, removeWaiting, requeue } from '../shared/waiting.ts';
import { type EndedWithBots, scoreBots } from './bot-scores.ts';
import { type EndedMatch, rateMatches } from './ratings.ts';
import { openSeats, seatPlayers } from './session-rows.ts';

type Changed = MatchCommit & { readonly change: SessionChange };

/** Commits of different sessions, ordered by id, whose records are written. */
export async function applyChanges(tx: Tx, commits: readonly MatchCommit[]): Promise<void> {
  const changed = commits.filter((each): each is Changed => each.change !== null);
  if (changed.length === 0) return;
  const ended = changed.filter(({ change }) => change.status === 'ended');
  // Each step skipped saves a round trip to PostgreSQL and some microseconds in SQLite.
  const unpended = changed.filter(({ change }) => change.status !== undefined && !change.wasActive);
  if (unpended.length > 0) await freeRoomCodes(tx, idsOf(unpended));
  await updateSessions(tx, changed);
  const left = changed.filter(({ change }) => change.left !== undefined);
  if (left.length > 0) await leaveSeats(tx, left);
  const seated = changed.filter(({ change }) => change.seats !== undefined);
  if (seated.length > 0) await seatAll(tx, seated);
  const full = changed.filter(isFull);
  if (full.length > 0) await removeWaiting(tx, idsOf(full));
  if (ended.length > 0) await rateMatches(tx, ended.map(toEnded));
  const withBots = ended.flatMap(toEndedWithBots);
  if (withBots.length > 0) await scoreBots(tx, withBots);
  const answers = changed.flatMap(({ change }) => change.idempotency ?? []);
  if (answers.length > 0) await keepAll(tx, answers);
  if (ended.length > 0) await uncountAll(tx, ended.map(toOpenCounter));
  const audits = changed.flatMap(({ change }) => change.audit ?? []);
  if (audits.length > 0) await insertAudits(tx, audits);
}

function idsOf(commits: readonly MatchCommit[]): string[] {
  return commits.map(({ session }) => session);
}

/** Whether its players no longer wait. A session that ends may have been pending until now. */
function isFull({ change: { full, status, wasActive } }: Changed): boolean {
  return full === true || (status !== undefined && !wasActive);
}

function toEnded({ session, tenant, mode, entries }: Changed): EndedMatch {
  return { session, tenant, mode, entry: entries.at(-1)! };
}

function toEndedWithBots(commit: Changed): EndedWithBots[] {
  const { bots = [] } = commit.change;
  return bots.length === 0 ? [] : [{ ...toEnded(commit), bots }];
}

function toOpenCounter(commit: Changed) {
  return { tenant: commit.tenant, name: openCounter(commit) };
}

/** A session that was active released its code before; the code may belong to another by now. */
async function freeRoomCodes(tx: Tx, sessions: readonly string[]): Promise<void> {
  await tx.run(
    `DELETE FROM room_code WHERE (tenant, mode, code) IN (
       SELECT room_code.tenant, room_code.mode, room_code.code FROM session JOIN room_code
           ON room_code.tenant = session.tenant AND room_code.mode = session.mode
          AND room_code.code = session.room_code AND room_code.session = session.id
        WHERE session.id IN :sessions(text) AND session.status = 'pending'
        ORDER BY room_code.tenant, room_code.mode, room_code.code FOR UPDATE OF room_code)`,
    { sessions },
  );
}

/** `held`: this node owns it from now on. Nobody owns an ended session. */
const UPDATE = `UPDATE session SET
    status = coalesce(given.status, session.status),
    started_at = coalesce(given.started_at, session.started_at),
    ended_at = coalesce(given.ended_at, session.ended_at),
    integrity = coalesce(given.integrity, session.integrity),
    seal = coalesce(given.seal, session.seal),
    holder = CASE WHEN given.status = 'ended' THEN NULL WHEN given.held THEN :node
      ELSE session.holder END,
    wake_at = CASE WHEN given.status = 'ended' OR given.held THEN NULL ELSE session.wake_at END,
    due_node = CASE WHEN given.status = 'ended' OR given.held THEN NULL ELSE session.due_node END
  FROM @given(id text, status text, started_at bigint, ended_at bigint, integrity text, held boolean,
    seal text)
  WHERE session.id = given.id`;

async function updateSessions(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const given = changed.flatMap(({ session: id, change }) => {
    const { status, startedAt, endedAt, integrity, awake = false, seal } = change;
    if (status === undefined && integrity === undefined && !awake) return [];
    const held = awake || status === 'active';
    return [{ id, status, startedAt, endedAt, integrity, held, seal }];
  });
  if (given.length > 0) await tx.run(UPDATE, { given, node: tx.node });
}

/** Seats that are open again, and the queues in which the remaining players wait. */
async function leaveSeats(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const left = changed.flatMap(({ session, change }) =>
    (change.left ?? []).map((seat) => ({ ...seat, session })),
  );
  await openSeats(tx, left);
  const requeued = changed.flatMap(({ session, change }) =>
    change.requeued === undefined ? [] : [{ session, ...change.requeued }],
  );
  await requeue(tx, requeued);
}

async function seatAll(tx: Tx, changed: readonly Changed[]): Promise<void> {
  const seatings = changed.flatMap((commit) => {
    const { session, tenant, change } = commit;
    const { seats = [], full = false } = change;
    return seats.length === 0 ? [] : [{ session, tenant, world: worldOf(commit), seats, full }];
  });
  const players = await seatPlayers(tx, seatings);
  const joiners = seatings.flatMap(({ session, seats, full }, i) =>
    seats
      .map(({ at, isBot }, place) => ({ session, ref: players[i]![place]!.ref, at, isBot }))
      // In a full session nobody waits any more.
      .filter(({ isBot }) => !full && !isBot),
  );
  await joinWaiting(tx, joiners);
}
