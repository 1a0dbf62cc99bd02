/** The writes of hosted matchmaking: each decides by the rules, inside the writer's transaction. */

import { makePlayerMark } from '../../events/marks.ts';
import { LOBBY_CHECK_MS } from '../../integrity/checks.ts';
import { presentGroup } from '../../matchmaking/present-group.ts';
import type { Group, Ticket } from '../../matchmaking/ticket.ts';
import {
  decideAdd,
  decideCancelGroup,
  decideCancelTicket,
  decidePromote,
  decideRemove,
  refuse,
} from '../../matchmaking/ticket.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { openTicketsCounter, statusOf, toTicket } from '../rows/ticket-rows.ts';
import type {
  AddOutcome,
  CancelOutcome,
  CreateTicketOutcome,
  GroupCancel,
  GroupRef,
  NewTicket,
  PlayerAdd,
  PlayerPresence,
  PlayerRemove,
  PromoteOutcome,
  Promotion,
  RemoveOutcome,
  TicketCancel,
  TicketRef,
  TicketWorld,
  TicketWrite,
} from '../tickets.ts';
import { worldOf } from '../world.ts';
import type { Row } from './rows.ts';
import { count, keep, playerOf, uncount } from './shared-rows.ts';
import { startGroups } from './start-groups.ts';
import type { Statements, WriterTools } from './statements.ts';
import type { TicketAnswers, TicketOp } from './ticket-protocol.ts';
import { PLAYERS_OF_TICKET, presenceKey, TICKET_BY_GROUP, TICKET_BY_ID } from './ticket-rows.ts';

export function performTicketOp(sql: WriterTools, op: TicketOp): TicketAnswers[TicketOp['op']] {
  switch (op.op) {
    case 'setPresence':
      return setPresence(sql, op.presence);
    case 'createTicket':
      return createTicket(sql, op.ticket);
    case 'addToTicket':
      return addToTicket(sql, op.add);
    case 'removeFromTicket':
      return removeFromTicket(sql, op.remove);
    case 'promoteTicket':
      return promoteTicket(sql, op.promotion);
    case 'cancelTicket':
      return cancelTicket(sql, op.cancel);
    case 'cancelGroup':
      return cancelGroup(sql, op.cancel);
    case 'startGroups':
      return startGroups(sql, op.start);
    case 'removeTickets':
      return removeTickets(sql, op.endedBefore, op.limit);
  }
}

/** One process serves from the file, so its presence lives and dies with this thread. */
function setPresence(
  sql: WriterTools,
  { tenant, mode, playerId, isConnected }: PlayerPresence,
): null {
  const key = presenceKey(tenant, mode, playerId);
  if (isConnected) sql.present.add(key);
  else sql.present.delete(key);
  return null;
}

function createTicket(sql: WriterTools, ticket: NewTicket): CreateTicketOutcome {
  const { ticket: id, tenant, mode, game, capacity, at } = ticket;
  if (!count(sql, tenant, openTicketsCounter(mode), ticket.openTicketsMax)) {
    return refuse({ code: 'open_tickets_exceeded' });
  }
  sql.run(
    `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at)
     VALUES (?, ?, ?, ?, ?, 0, 'forming', ?)`,
    id,
    tenant,
    mode,
    game,
    capacity,
    at,
  );
  tell(sql, ticket, 'ticket.created', { ticketId: id, game, capacity });
  return { kind: 'created' };
}

function addToTicket(sql: WriterTools, add: PlayerAdd): AddOutcome {
  const { ticket: id, tenant, mode, game, playerId, newRef, at } = add;
  const row = ticketRow(sql, add);
  const { ref, isInside } = findPlayer(sql, add);
  const taken = Number(row?.['taken']);
  const decision = decideAdd(
    row && { status: statusOf(row), capacity: Number(row['capacity']), taken },
    {
      isInside,
      isConnected: sql.present.has(presenceKey(tenant, mode, playerId)),
      elsewhere: ref && formingTicketOf(sql, ref, add),
    },
  );
  if (decision.kind !== 'add') return decision;
  const player =
    ref ?? playerOf(sql, tenant, worldOf(add), { playerId, displayName: null, newRef, at }).ref;
  sql.run(
    `INSERT INTO ticket_player (ticket, place, player, mode, game, forming, added_at, integrity)
     SELECT ?1, coalesce(max(place) + 1, 0), ?2, ?3, ?4, 1, ?5, coalesce(?6, (
         SELECT verdict FROM lobby_check WHERE player = ?2 AND mode = ?3 AND checked_at > ?7))
       FROM ticket_player WHERE ticket = ?1`,
    id,
    player,
    mode,
    game,
    at,
    add.integrity ?? null,
    at - LOBBY_CHECK_MS,
  );
  sql.run('UPDATE ticket SET taken = taken + 1 WHERE id = ?', id);
  const data = { ticketId: id, game, playerId: makePlayerMark(player), taken: taken + 1 };
  tell(sql, add, 'ticket.player_added', { ...data, capacity: Number(row!['capacity']) });
  return { kind: 'added' };
}

function removeFromTicket(sql: WriterTools, remove: PlayerRemove): RemoveOutcome {
  const { ticket: id, game } = remove;
  const row = ticketRow(sql, remove);
  const { ref, isInside } = findPlayer(sql, remove);
  const decision = decideRemove(row && { status: statusOf(row) }, isInside);
  if (decision.kind !== 'remove') return decision;
  takeOut(sql, id, ref!);
  const taken = Number(row!['taken']) - 1;
  const data = { ticketId: id, game, playerId: makePlayerMark(ref!), taken };
  tell(sql, remove, 'ticket.player_removed', { ...data, capacity: Number(row!['capacity']) });
  return { kind: 'removed' };
}

function takeOut(sql: Statements, ticket: string, ref: string): void {
  sql.run('DELETE FROM ticket_player WHERE ticket = ? AND player = ?', ticket, ref);
  sql.run('UPDATE ticket SET taken = taken - 1 WHERE id = ?', ticket);
}

function promoteTicket(sql: WriterTools, promotion: Promotion): PromoteOutcome {
  const { ticket: id, game, group, at } = promotion;
  const decision = decidePromote(findTicket(sql, promotion));
  if (decision.kind !== 'promote') return decision;
  sql.run(
    `UPDATE ticket SET status = 'promoted', group_id = ?, promoted_at = ?, pool_place = ?
     WHERE id = ?`,
    group,
    at,
    nextPoolPlace(sql, promotion),
    id,
  );
  sql.run('UPDATE ticket_player SET forming = 0 WHERE ticket = ?', id);
  const promoted = findTicket(sql, promotion) as Group;
  const body = JSON.stringify({ group: presentGroup(promoted) });
  const { idempotency } = promotion;
  tell(
    sql,
    { ...promotion, idempotency: idempotency && { ...idempotency, body } },
    'ticket.promoted',
    {
      ticketId: id,
      groupId: group,
      game,
      players: refsOf(sql, id).map(makePlayerMark),
      capacity: promoted.capacity,
    },
  );
  return { kind: 'promoted', group: promoted };
}

/** Counted in each pool by itself: a place, which cursors show, says nothing of other tenants. */
function nextPoolPlace(sql: Statements, { tenant, mode, game }: TicketWorld): number {
  const last = sql.get(
    `SELECT max(pool_place) AS place FROM ticket
     WHERE tenant = ? AND mode = ? AND game = ? AND pool_place IS NOT NULL`,
    tenant,
    mode,
    game,
  );
  return Number(last!['place'] ?? 0) + 1;
}

function cancelTicket(sql: WriterTools, cancel: TicketCancel): CancelOutcome {
  const { ticket: id, game } = cancel;
  const row = ticketRow(sql, cancel);
  const decision = decideCancelTicket(row && { status: statusOf(row) });
  if (decision.kind !== 'cancel') return decision;
  end(sql, cancel, id, cancel.at);
  tell(sql, cancel, 'ticket.cancelled', { ticketId: id, game });
  return { kind: 'cancelled' };
}

function cancelGroup(sql: WriterTools, cancel: GroupCancel): CancelOutcome {
  const { group, game } = cancel;
  const row = groupRow(sql, cancel);
  const decision = decideCancelGroup(group, row && { status: statusOf(row) });
  if (decision.kind !== 'cancel') return decision;
  const id = String(row!['id']);
  end(sql, cancel, id, cancel.at);
  tell(sql, cancel, 'group.cancelled', { groupId: group, ticketId: id, game });
  return { kind: 'cancelled' };
}

function end(sql: Statements, { tenant, mode }: TicketWorld, id: string, at: number): void {
  sql.run("UPDATE ticket SET status = 'cancelled', ended_at = ? WHERE id = ?", at, id);
  sql.run('UPDATE ticket_player SET forming = 0 WHERE ticket = ?', id);
  uncount(sql, tenant, openTicketsCounter(mode));
}

/** Takes a player out of all that has not ended: nobody may sit down in his name any more. */
export function leaveTickets(
  sql: Statements,
  tenant: string,
  world: KeyMode,
  playerId: string,
): void {
  const places = sql.all(
    `SELECT ticket.id, player.ref FROM player
       JOIN ticket_player ON ticket_player.player = player.ref
       JOIN ticket ON ticket.id = ticket_player.ticket
     WHERE player.tenant = ? AND player.world = ? AND player.player_id = ?
       AND ticket.ended_at IS NULL`,
    tenant,
    world,
    playerId,
  );
  for (const { id, ref } of places) takeOut(sql, String(id), String(ref));
}

function removeTickets(sql: Statements, endedBefore: number, limit: number): number {
  const doomed = 'SELECT id FROM ticket WHERE ended_at < ? ORDER BY ended_at, id LIMIT ?';
  sql.run(`DELETE FROM ticket_player WHERE ticket IN (${doomed})`, endedBefore, limit);
  return sql.run(`DELETE FROM ticket WHERE id IN (${doomed})`, endedBefore, limit);
}

type TicketEvent =
  | 'ticket.created'
  | 'ticket.player_added'
  | 'ticket.player_removed'
  | 'ticket.promoted'
  | 'ticket.cancelled'
  | 'group.cancelled';

/** The event of a change, and the answer to keep for repeats of the request. */
function tell(
  sql: WriterTools,
  { tenant, mode, eventId, at, idempotency }: TicketWorld & TicketWrite,
  type: TicketEvent,
  data: object,
): void {
  sql.emit({ id: eventId, tenant, mode, type, session: null, at, data: JSON.stringify(data) });
  if (idempotency !== null) keep(sql, idempotency);
}

function ticketRow(sql: Statements, { ticket, tenant, mode, game }: TicketRef): Row | null {
  return sql.get(TICKET_BY_ID, ticket, tenant, mode, game) ?? null;
}

function groupRow(sql: Statements, { group, tenant, mode, game }: GroupRef): Row | null {
  return sql.get(TICKET_BY_GROUP, group, tenant, mode, game) ?? null;
}

function findTicket(sql: Statements, ref: TicketRef): Ticket | null {
  const row = ticketRow(sql, ref);
  return row && toTicket(row, sql.all(PLAYERS_OF_TICKET, ref.ticket));
}

/** The pseudonym of a player the tenant knows, and whether he is in the ticket. */
function findPlayer(
  sql: Statements,
  { tenant, mode, ticket, playerId }: TicketRef & { readonly playerId: string },
): { readonly ref: string | null; readonly isInside: boolean } {
  const found = sql.get(
    `SELECT ref, EXISTS (SELECT 1 FROM ticket_player
       WHERE ticket_player.player = player.ref AND ticket = ?) AS inside
     FROM player WHERE tenant = ? AND world = ? AND player_id = ?`,
    ticket,
    tenant,
    mode,
    playerId,
  );
  if (found === undefined) return { ref: null, isInside: false };
  return { ref: String(found['ref']), isInside: found['inside'] === 1 };
}

function formingTicketOf(sql: Statements, ref: string, { mode, game }: TicketWorld): string | null {
  const found = sql.get(
    'SELECT ticket FROM ticket_player WHERE player = ? AND mode = ? AND game = ? AND forming = 1',
    ref,
    mode,
    game,
  );
  return found === undefined ? null : String(found['ticket']);
}

function refsOf(sql: Statements, ticket: string): string[] {
  const rows = sql.all('SELECT player FROM ticket_player WHERE ticket = ? ORDER BY place', ticket);
  return rows.map(({ player }) => String(player));
}
