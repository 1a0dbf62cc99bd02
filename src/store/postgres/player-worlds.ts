/** Gives the players that were of both worlds a row of their own in each (rule K3): once, as a migration. */

import { PART_TRAINING } from '../rows/open-counter.ts';
import { BY_MODE, MOVE_TEST_ROWS, WORLD } from '../rows/player-worlds.ts';

/** What a player is named by in an event, and nothing around it. */
const MARK = `'(?<="\\$player":")[^"]+'`;

/** Pseudonyms that stand in the events of a world. */
const marked = (world: string): string => `SELECT mark[1] FROM event_chunk,
    regexp_matches(event_chunk.body, ${MARK}, 'g') AS mark
  WHERE event_chunk.mode = '${world}' AND strpos(event_chunk.body, '"$player":"') > 0`;

const seated = (table: 'seat' | 'former_seat', world: string): string => `SELECT ${table}.player
  FROM session JOIN ${table} ON ${table}.session = session.id WHERE ${WORLD} = '${world}'`;

const NAMED_IN = (world: string): string =>
  [
    seated('seat', world),
    seated('former_seat', world),
    ...BY_MODE.map((table) => `SELECT player FROM ${table} WHERE mode = '${world}'`),
    marked(world),
  ].join('\n  UNION ');

export const PLAYER_WORLDS: readonly string[] = [
  `ALTER TABLE player ADD COLUMN world TEXT NOT NULL DEFAULT 'live'`,
  `CREATE TEMP TABLE test_named ON COMMIT DROP AS ${NAMED_IN('test')}`,
  'ALTER TABLE test_named RENAME COLUMN player TO ref',
  'ANALYZE test_named',
  // The first digit of an id's time is 0 for a thousand years: no other id is like it. It follows from the
  // other one, so that an older backup gets the same when it is brought up to date (rule R2).
  `CREATE TEMP TABLE twice_named ON COMMIT DROP AS
   SELECT ref, 'ply_7' || substr(ref, 6) AS test_ref FROM test_named
    WHERE ref IN (${NAMED_IN('live')})`,
  // Each event looks its marks up by it.
  'CREATE UNIQUE INDEX ON twice_named (ref)',
  'ANALYZE twice_named',
  `UPDATE player SET world = 'test'
    WHERE ref IN (SELECT ref FROM test_named EXCEPT SELECT ref FROM twice_named)`,
  // Who was erased is nobody in either.
  `DELETE FROM twice_named WHERE NOT EXISTS (
     SELECT FROM player WHERE player.ref = twice_named.ref AND player_id IS NOT NULL)`,
  'DROP INDEX player_id',
  `INSERT INTO player (ref, tenant, world, player_id, display_name, created_at)
   SELECT test_ref, tenant, 'test', player_id, display_name, created_at
     FROM twice_named JOIN player ON player.ref = twice_named.ref`,
  'CREATE UNIQUE INDEX player_id ON player (tenant, world, player_id)',
  ...PART_TRAINING,
  ...MOVE_TEST_ROWS,
  // Events of the test world name its own players.
  `UPDATE event_chunk SET body = (
     SELECT string_agg(part || coalesce(twice_named.test_ref, mark[1], ''), '' ORDER BY n)
       FROM unnest(regexp_split_to_array(body, ${MARK})) WITH ORDINALITY AS parts (part, n)
       LEFT JOIN regexp_matches(body, ${MARK}, 'g') WITH ORDINALITY AS marks (mark, n) USING (n)
       LEFT JOIN twice_named ON twice_named.ref = mark[1])
    WHERE mode = 'test' AND strpos(body, '"$player":"') > 0`,
];
