/** Reads of tickets that several files share. */

/** In the order in which they were added. */
export const PLAYERS_OF_TICKET = `SELECT player_id, display_name, integrity FROM ticket_player
   JOIN player ON player.ref = ticket_player.player WHERE ticket = ? ORDER BY place`;
