/** Gives the players that were of both worlds a row of their own in each (rule K3): once, as a migration. */

import type { DatabaseSync } from 'node:sqlite';
import { PART_TRAINING } from '../rows/open-counter.ts';
import { BY_MODE, MOVE_TEST_ROWS, WORLD } from '../rows/player-worlds.ts';

/** Chunks of events that are looked at together. */
const CHUNKS = 1_000;
const MARK = /(?<="\$player":")[^"]+/g;

/** Pseudonyms that stand in the events of a world. */
const marked = (world: string): string => `SELECT tree.value FROM event_chunk,
    json_tree(event_chunk.body) AS tree
  WHERE event_chunk.mode = '${world}' AND instr(event_chunk.body, '"$player":"') > 0
    AND tree.key = '$player' AND tree.type = 'text'`;

const seated = (table: 'seat' | 'former_seat', world: string): string => `SELECT ${table}.player
  FROM session CROSS JOIN ${table} ON ${table}.session = session.id WHERE ${WORLD} = '${world}'`;

const isOf = (table: (typeof BY_MODE)[number]): string =>
  `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.player = test_named.ref AND ${table}.mode = 'live')`;

/** By players, as few are of both worlds and most sessions are live. */
const IS_LIVE = [
  `EXISTS (SELECT 1 FROM seat JOIN session ON session.id = seat.session
     WHERE seat.player = test_named.ref AND ${WORLD} = 'live')`,
  ...BY_MODE.map(isOf),
  `ref IN (${seated('former_seat', 'live')})`,
  `ref IN (${marked('live')})`,
].join('\n OR ');

export const PLAYER_WORLDS: readonly string[] = [
  `ALTER TABLE player ADD COLUMN world TEXT NOT NULL DEFAULT 'live'`,
  'CREATE TEMP TABLE test_named (ref TEXT PRIMARY KEY) STRICT, WITHOUT ROWID',
  ...[
    seated('seat', 'test'),
    seated('former_seat', 'test'),
    ...BY_MODE.map((table) => `SELECT player FROM ${table} WHERE mode = 'test'`),
    marked('test'),
  ].map((named) => `INSERT OR IGNORE INTO test_named ${named}`),
  // The first digit of an id's time is 0 for a thousand years: no other id is like it. It follows from the
  // other one, so that an older backup gets the same when it is brought up to date (rule R2).
  'CREATE TEMP TABLE twice_named (ref TEXT PRIMARY KEY, test_ref TEXT NOT NULL) STRICT, WITHOUT ROWID',
  `INSERT INTO twice_named SELECT ref, 'ply_7' || substr(ref, 6) FROM test_named WHERE ${IS_LIVE}`,
  `UPDATE player SET world = 'test'
    WHERE ref IN (SELECT ref FROM test_named EXCEPT SELECT ref FROM twice_named)`,
  // Who was erased is nobody in either.
  `DELETE FROM twice_named WHERE ref NOT IN (SELECT ref FROM player WHERE player_id IS NOT NULL)`,
  'DROP INDEX player_id',
  `INSERT INTO player (ref, tenant, world, player_id, display_name, created_at)
   SELECT test_ref, tenant, 'test', player_id, display_name, created_at
     FROM twice_named CROSS JOIN player ON player.ref = twice_named.ref`,
  'CREATE UNIQUE INDEX player_id ON player (tenant, world, player_id)',
  ...PART_TRAINING,
  ...MOVE_TEST_ROWS,
];

/** Events of the test world name its own players. */
export function moveMarks(db: DatabaseSync): void {
  const testRefs = new Map(
    db
      .prepare('SELECT ref, test_ref FROM twice_named')
      .all()
      .map((row) => [String(row['ref']), String(row['test_ref'])]),
  );
  const next = db.prepare(
    `SELECT tenant, last_seq, body FROM event_chunk WHERE mode = 'test'
        AND (tenant, last_seq) > (?, ?) AND instr(body, '"$player":"') > 0
      ORDER BY tenant, last_seq LIMIT ${CHUNKS}`,
  );
  const set = db.prepare(
    `UPDATE event_chunk SET body = ? WHERE tenant = ? AND mode = 'test' AND last_seq = ?`,
  );
  for (let rows = next.all('', 0); rows.length > 0; ) {
    for (const row of rows) {
      const body = String(row['body']);
      const after = body.replaceAll(MARK, (ref) => testRefs.get(ref) ?? ref);
      if (after !== body) set.run(after, row['tenant']!, row['last_seq']!);
    }
    const last = rows.at(-1)!;
    rows = next.all(last['tenant']!, last['last_seq']!);
  }
  db.exec('DROP TABLE temp.test_named; DROP TABLE temp.twice_named');
}
