/** A player is erased (rule R2), as one atomic step. */

import { rowName, type Tables } from './tables.ts';
import { leaveTickets } from './tickets.ts';
import { leaveWaiting } from './waiting.ts';

export function erasePlayer(tables: Tables, tenant: string, playerId: string): boolean {
  const key = rowName(tenant, playerId);
  const player = tables.players.get(key);
  if (player === undefined) return false;
  leaveWaiting(tables, player);
  leaveTickets(tables, player);
  tables.players.delete(key);
  Object.assign(player, { playerId: null, displayName: null });
  for (const [name, row] of tables.answers) {
    const text = `${row.body}${row.mint ?? ''}`;
    const isNamed = text.includes(JSON.stringify(playerId)) || text.includes(`: ${playerId}"`);
    if (row.tenant === tenant && (isNamed || row.path.includes('/players/')))
      tables.answers.delete(name);
  }
  return true;
}
