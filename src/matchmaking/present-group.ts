/** A group as tenants read it (rule M3): the same in responses, lists and stored responses. */

import type { Group, TicketPlayer } from './ticket.ts';

export interface GroupView {
  readonly id: string;
  readonly ticketId: string;
  readonly game: string;
  readonly mode: string;
  readonly players: readonly TicketPlayer[];
  readonly capacity: number;
  readonly status: Group['status'];
  /** ISO 8601. */
  readonly promotedAt: string;
}

export function presentGroup(group: Group): GroupView {
  return {
    id: group.group,
    ticketId: group.id,
    game: group.game,
    mode: group.mode,
    players: group.players,
    capacity: group.capacity,
    status: group.status,
    promotedAt: new Date(group.promotedAt).toISOString(),
  };
}
