/** Reads of tickets that several files share, and the key of presence. */

export const TICKET_BY_ID =
  'SELECT * FROM ticket WHERE id = ? AND tenant = ? AND mode = ? AND game = ?';
export const TICKET_BY_GROUP =
  'SELECT * FROM ticket WHERE group_id = ? AND tenant = ? AND mode = ? AND game = ?';
/** In the order in which they were added. */
export const PLAYERS_OF_TICKET = `SELECT player_id, display_name, integrity FROM ticket_player
   JOIN player ON player.ref = ticket_player.player WHERE ticket = ? ORDER BY place`;

/** Names of players hold no control characters, and those of tenants and modes no line break. */
export function presenceKey(tenant: string, mode: string, playerId: string): string {
  return `${mode}\n${tenant}\n${playerId}`;
}
