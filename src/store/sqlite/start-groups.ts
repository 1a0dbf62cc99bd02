/** Starts groups in one session: all of them are marked and the session is made, or nothing is. */

import { makePlayerMark } from '../../events/marks.ts';
import { decideStart } from '../../matchmaking/ticket.ts';
import { openCounter } from '../rows/open-counter.ts';
import { presenceKey } from '../rows/presence-key.ts';
import { openTicketsCounter, toTicket } from '../rows/ticket-rows.ts';
import type { GroupsStart, StartOutcome } from '../tickets.ts';
import { count, insertSession, keep, uncount } from './shared-rows.ts';
import type { WriterTools } from './statements.ts';
import { PLAYERS_OF_TICKET } from './ticket-rows.ts';

const TICKET_BY_GROUP =
  'SELECT * FROM ticket WHERE group_id = ? AND tenant = ? AND mode = ? AND game = ?';

export function startGroups(sql: WriterTools, start: GroupsStart): StartOutcome {
  const { tenant, mode, game, session } = start;
  const groups = start.groups.map((id) => {
    const row = sql.get(TICKET_BY_GROUP, id, tenant, mode, game);
    return row === undefined ? null : toTicket(row, sql.all(PLAYERS_OF_TICKET, String(row['id'])));
  });
  const decision = decideStart({
    ids: start.groups,
    groups,
    seats: start.seats,
    isConnected: start.requireConnected
      ? (playerId) => sql.present.has(presenceKey({ tenant, mode, playerId }))
      : null,
  });
  if (decision.kind !== 'start') return decision;
  const expected = session.seats.map(({ playerId }) => playerId);
  const isSame = decision.players.every(({ id }, seat) => id === expected[seat]);
  if (!isSame || expected.length !== decision.players.length) return { kind: 'changed' };
  const full = countSession(sql, start);
  if (full !== null) return { kind: full };
  insertSession(sql, session);
  for (const event of session.events) sql.emit(event);
  for (const [index, group] of groups.entries()) {
    markStarted(sql, start, group!.id, start.groups[index]!, start.eventIds[index]!);
  }
  if (start.idempotency !== null) keep(sql, start.idempotency);
  return { kind: 'started' };
}

/** Counts as any new session does; answers which number is full, and then nothing is counted. */
function countSession(
  sql: WriterTools,
  { tenant, mode, session: { quota } }: GroupsStart,
): 'open_full' | 'month_full' | null {
  const open = openCounter({ mode });
  if (!count(sql, tenant, open, quota.openSessionsMax)) return 'open_full';
  if (quota.month === null) return null;
  if (count(sql, tenant, `sessions:${quota.month}`, quota.sessionsPerMonthMax)) return null;
  uncount(sql, tenant, open);
  return 'month_full';
}

function markStarted(
  sql: WriterTools,
  { tenant, mode, game, at, groups, session: { row } }: GroupsStart,
  ticket: string,
  group: string,
  eventId: string,
): void {
  sql.run(
    `UPDATE ticket SET status = 'started', session = ?, started_with = ?, ended_at = ?
     WHERE id = ?`,
    row.id,
    groups.length,
    at,
    ticket,
  );
  uncount(sql, tenant, openTicketsCounter(mode));
  const players = sql.all(
    'SELECT player FROM ticket_player WHERE ticket = ? ORDER BY place',
    ticket,
  );
  const data = {
    groupId: group,
    ticketId: ticket,
    game,
    players: players.map(({ player }) => makePlayerMark(String(player))),
  };
  sql.emit({
    id: eventId,
    tenant,
    mode,
    type: 'group.started',
    session: row.id,
    at,
    data: JSON.stringify(data),
  });
}
