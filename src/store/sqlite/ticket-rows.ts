/** Rows of tickets and groups as they are read, and what they are to the rest of the house. */

import type { GameId } from '../../games/game.ts';
import type { Mode } from '../../match/record.ts';
import type { Ticket, TicketPlayer, TicketStatus } from '../../matchmaking/ticket.ts';
import type { Row } from './rows.ts';
import { numberOrNull, textOrNull } from './rows.ts';

export const TICKET_BY_ID =
  'SELECT * FROM ticket WHERE id = ? AND tenant = ? AND mode = ? AND game = ?';
export const TICKET_BY_GROUP =
  'SELECT * FROM ticket WHERE group_id = ? AND tenant = ? AND mode = ? AND game = ?';
/** In the order in which they were added. */
export const PLAYERS_OF_TICKET = `SELECT player_id, display_name FROM ticket_player
   JOIN player ON player.ref = ticket_player.player WHERE ticket = ? ORDER BY place`;

/** The counter of tickets and groups that have not ended. */
export function openTicketsCounter(mode: string): string {
  return `tickets:${mode}`;
}

/** Names of players hold no control characters, and those of tenants and modes no line break. */
export function presenceKey(tenant: string, mode: string, playerId: string): string {
  return `${mode}\n${tenant}\n${playerId}`;
}

export function statusOf(row: Row): TicketStatus {
  return row['status'] as TicketStatus;
}

export function toTicket(row: Row, players: readonly Row[]): Ticket {
  const base = {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as Mode,
    game: row['game'] as GameId,
    capacity: Number(row['capacity']),
    players: players.map(toPlayer),
    createdAt: Number(row['created_at']),
  };
  const status = statusOf(row);
  switch (status) {
    case 'forming':
      return { ...base, status };
    case 'promoted':
      return { ...base, status, ...toGroup(row), poolPlace: Number(row['pool_place']) };
    case 'started': {
      const session = String(row['session']);
      const startedWith = Number(row['started_with']);
      return { ...base, status, ...toGroup(row), session, startedWith, endedAt: endedAt(row) };
    }
    case 'cancelled': {
      const group = textOrNull(row['group_id']);
      const promotedAt = numberOrNull(row['promoted_at']);
      return { ...base, status, group, promotedAt, endedAt: endedAt(row) };
    }
  }
}

function toGroup(row: Row): { readonly group: string; readonly promotedAt: number } {
  return { group: String(row['group_id']), promotedAt: Number(row['promoted_at']) };
}

function endedAt(row: Row): number {
  return Number(row['ended_at']);
}

function toPlayer(row: Row): TicketPlayer {
  return { id: textOrNull(row['player_id']), displayName: textOrNull(row['display_name']) };
}
