/**
 * Starts of groups, several in one transaction. Of each, all groups are marked and its session is
 * made, or nothing is.
 */

import { makePlayerMark } from '../../events/marks.ts';
import { decideStart, type Group, type Ticket } from '../../matchmaking/ticket.ts';
import { openCounter } from '../rows/open-counter.ts';
import { presenceKey } from '../rows/presence-key.ts';
import { openTicketsCounter } from '../rows/ticket-rows.ts';
import { inWorld, refsOf, toWholeTicket, WHOLE_TICKET } from '../scripts/ticket-rows.ts';
import { OneByOne, Undo } from '../scripts/undo.ts';
import type { GroupsStart, StartOutcome } from '../tickets.ts';
import { worldOf } from '../world.ts';
import { keepAll } from './answer-rows.ts';
import { type Counter, countAll, counterKey, uncountAll } from './counters.ts';
import { keepPlayers } from './player-rows.ts';
import { findPresent } from './presence.ts';
import { insertSessions } from './session-rows.ts';
import type { Row, Tx } from './sql.ts';

/** Answers what becomes of each, in their order. `node` holds the sessions. */
export async function startAll(
  tx: Tx,
  node: string,
  starts: readonly GroupsStart[],
): Promise<readonly StartOutcome[]> {
  const seated = starts.flatMap(({ tenant, session: { row, seats } }) =>
    seats.map(({ playerId }) => ({ tenant, world: worldOf(row), playerId })),
  );
  // Before tickets, as an erasure does: each would wait for the other.
  await keepPlayers(tx, seated);
  const rows = await lockGroups(tx, starts);
  const groups = new Map(Array.from(rows, ([id, row]) => [id, toWholeTicket(row)]));
  const present = await findPresent(tx, playersToFind(starts, groups));
  const accepted: GroupsStart[] = [];
  const outcomes = starts.map((start) => {
    const found = start.groups.map((id) => inWorld(rows.get(id), start) && groups.get(id)!);
    const outcome = decide(start, found, present);
    if (outcome.kind === 'started') {
      accepted.push(start);
      for (const id of start.groups) groups.set(id, asStarted(groups.get(id)!, start));
    }
    return outcome;
  });
  if (accepted.length > 0) {
    await write(tx, node, rows, accepted);
    // Last, as everybody waits for these rows; what is refused here is undone.
    await countSessions(tx, accepted, starts.length === 1);
  }
  return outcomes;
}

/** The rows of groups by their ids, locked in the order that everybody keeps. */
async function lockGroups(
  tx: Tx,
  starts: readonly GroupsStart[],
): Promise<ReadonlyMap<string, Row>> {
  const locked = await tx.all(
    'SELECT id FROM ticket WHERE group_id = ANY($1::text[]) ORDER BY id FOR UPDATE',
    starts.flatMap(({ groups }) => groups),
  );
  // The lock itself shows players as of before it was had.
  const rows = await tx.all(
    `SELECT ${WHOLE_TICKET} FROM ticket WHERE id = ANY($1::text[])`,
    locked.map(({ id }) => String(id)),
  );
  return new Map(rows.map((row) => [String(row['group_id']), row]));
}

function playersToFind(starts: readonly GroupsStart[], groups: ReadonlyMap<string, Ticket>) {
  return starts
    .filter(({ requireConnected }) => requireConnected)
    .flatMap(({ tenant, mode, groups: ids }) =>
      ids
        .flatMap((id) => groups.get(id)?.players ?? [])
        .flatMap(({ id: playerId }) => (playerId === null ? [] : [{ tenant, mode, playerId }])),
    );
}

/** `started` here is what is still to be done. */
function decide(
  { tenant, mode, groups: ids, seats, requireConnected, session }: GroupsStart,
  groups: readonly (Ticket | null)[],
  present: ReadonlySet<string>,
): StartOutcome {
  const decision = decideStart({
    ids,
    groups,
    seats,
    isConnected: requireConnected
      ? (playerId) => present.has(presenceKey({ tenant, mode, playerId }))
      : null,
  });
  if (decision.kind !== 'start') return decision;
  const expected = session.seats.map(({ playerId }) => playerId);
  const isSame = decision.players.every(({ id }, seat) => id === expected[seat]);
  const isAll = expected.length === decision.players.length;
  return isSame && isAll ? { kind: 'started' } : { kind: 'changed' };
}

/** What those who come after it in the same transaction find. */
function asStarted(ticket: Ticket, { groups, session, at }: GroupsStart): Ticket {
  const { group, promotedAt, ...base } = ticket as Group;
  const { id, tenant, mode, game, capacity, players, createdAt } = base;
  return {
    ...{ id, tenant, mode, game, capacity, players, createdAt, group, promotedAt },
    status: 'started',
    session: session.row.id,
    startedWith: groups.length,
    endedAt: at,
  };
}

async function write(
  tx: Tx,
  node: string,
  rows: ReadonlyMap<string, Row>,
  starts: readonly GroupsStart[],
): Promise<void> {
  await insertSessions(
    tx,
    node,
    starts.map(({ session }) => session),
  );
  const started = starts.flatMap((start) =>
    start.groups.map((id, index) => ({
      start,
      row: rows.get(id)!,
      eventId: start.eventIds[index]!,
    })),
  );
  await tx.run(
    `UPDATE ticket SET status = 'started', session = given.session,
       started_with = given.started_with, ended_at = given.at
       FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[])
         AS given (id, session, started_with, at)
      WHERE ticket.id = given.id`,
    started.map(({ row }) => String(row['id'])),
    started.map(({ start }) => start.session.row.id),
    started.map(({ start }) => start.groups.length),
    started.map(({ start }) => start.at),
  );
  for (const { session } of starts) for (const event of session.events) tx.emit(event);
  for (const { start, row, eventId } of started) tell(tx, start, row, eventId);
  await keepAll(
    tx,
    starts.flatMap(({ idempotency }) => idempotency ?? []),
  );
}

function tell(
  tx: Tx,
  { tenant, mode, game, at, session }: GroupsStart,
  row: Row,
  id: string,
): void {
  const data = {
    groupId: row['group_id'],
    ticketId: row['id'],
    game,
    players: refsOf(row).map(makePlayerMark),
  };
  const type = 'group.started';
  tx.emit({ id, tenant, mode, type, session: session.row.id, at, data: JSON.stringify(data) });
}

/** Counts the sessions, as any new ones are, and the groups as ended. */
async function countSessions(
  tx: Tx,
  starts: readonly GroupsStart[],
  isAlone: boolean,
): Promise<void> {
  const counts = await countAll(tx, starts.flatMap(countersOf));
  for (const { tenant, mode, session } of starts) {
    const { month, openSessionsMax, sessionsPerMonthMax } = session.quota;
    const isPast = (name: string, max: number | null): boolean =>
      max !== null && counts.get(counterKey({ tenant, name }))! > max;
    const full = isPast(openCounter({ mode }), openSessionsMax)
      ? 'open_full'
      : month !== null && isPast(`sessions:${month}`, sessionsPerMonthMax)
        ? 'month_full'
        : null;
    if (full === null) continue;
    // Whoever is alone knows that it is he who is too much.
    if (!isAlone) throw new OneByOne();
    throw new Undo<readonly StartOutcome[]>([{ kind: full }]);
  }
  const ended = starts.flatMap(({ tenant, mode, groups }) =>
    groups.map(() => ({ tenant, name: openTicketsCounter(mode) })),
  );
  await uncountAll(tx, ended);
}

function countersOf({ tenant, mode, session: { quota } }: GroupsStart): readonly Counter[] {
  const open = { tenant, name: openCounter({ mode }) };
  return quota.month === null ? [open] : [open, { tenant, name: `sessions:${quota.month}` }];
}
