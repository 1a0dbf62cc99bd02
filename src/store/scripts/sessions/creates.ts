/** New sessions, many per transaction, each within its tenant's limits. */

import { openCounter } from '../../rows/open-counter.ts';
import type { CreateOutcome, NewSession } from '../../store.ts';
import { worldOf } from '../../world.ts';
import { keepAll } from '../shared/answers.ts';
import { countWithin, type Limit } from '../shared/counters.ts';
import { lockPlayers, playersOf } from '../shared/player-rows.ts';
import { refuseSome } from '../shared/refused.ts';
import { roundsOf } from '../shared/rounds.ts';
import type { Script, Tx } from '../shared/script.ts';
import {
  insertWaiting,
  namesOfSeekers,
  sessionsOfWaiters,
  type Waiter,
} from '../shared/waiting.ts';
import { insertSessions } from './session-rows.ts';

export const CREATE_SESSION: Script<NewSession, CreateOutcome> = {
  name: 'createSession',
  rounds: (sessions) => roundsOf(sessions, namesOf, kindOf),
  act: createAll,
};

type Queued = NewSession & { readonly waiting: { readonly pairing: string } };

function isQueued(session: NewSession): session is Queued {
  return session.waiting !== undefined;
}

type Rematch = NewSession & { readonly rematchOf: string };

function isRematch(session: NewSession): session is Rematch {
  return session.rematchOf !== undefined;
}

/**
 * Players who are to wait in it, and the session it is the rematch of: two sessions that share a
 * name cannot be decided in one round.
 */
function namesOf(session: NewSession): string[] {
  const before = isRematch(session) ? [session.rematchOf] : [];
  return isQueued(session) ? [...before, ...namesOfSeekers(session.row, session.seats)] : before;
}

/** Checking who waits in the queue takes locks that other creates should not wait for. */
function kindOf(session: NewSession): string {
  return isQueued(session) ? 'queued' : '';
}

async function createAll(
  tx: Tx,
  sessions: readonly NewSession[],
): Promise<readonly CreateOutcome[]> {
  const inOrder = [...sessions].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
  const waiters = await findWaiters(tx, inOrder.filter(isQueued));
  const held = await holdRoomCodes(tx, inOrder);
  const made = inOrder.filter(({ row }) => held.has(row.id));
  const players = await insertSessions(tx, made.map(toFirstRows));
  if (waiters.length > 0) await putInLines(tx, waiters, made);
  const rematches = made.filter(isRematch);
  if (rematches.length > 0) await linkRematches(tx, rematches);
  const answers = made.flatMap(({ idempotency }) => idempotency ?? []);
  if (answers.length > 0) await keepAll(tx, answers);
  for (const { events = [] } of made) for (const event of events) tx.emit(event);
  await countWithin(tx, made, limitsOf);
  const names = new Map(
    made.map(({ row }, i) => [row.id, players[i]!.map(({ displayName }) => displayName)]),
  );
  return sessions.map(({ row }) => {
    const found = names.get(row.id);
    return found === undefined ? 'room_code_taken' : { names: found };
  });
}

function toFirstRows({ row, seats, entry, wakeAt }: NewSession) {
  const first = { ...row, status: 'pending', startedAt: null } as const;
  return { row: first, seats, entries: [entry], wakeAt };
}

/** Locks the players of sessions from the queue. Throws `Refused` where one of them waits already. */
async function findWaiters(tx: Tx, sessions: readonly Queued[]): Promise<readonly Waiter[]> {
  if (sessions.length === 0) return [];
  const seats = sessions.flatMap(({ row, seats, waiting }) =>
    seats.map((seat) => {
      return { ...seat, row, tenant: row.tenant, world: worldOf(row), pairing: waiting.pairing };
    }),
  );
  const players = await playersOf(tx, seats);
  const refs = players.map(({ ref }) => ref);
  await lockPlayers(tx, refs);
  const seekers = seats.map(({ row, pairing, isBot }, i) => {
    const { id: session, tenant, mode, game, createdAt: since } = row;
    return { session, ref: refs[i]!, tenant, mode, game, pairing, since, isBot };
  });
  refuse(sessions, await sessionsOfWaiters(tx, seekers));
  return seekers.filter(({ isBot }) => !isBot);
}

/** For the sessions that are created. Throws `Refused`. */
async function putInLines(
  tx: Tx,
  waiters: readonly Waiter[],
  made: readonly NewSession[],
): Promise<void> {
  const ids = new Set(made.map(({ row }) => row.id));
  const there = waiters.filter(({ session }) => ids.has(session));
  refuse(made, await insertWaiting(tx, there));
}

/** An ended session has at most one rematch; the lock on its row decides. Throws `Refused`. */
async function linkRematches(tx: Tx, rematches: readonly Rematch[]): Promise<void> {
  const given = rematches.map(({ row, rematchOf }) => ({ ...row, rematchOf }));
  const linked = await tx.all(
    `UPDATE session SET next_session = free.next FROM (
       SELECT session.id, given.id AS next
         FROM @given(id text, tenant text, rematch_of text)
         JOIN session ON session.id = given.rematch_of AND session.tenant = given.tenant
        WHERE session.status = 'ended' AND session.next_session IS NULL
        ORDER BY session.id FOR UPDATE OF session) AS free
      WHERE session.id = free.id RETURNING session.next_session AS next`,
    { given },
  );
  const made = new Set(linked.map(({ next }) => String(next)));
  refuseSome(rematches, ({ row }) => !made.has(row.id), 'rematch_made' as const);
}

function refuse(sessions: readonly NewSession[], ids: ReadonlySet<string>): void {
  refuseSome(sessions, ({ row }) => ids.has(row.id), 'already_waiting' as const);
}

/**
 * Takes room codes that are free or expired. Returns the sessions that got theirs; of several that
 * want the same code, the first.
 */
async function holdRoomCodes(
  tx: Tx,
  sessions: readonly NewSession[],
): Promise<ReadonlySet<string>> {
  const wishes = new Map<string, NewSession>();
  for (const each of sessions) {
    const { tenant, mode, roomCode } = each.row;
    const key = [tenant, mode, roomCode].join('\n');
    if (!wishes.has(key)) wishes.set(key, each);
  }
  const given = Array.from(wishes.values(), ({ row, roomCodeExpiresAt }) => {
    return { ...row, roomCodeExpiresAt };
  });
  const rows = await tx.all(
    `INSERT INTO room_code (tenant, mode, code, session, expires_at)
     SELECT tenant, mode, room_code, id, room_code_expires_at
       FROM @given(tenant text, mode text, room_code text, id text, room_code_expires_at bigint)
      WHERE TRUE ORDER BY tenant, mode, room_code
     ON CONFLICT (tenant, mode, code)
     DO UPDATE SET session = excluded.session, expires_at = excluded.expires_at
     WHERE room_code.expires_at <= :now RETURNING session`,
    { given, now: Math.min(...given.map(({ createdAt }) => createdAt)) },
  );
  return new Set(rows.map(({ session }) => String(session)));
}

/** Its open sessions, and the month's if it counts there. */
export function limitsOf({
  row,
  quota: { month, openSessionsMax, sessionsPerMonthMax },
}: Pick<NewSession, 'row' | 'quota'>): readonly Limit<'open_full' | 'month_full'>[] {
  const { tenant } = row;
  const open = { tenant, name: openCounter(row) };
  const limits = [{ counter: open, max: openSessionsMax, refusal: 'open_full' as const }];
  if (month === null) return limits;
  const counter = { tenant, name: `sessions:${month}` };
  return [...limits, { counter, max: sessionsPerMonthMax, refusal: 'month_full' as const }];
}
