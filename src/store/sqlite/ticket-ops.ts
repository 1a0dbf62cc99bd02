/** The writes around tickets that are no scripts yet, inside the writer's transaction. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { presenceKey } from '../rows/presence-key.ts';
import type { PlayerPresence } from '../tickets.ts';
import { startGroups } from './start-groups.ts';
import type { Statements, WriterTools } from './statements.ts';
import type { TicketAnswers, TicketOp } from './ticket-protocol.ts';

export function performTicketOp(sql: WriterTools, op: TicketOp): TicketAnswers[TicketOp['op']] {
  switch (op.op) {
    case 'setPresence':
      return setPresence(sql, op.presence);
    case 'startGroups':
      return startGroups(sql, op.start);
  }
}

/** One process serves from the file, so its presence lives and dies with this thread. */
function setPresence(sql: WriterTools, presence: PlayerPresence): null {
  const key = presenceKey(presence);
  if (presence.isConnected) sql.present.add(key);
  else sql.present.delete(key);
  return null;
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
  for (const { id, ref } of places) {
    sql.run('DELETE FROM ticket_player WHERE ticket = ? AND player = ?', id!, ref!);
    sql.run('UPDATE ticket SET taken = taken - 1 WHERE id = ?', id!);
  }
}
