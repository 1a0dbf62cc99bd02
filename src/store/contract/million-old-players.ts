/** A million players of before the worlds were apart, in SQL that both databases take (rule K3). */

import { T0, TENANT } from './stage.ts';

/** Three tenths play in both worlds, two tenths in test mode alone. */
export const OLD_PLAYERS = 1_000_000;
export const OF_BOTH = 300_000;
const TEST_ONLY = 200_000;
/** Numbers of one width sort as their texts do: rows are written in the order of their keys. */
const WIDE = 1_000_000;
const TEST = OF_BOTH + TEST_ONLY;

/** `numbers`: a table of that name with a column `n`, from 0 to a million. */
export function millionOldPlayers(dialect: {
  readonly no: string;
  readonly fields: string;
  readonly values: string;
}): readonly string[] {
  const { no, fields, values } = dialect;
  const sessions = (mode: string, from: number, to: number): string[] => [
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at,
       ended_at${fields}) SELECT 'ses_${mode}' || (${WIDE} + n), '${TENANT}', '${mode}', 'tictactoe', 'private',
       'standard', 'ended', 'C', ${T0}, ${T0}${values} FROM numbers WHERE n >= ${from} AND n < ${to}`,
    ...[0, 1].map(
      (seat) => `INSERT INTO seat (session, seat, player, is_bot)
        SELECT 'ses_${mode}' || (${WIDE} + n), ${seat}, 'ply_0' || (${WIDE} + n + ${seat}), ${no}
          FROM numbers WHERE n >= ${from} AND n < ${to}`,
    ),
  ];
  return [
    `INSERT INTO player (ref, tenant, player_id, display_name, created_at)
     SELECT 'ply_0' || (${WIDE} + n), '${TENANT}', 'player-' || (${WIDE} + n), 'Player', ${T0} FROM numbers`,
    ...sessions('live', TEST_ONLY + 1, OLD_PLAYERS),
    ...sessions('test', 0, TEST),
    ...['live', 'test'].map(
      (
        mode,
      ) => `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games,
          wins, losses, draws, last_played_at) SELECT 'ply_0' || (${WIDE} + n), '${mode}', 'tictactoe', '${TENANT}',
          1500, 350, 0.06, 9, 9, 0, 0, ${T0} FROM numbers
        WHERE n ${mode === 'live' ? `> ${TEST_ONLY}` : `< ${TEST}`}`,
    ),
    `INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body)
     SELECT '${TENANT}', 'test', n + 1, 1, ${T0}, '[{"id":"evt","type":"ticket.player_added","at":1,"data":{"playerId":{"$player":"ply_0' || (${WIDE} + n) || '"}}}]'
       FROM numbers WHERE n < ${TEST}`,
  ];
}
