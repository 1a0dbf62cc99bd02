/** Tickets and groups, as atomic steps: the rules decide, and here is what they decide about. */

import type { NewEvent } from '../../src/events/event.ts';
import { makePlayerMark } from '../../src/events/marks.ts';
import { LOBBY_CHECK_MS } from '../../src/integrity/checks.ts';
import type { Verdict } from '../../src/integrity/verdict.ts';
import { presentGroup } from '../../src/matchmaking/present-group.ts';
import type { Group, PromotedTicket, Ticket, TicketPlayer } from '../../src/matchmaking/ticket.ts';
import {
  decideAdd,
  decideCancelGroup,
  decideCancelTicket,
  decidePromote,
  decideRemove,
  decideStart,
  refuse,
} from '../../src/matchmaking/ticket.ts';
import type {
  AddOutcome,
  CancelOutcome,
  CreateTicketOutcome,
  GroupCancel,
  GroupsStart,
  NewTicket,
  PlayerAdd,
  PlayerRemove,
  PromoteOutcome,
  Promotion,
  RemoveOutcome,
  StartOutcome,
  TicketCancel,
  TicketFilter,
  TicketRef,
  TicketWorld,
  TicketWrite,
} from '../../src/store/tickets.ts';
import { WORLDS, worldOf } from '../../src/store/world.ts';
import { emit } from './events.ts';
import { isPresent, keep, playerOf, refuseAnswered } from './players.ts';
import { countSession, insertSession } from './sessions.ts';
import {
  count,
  type PlayerTableRow,
  rowName,
  type Tables,
  type TicketTableRow,
  uncount,
} from './tables.ts';

function ticketRow(tables: Tables, ref: TicketRef): TicketTableRow | null {
  const row = tables.tickets.get(ref.ticket);
  return row !== undefined && isIn(row, ref) ? row : null;
}

function groupRow(tables: Tables, world: TicketWorld, group: string): TicketTableRow | null {
  for (const row of tables.tickets.values()) {
    if (row.group === group && isIn(row, world)) return row;
  }
  return null;
}

function isIn(row: TicketWorld, { tenant, mode, game }: TicketWorld): boolean {
  return row.tenant === tenant && row.mode === mode && row.game === game;
}

function openCounter({ tenant, mode }: Pick<TicketWorld, 'tenant' | 'mode'>): string {
  return rowName('tickets', tenant, mode);
}

function toTicket(row: TicketTableRow): Ticket {
  const { id, tenant, mode, game, capacity, createdAt } = row;
  const players = row.players.map((player): TicketPlayer => {
    const { playerId, displayName } = player;
    const check = row.checks.get(player);
    const integrity = check && (JSON.parse(check) as Verdict);
    return { id: playerId, displayName, ...(integrity && { integrity }) };
  });
  const base = { id, tenant, mode, game, capacity, players, createdAt };
  const { group, promotedAt, poolPlace, session, startedWith, endedAt } = row;
  switch (row.status) {
    case 'forming':
      return { ...base, status: 'forming' };
    case 'promoted': {
      const promoted = { group: group!, promotedAt: promotedAt!, poolPlace: poolPlace! };
      return { ...base, status: 'promoted', ...promoted };
    }
    case 'started': {
      const started = { session: session!, startedWith: startedWith!, endedAt: endedAt! };
      return { ...base, status: 'started', group: group!, promotedAt: promotedAt!, ...started };
    }
    case 'cancelled':
      return { ...base, status: 'cancelled', group, promotedAt, endedAt: endedAt! };
  }
}

export function createTicket(tables: Tables, ticket: NewTicket): CreateTicketOutcome {
  const { ticket: id, tenant, mode, game, capacity, at } = ticket;
  refuseAnswered(tables, ticket.idempotency);
  if (!count(tables, openCounter(ticket), ticket.openTicketsMax)) {
    return refuse({ code: 'open_tickets_exceeded' });
  }
  tables.tickets.set(id, {
    ...{ id, tenant, mode, game, capacity, createdAt: at },
    ...{
      status: 'forming',
      players: [],
      checks: new Map(),
      group: null,
      promotedAt: null,
      poolPlace: null,
    },
    ...{ session: null, startedWith: null, endedAt: null },
  });
  tell(tables, ticket, 'ticket.created', { ticketId: id, game, capacity });
  return { kind: 'created' };
}

export function addToTicket(tables: Tables, add: PlayerAdd): AddOutcome {
  const { ticket: id, tenant, mode, game, playerId, newRef, at } = add;
  refuseAnswered(tables, add.idempotency);
  const row = ticketRow(tables, add);
  const world = worldOf(add);
  const known = tables.players.get(rowName(tenant, world, playerId));
  const taken = row?.players.length ?? 0;
  const decision = decideAdd(row && { status: row.status, capacity: row.capacity, taken }, {
    isInside: row !== null && known !== undefined && row.players.includes(known),
    isConnected: isPresent(tables, tenant, mode, playerId),
    elsewhere: known === undefined ? null : formingTicketOf(tables, known, add),
  });
  if (decision.kind !== 'add') return decision;
  tables.onAdded(playerId);
  const player =
    known ?? playerOf(tables, tenant, world, { playerId, displayName: null, newRef, at });
  row!.players = [...row!.players, player];
  const lobby = player.check;
  const isYoung = lobby !== null && lobby.at > at - LOBBY_CHECK_MS;
  const check = add.integrity ?? (isYoung ? lobby.verdict : null);
  if (check === null) row!.checks.delete(player);
  else row!.checks.set(player, check);
  const mark = makePlayerMark(player.ref);
  const counts = { taken: taken + 1, capacity: row!.capacity };
  tell(tables, add, 'ticket.player_added', { ticketId: id, game, playerId: mark, ...counts });
  return { kind: 'added' };
}

function formingTicketOf(
  tables: Tables,
  player: PlayerTableRow,
  world: TicketWorld,
): string | null {
  for (const row of tables.tickets.values()) {
    const isForming = row.status === 'forming' && isIn(row, world);
    if (isForming && row.players.includes(player)) return row.id;
  }
  return null;
}

export function removeFromTicket(tables: Tables, remove: PlayerRemove): RemoveOutcome {
  const { ticket: id, tenant, game, playerId } = remove;
  refuseAnswered(tables, remove.idempotency);
  const row = ticketRow(tables, remove);
  const player = tables.players.get(rowName(tenant, worldOf(remove), playerId));
  const isInside = row !== null && player !== undefined && row.players.includes(player);
  const decision = decideRemove(row && { status: row.status }, isInside);
  if (decision.kind !== 'remove') return decision;
  row!.players = row!.players.filter((each) => each !== player);
  const counts = { taken: row!.players.length, capacity: row!.capacity };
  const mark = makePlayerMark(player!.ref);
  tell(tables, remove, 'ticket.player_removed', { ticketId: id, game, playerId: mark, ...counts });
  return { kind: 'removed' };
}

export function promoteTicket(tables: Tables, promotion: Promotion): PromoteOutcome {
  const { game, group, at, idempotency } = promotion;
  refuseAnswered(tables, promotion.idempotency);
  const row = ticketRow(tables, promotion);
  const decision = decidePromote(row && toTicket(row));
  if (decision.kind !== 'promote') return decision;
  const poolPlace = nextPoolPlace(tables, promotion);
  Object.assign(row!, { status: 'promoted', group, promotedAt: at, poolPlace });
  const promoted = toTicket(row!) as Group;
  const body = JSON.stringify({ group: presentGroup(promoted) });
  const write = { ...promotion, idempotency: idempotency && { ...idempotency, body } };
  const players = row!.players.map(({ ref }) => makePlayerMark(ref));
  const data = { ticketId: row!.id, groupId: group, game, players, capacity: row!.capacity };
  tell(tables, write, 'ticket.promoted', data);
  return { kind: 'promoted', group: promoted };
}

/** Counted in each pool by itself. */
function nextPoolPlace(tables: Tables, world: TicketWorld): number {
  let last = 0;
  for (const row of tables.tickets.values()) {
    if (isIn(row, world)) last = Math.max(last, row.poolPlace ?? 0);
  }
  return last + 1;
}

export function cancelTicket(tables: Tables, cancel: TicketCancel): CancelOutcome {
  refuseAnswered(tables, cancel.idempotency);
  const row = ticketRow(tables, cancel);
  const decision = decideCancelTicket(row && { status: row.status });
  if (decision.kind !== 'cancel') return decision;
  end(tables, row!, cancel.at);
  tell(tables, cancel, 'ticket.cancelled', { ticketId: row!.id, game: cancel.game });
  return { kind: 'cancelled' };
}

export function cancelGroup(tables: Tables, cancel: GroupCancel): CancelOutcome {
  const { group, game, at } = cancel;
  refuseAnswered(tables, cancel.idempotency);
  const row = groupRow(tables, cancel, group);
  const decision = decideCancelGroup(group, row && { status: row.status });
  if (decision.kind !== 'cancel') return decision;
  end(tables, row!, at);
  tell(tables, cancel, 'group.cancelled', { groupId: group, ticketId: row!.id, game });
  return { kind: 'cancelled' };
}

function end(tables: Tables, row: TicketTableRow, at: number): void {
  Object.assign(row, { status: 'cancelled', endedAt: at });
  uncount(tables, openCounter(row));
}

export function startGroups(tables: Tables, node: string, start: GroupsStart): StartOutcome {
  const { tenant, mode, game, session, at } = start;
  refuseAnswered(tables, start.idempotency);
  // Looked at before anything is written: a step is done whole or not at all.
  if (tables.sessions.has(session.row.id)) throw new Error(`${session.row.id} is there already`);
  const rows = start.groups.map((group) => groupRow(tables, start, group));
  const decision = decideStart({
    ids: start.groups,
    groups: rows.map((row) => row && toTicket(row)),
    seats: start.seats,
    isConnected: start.requireConnected
      ? (player) => isPresent(tables, tenant, mode, player)
      : null,
  });
  if (decision.kind !== 'start') return decision;
  const expected = session.seats.map(({ playerId }) => playerId);
  const isSame = decision.players.every(({ id }, seat) => id === expected[seat]);
  if (!isSame || expected.length !== decision.players.length) return { kind: 'changed' };
  const full = countSession(tables, start, session.quota);
  if (full !== null) return { kind: full };
  insertSession(tables, node, session.row, session.seats, session.entries, session.wakeAt);
  emit(tables, session.events);
  for (const [index, row] of rows.entries()) {
    const started = { session: session.row.id, startedWith: rows.length, endedAt: at };
    Object.assign(row!, { status: 'started', ...started });
    uncount(tables, openCounter(row!));
    const players = row!.players.map(({ ref }) => makePlayerMark(ref));
    const data = { groupId: start.groups[index]!, ticketId: row!.id, game, players };
    const about = { tenant, mode, type: 'group.started', session: session.row.id, at } as const;
    emit(tables, [{ id: start.eventIds[index]!, ...about, data: JSON.stringify(data) }]);
  }
  if (start.idempotency !== null) keep(tables, start.idempotency);
  return { kind: 'started' };
}

export function findTicket(tables: Tables, ref: TicketRef): Ticket | null {
  const row = ticketRow(tables, ref);
  return row && toTicket(row);
}

export function findGroups(
  tables: Tables,
  world: TicketWorld,
  groups: readonly string[],
): readonly (Ticket | null)[] {
  return groups.map((group) => {
    const row = groupRow(tables, world, group);
    return row && toTicket(row);
  });
}

export function listTickets(tables: Tables, filter: TicketFilter): readonly Ticket[] {
  return [...tables.tickets.values()]
    .filter((row) => isIn(row, filter))
    .map(toTicket)
    .filter(
      ({ id, status, players }) =>
        (filter.status === null || status === filter.status) &&
        (filter.playerId === null || players.some((player) => player.id === filter.playerId)) &&
        (filter.before === null || id < filter.before),
    )
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, filter.limit);
}

export function listPool(
  tables: Tables,
  world: TicketWorld,
  afterPlace: number,
  limit: number,
): readonly PromotedTicket[] {
  return [...tables.tickets.values()]
    .filter((row) => isIn(row, world) && row.status === 'promoted')
    .map((row) => toTicket(row) as PromotedTicket)
    .filter(({ poolPlace }) => poolPlace > afterPlace)
    .sort((a, b) => a.poolPlace - b.poolPlace)
    .slice(0, limit);
}

export function listTicketsOf(tables: Tables, tenant: string, playerId: string): readonly Ticket[] {
  const own = WORLDS.map((world) => tables.players.get(rowName(tenant, world, playerId)));
  return [...tables.tickets.values()]
    .filter(({ players }) => players.some((player) => own.includes(player)))
    .map(toTicket);
}

/** Takes an erased player out of all that has not ended. */
export function leaveTickets(tables: Tables, player: PlayerTableRow): void {
  for (const row of tables.tickets.values()) {
    if (row.endedAt === null) row.players = row.players.filter((each) => each !== player);
  }
}

export function removeTickets(tables: Tables, endedBefore: number, limit: number): number {
  const doomed = [...tables.tickets.values()]
    .filter(({ endedAt }) => endedAt !== null && endedAt < endedBefore)
    .slice(0, limit);
  for (const { id } of doomed) tables.tickets.delete(id);
  return doomed.length;
}

/** The event of a change, and the answer to keep for repeats of the request. */
function tell(
  tables: Tables,
  { tenant, mode, eventId, at, idempotency }: TicketWorld & TicketWrite,
  type: NewEvent['type'],
  data: object,
): void {
  const event = { id: eventId, tenant, mode, type, session: null, at };
  emit(tables, [{ ...event, data: JSON.stringify(data) }]);
  if (idempotency !== null) keep(tables, idempotency);
}
