/** What both stores say alike when they part the players of the two worlds (rule K3). */

/** Of a session: a training session is of the world of the key that made it. */
export const WORLD = `CASE session.mode WHEN 'training' THEN coalesce(session.world, 'live')
  ELSE session.mode END`;

/** Tables whose rows name a player and the mode. */
export const BY_MODE = ['ticket_player', 'waiting', 'rating', 'lobby_check'] as const;

const moved = (table: 'seat' | 'former_seat'): string =>
  `UPDATE ${table} SET player = twice_named.test_ref FROM twice_named, session
    WHERE twice_named.ref = ${table}.player AND session.id = ${table}.session
      AND ${WORLD} = 'test'`;

/** Rows of the test world name the new players of `twice_named`. */
export const MOVE_TEST_ROWS: readonly string[] = [
  moved('seat'),
  moved('former_seat'),
  ...BY_MODE.map(
    (table) => `UPDATE ${table} SET player = twice_named.test_ref FROM twice_named
      WHERE twice_named.ref = ${table}.player AND ${table}.mode = 'test'`,
  ),
];
