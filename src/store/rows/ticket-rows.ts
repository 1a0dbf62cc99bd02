/** Converts rows of tickets and groups. */

import type { GameId } from '../../../game/src/game.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import type { Mode } from '../../match/record.ts';
import type { Ticket, TicketPlayer, TicketStatus } from '../../matchmaking/ticket.ts';
import { numberOrNull, type Row, textOrNull } from './row.ts';

/** The counter of open tickets and groups. */
export function openTicketsCounter(mode: string): string {
  return `tickets:${mode}`;
}

export function statusOf(row: Row): TicketStatus {
  return row['status'] as TicketStatus;
}

/** `players` in the order in which they joined. */
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
  const integrity = textOrNull(row['integrity']);
  return {
    id: textOrNull(row['player_id']),
    displayName: textOrNull(row['display_name']),
    ...(integrity === null ? null : { integrity: JSON.parse(integrity) as Verdict }),
  };
}
