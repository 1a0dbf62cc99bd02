/** Starts groups in one session: all of them are marked and the session is created, or nothing happens. */

import { makePlayerMark } from '../../../events/marks.ts';
import { decideStart, type Group, type Ticket } from '../../../matchmaking/ticket.ts';
import { presenceKey } from '../../rows/presence-key.ts';
import type { Row } from '../../rows/row.ts';
import { openTicketsCounter } from '../../rows/ticket-rows.ts';
import type { GroupsStart, StartOutcome } from '../../tickets.ts';
import { worldOf } from '../../world.ts';
import { limitsOf } from '../sessions/creates.ts';
import { insertSessions } from '../sessions/session-rows.ts';
import { keepAll } from '../shared/answers.ts';
import { countWithin, type Limit, uncountAll } from '../shared/counters.ts';
import { keepPlayers } from '../shared/player-rows.ts';
import type { Script, Tx } from '../shared/script.ts';
import { inWorld, refsOf, toWholeTicket, WHOLE_TICKET } from './ticket-rows.ts';

export const START_GROUPS: Script<GroupsStart, StartOutcome> = {
  name: 'startGroups',
  isInTurn: true,
  act: startAll,
};

async function startAll(tx: Tx, starts: readonly GroupsStart[]): Promise<readonly StartOutcome[]> {
  const seated = starts.flatMap(({ tenant, session: { row, seats } }) =>
    seats.map(({ playerId }) => ({ tenant, world: worldOf(row), playerId })),
  );
  // Before tickets, as an erasure does, or the two would deadlock.
  await keepPlayers(tx, seated);
  const rows = await lockGroups(tx, starts);
  const groups = new Map(Array.from(rows, ([id, row]) => [id, toWholeTicket(row)]));
  const connected = await tx.connected(playersToFind(starts, groups));
  const accepted: GroupsStart[] = [];
  const outcomes = starts.map((start) => {
    const found = start.groups.map((id) => inWorld(rows.get(id), start) && groups.get(id)!);
    const outcome = decide(start, found, connected);
    if (outcome.kind === 'started') {
      accepted.push(start);
      for (const id of start.groups) groups.set(id, asStarted(groups.get(id)!, start));
    }
    return outcome;
  });
  if (accepted.length > 0) await write(tx, rows, accepted);
  return outcomes;
}

/** Rows of groups by id, locked in the common order. */
async function lockGroups(
  tx: Tx,
  starts: readonly GroupsStart[],
): Promise<ReadonlyMap<string, Row>> {
  const locked = await tx.all(
    'SELECT id FROM ticket WHERE group_id IN :groups(text) ORDER BY id FOR UPDATE',
    { groups: starts.flatMap(({ groups }) => groups) },
  );
  // The locking statement itself shows the players as of before the lock.
  const rows = await tx.all(`SELECT ${WHOLE_TICKET} FROM ticket WHERE id IN :ids(text)`, {
    ids: locked.map(({ id }) => String(id)),
  });
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

/** `started` here means still to be done. */
function decide(
  { tenant, mode, groups: ids, seats, requireConnected, session }: GroupsStart,
  groups: readonly (Ticket | null)[],
  connected: ReadonlySet<string>,
): StartOutcome {
  const decision = decideStart({
    ids,
    groups,
    seats,
    isConnected: requireConnected
      ? (playerId) => connected.has(presenceKey({ tenant, mode, playerId }))
      : null,
  });
  if (decision.kind !== 'start') return decision;
  const expected = session.seats.map(({ playerId }) => playerId);
  const isSame = decision.players.every(({ id }, seat) => id === expected[seat]);
  const isAll = expected.length === decision.players.length;
  return isSame && isAll ? { kind: 'started' } : { kind: 'changed' };
}

/** What later asks of the same transaction find. */
function asStarted(ticket: Ticket, { groups, session, at }: GroupsStart): Ticket {
  return {
    ...(ticket as Group),
    status: 'started',
    session: session.row.id,
    startedWith: groups.length,
    endedAt: at,
  };
}

async function write(
  tx: Tx,
  rows: ReadonlyMap<string, Row>,
  starts: readonly GroupsStart[],
): Promise<void> {
  const sessions = starts.map(({ session }) => session);
  await insertSessions(tx, sessions);
  const started = starts.flatMap((start) =>
    start.groups.map((id, index) => ({
      start,
      row: rows.get(id)!,
      eventId: start.eventIds[index]!,
    })),
  );
  const given = started.map(({ row, start: { groups, session, at } }) => {
    return { id: row['id'], session: session.row.id, startedWith: groups.length, at };
  });
  await tx.run(
    `UPDATE ticket SET status = 'started', session = given.session,
       started_with = given.started_with, ended_at = given.at
       FROM @given(id text, session text, started_with int, at bigint)
      WHERE ticket.id = given.id`,
    { given },
  );
  for (const { events } of sessions) for (const event of events) tx.emit(event);
  for (const { start, row, eventId } of started) tell(tx, start, row, eventId);
  const answers = starts.flatMap(({ idempotency }) => idempotency ?? []);
  await keepAll(tx, answers);
  // Last, because all transactions of the tenant wait for these rows. The groups, as tickets, have
  // ended.
  await countWithin(tx, starts, limitsOfStart);
  const ended = started.map(({ start: { tenant, mode } }) => {
    return { tenant, name: openTicketsCounter(mode) };
  });
  await uncountAll(tx, ended);
}

/** The sessions count like any new ones. */
function limitsOfStart({ session }: GroupsStart): readonly Limit<StartOutcome>[] {
  return limitsOf(session).map(({ refusal, ...limit }) => ({
    ...limit,
    refusal: { kind: refusal },
  }));
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
