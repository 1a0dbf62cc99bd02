/** New sessions, many in one transaction, each within its tenant's limits. */

import { openCounter } from '../rows/open-counter.ts';
import type { CreateOutcome, NewSession } from '../store.ts';
import { worldOf } from '../world.ts';
import { keepAll } from './answer-rows.ts';
import { isOfData } from './connection.ts';
import { type Counter, countAll, counterKey } from './counters.ts';
import type { Database } from './database.ts';
import type { KnownPlayer } from './player-rows.ts';
import { lockPlayers, playersOf } from './player-rows.ts';
import { insertSessions } from './session-rows.ts';
import type { Tx } from './sql.ts';
import { insertWaiting, namesOfSeekers, roundsOf, sessionsOfWaiters } from './waiting.ts';

/** A session on its way, by its id. */
export interface CreateWork {
  readonly session: string;
  readonly create: NewSession;
  readonly done: (outcome: CreateOutcome) => void;
  readonly failed: (error: Error) => void;
}

/** Tells each. */
export async function createSessions(
  db: Database,
  node: string,
  batch: readonly CreateWork[],
): Promise<void> {
  const inOrder = [...batch].sort((a, b) => (a.session < b.session ? -1 : 1));
  // Who waits in the queue is looked up under locks that others should not wait for, and of a player who
  // stands there twice it cannot be said.
  const waiting = inOrder.filter(({ create }) => create.waiting !== undefined);
  const others = inOrder.filter(({ create }) => create.waiting === undefined);
  if (others.length > 0) await createTogether(db, node, others);
  const seekersOf = ({ create: { row, seats } }: CreateWork) => namesOfSeekers(row, seats);
  for (const round of roundsOf(waiting, seekersOf)) await createTogether(db, node, round);
}

/** In one transaction, all of them or none with players who wait; if one of them spoils it, each in its own. */
async function createTogether(
  db: Database,
  node: string,
  works: readonly CreateWork[],
): Promise<void> {
  try {
    const sessions = works.map((each) => each.create);
    const outcomes = await createWithin(db, node, sessions);
    for (const { session, done } of works) done(outcomes.get(session)!);
  } catch (error) {
    if (works.length > 1 && isOfData(error)) {
      for (const each of works) await createTogether(db, node, [each]);
    } else {
      for (const { failed } of works) failed(toError(error));
    }
  }
}

type Outcomes = ReadonlyMap<string, CreateOutcome>;

/** Sessions that cannot be made, and why. */
class Refused extends Error {
  readonly refusals: Outcomes;
  constructor(refusals: Outcomes) {
    super('some of the sessions cannot be made');
    this.refusals = refusals;
  }
}

/** Of some it is only known when the others are made, too: they are left out, and the others made again. */
async function createWithin(
  db: Database,
  node: string,
  sessions: readonly NewSession[],
): Promise<Outcomes> {
  const make = sessions[0]?.waiting === undefined ? create : createWaiting;
  const refused = new Map<string, CreateOutcome>();
  for (;;) {
    const left = sessions.filter(({ row }) => !refused.has(row.id));
    if (left.length === 0) return refused;
    try {
      const made = await db.transaction((tx) => make(tx, node, left));
      return new Map([...refused, ...made]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      for (const [id, refusal] of error.refusals) refused.set(id, refusal);
    }
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Sessions whose players wait in them; no player sits in two. */
async function createWaiting(
  tx: Tx,
  node: string,
  sessions: readonly NewSession[],
): Promise<Outcomes> {
  const seats = sessions.flatMap(({ row, seats, waiting }) =>
    seats.map((seat) => ({
      ...{ ...seat, row, tenant: row.tenant, world: worldOf(row) },
      pairing: waiting!.pairing,
    })),
  );
  const players = await playersOf(tx, seats);
  // From here on nobody else seats them from the queue.
  const refs = players.map(({ ref }) => ref);
  await lockPlayers(tx, refs);
  const seekers = seats.map(({ row, pairing, isBot }, i) => {
    const { id: session, tenant, mode, game, createdAt: since } = row;
    return { session, ref: refs[i]!, tenant, mode, game, pairing, since, isBot };
  });
  refuseWaiters(await sessionsOfWaiters(tx, seekers));
  return await create(tx, node, sessions, async (made) => {
    const ids = new Set(made.map(({ row }) => row.id));
    const waiters = seekers.filter(({ session, isBot }) => ids.has(session) && !isBot);
    refuseWaiters(await insertWaiting(tx, waiters));
  });
}

function refuseWaiters(sessions: ReadonlySet<string>): void {
  if (sessions.size === 0) return;
  throw new Refused(new Map([...sessions].map((id) => [id, 'already_waiting'])));
}

/** Sessions in order of their ids; answers what becomes of each. Throws `Refused`. */
async function create(
  tx: Tx,
  node: string,
  sessions: readonly NewSession[],
  afterSeats: (made: readonly NewSession[]) => Promise<void> = async () => {},
): Promise<Outcomes> {
  const held = await holdRoomCodes(tx, sessions);
  const made = sessions.filter(({ row }) => held.has(row.id));
  const players = await insertSessions(
    tx,
    node,
    made.map(({ row, seats, entry, wakeAt }) => ({
      row: { ...row, status: 'pending', startedAt: null },
      seats,
      entries: [entry],
      wakeAt,
    })),
  );
  if (made.length > 0) await afterSeats(made);
  await keepAll(
    tx,
    made.flatMap(({ idempotency }) => idempotency ?? []),
  );
  for (const { events = [] } of made) for (const event of events) tx.emit(event);
  await countSessions(tx, made);
  const outcomes = new Map<string, CreateOutcome>();
  for (const { row } of sessions) if (!held.has(row.id)) outcomes.set(row.id, 'room_code_taken');
  for (const [i, { row }] of made.entries())
    outcomes.set(row.id, { names: players[i]!.map(nameOf) });
  return outcomes;
}

function nameOf({ displayName }: KnownPlayer): string | null {
  return displayName;
}

const HOLD = `INSERT INTO room_code (tenant, mode, code, session, expires_at)
  SELECT tenant, mode, code, session, expires_at
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[])
      AS given (tenant, mode, code, session, expires_at) ORDER BY tenant, mode, code
  ON CONFLICT (tenant, mode, code)
  DO UPDATE SET session = excluded.session, expires_at = excluded.expires_at
  WHERE room_code.expires_at <= $6 RETURNING session`;

/**
 * Takes the rooms' codes that are free or have expired; answers the sessions that got theirs. Of
 * several that want the same the first has it.
 */
async function holdRoomCodes(
  tx: Tx,
  sessions: readonly NewSession[],
): Promise<ReadonlySet<string>> {
  const wishes = new Map<string, NewSession>();
  for (const each of sessions) {
    const key = [each.row.tenant, each.row.mode, each.row.roomCode].join('\n');
    if (!wishes.has(key)) wishes.set(key, each);
  }
  const asked = [...wishes.values()];
  const rows = await tx.all(
    HOLD,
    asked.map(({ row }) => row.tenant),
    asked.map(({ row }) => row.mode),
    asked.map(({ row }) => row.roomCode),
    asked.map(({ row }) => row.id),
    asked.map(({ roomCodeExpiresAt }) => roomCodeExpiresAt),
    Math.min(...asked.map(({ row }) => row.createdAt)),
  );
  return new Set(rows.map(({ session }) => String(session)));
}

type Refusal = 'month_full' | 'open_full';

/** Throws `Refused` unless there is room for all; then the first of them have it. */
async function countSessions(tx: Tx, sessions: readonly NewSession[]): Promise<void> {
  if (sessions.length === 0) return;
  const counters = sessions.flatMap(countersOf);
  const counts = new Map(await countAll(tx, counters));
  // As they stood before, to count them again one by one.
  for (const counter of counters) addTo(counts, counter, -1);
  const refusals = new Map<string, Refusal>();
  for (const session of sessions) {
    const refusal = refusalOf(session, counts);
    if (refusal !== null) refusals.set(session.row.id, refusal);
    else for (const counter of countersOf(session)) addTo(counts, counter, 1);
  }
  if (refusals.size > 0) throw new Refused(refusals);
}

function addTo(counts: Map<string, number>, counter: Counter, n: number): void {
  const key = counterKey(counter);
  counts.set(key, counts.get(key)! + n);
}

/** Its open sessions, and those of the month if it is counted there. */
function countersOf({ row, quota: { month } }: NewSession): Counter[] {
  const { tenant } = row;
  const open = { tenant, name: openCounter(row) };
  return month === null ? [open] : [open, { tenant, name: `sessions:${month}` }];
}

function refusalOf(session: NewSession, counts: ReadonlyMap<string, number>): Refusal | null {
  const { openSessionsMax, sessionsPerMonthMax } = session.quota;
  const [open, month] = countersOf(session).map((counter) => counts.get(counterKey(counter))!);
  if (openSessionsMax !== null && open! >= openSessionsMax) return 'open_full';
  if (month === undefined || sessionsPerMonthMax === null) return null;
  return month >= sessionsPerMonthMax ? 'month_full' : null;
}
