/** SQLite with very many rows in each list. */

// @alone: it measures times, which parallel tests would stretch.

import { afterAll, setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTimeDigits } from '../../../match/id-text.ts';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import {
  millionRowsSuite,
  OLD,
  PAIRS,
  RATED,
  ROWS,
  SECOND_MS,
  T0,
  TENANT,
} from '../../contract/million-rows.ts';
import { pairOf } from '../../rows/metadata-pairs.ts';
import { openSqliteStore } from '../sqlite-store.ts';

setDefaultTimeout(300_000);

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

millionRowsSuite('sqlite', async () => {
  const file = join(folder, 'many.db');
  await (await openSqliteStore(file)).close();
  fill(file);
  return await openSqliteStore(file);
});

function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF');
  const rows = `WITH RECURSIVE rows (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows
    WHERE n < ${ROWS - 1})`;
  // One row per millisecond, as from a thousand sessions per second; ids contain the second.
  db.exec('CREATE TEMP TABLE second (n INTEGER PRIMARY KEY, digits TEXT)');
  const second = db.prepare('INSERT INTO second VALUES (?, ?)');
  for (let n = 0; n < ROWS / SECOND_MS; n++) second.run(n, makeTimeDigits(T0 + n * SECOND_MS));
  const digits = `(SELECT digits FROM second WHERE second.n = rows.n / ${SECOND_MS})`;
  const id = (prefix: string) => `'${prefix}_' || ${digits} || printf('%016d', n)`;
  db.exec('BEGIN');
  // One in a thousand is open, one in ten is the less usual game, one in a hundred an error.
  db.exec(`${rows} INSERT INTO session (id, tenant, mode, game, match_type, variant, status,
      room_code, created_at, started_at, ended_at)
    SELECT ${id('ses')}, '${TENANT}', 'live', iif(n % 10 = 0, 'ludo', 'tictactoe'), 'matchmaking',
      'standard', iif(n % 1000 = 0, 'active', 'ended'), 'ABCDEF', ${T0} + n, ${T0} + n,
      iif(n % 1000 = 0, NULL, ${T0} + n) FROM rows`);
  for (const [{ key, value }, where] of [
    [PAIRS.all, 'TRUE'],
    [PAIRS.usual, 'n % 10 > 0'],
    [PAIRS.old, `n < ${OLD}`],
    [PAIRS.one, 'n = 123457'],
  ] as const) {
    db.exec(`${rows} INSERT INTO session_metadata (tenant, mode, pair, game, session)
      SELECT '${TENANT}', 'live', '${pairOf(key, value)}', iif(n % 10 = 0, 'ludo', 'tictactoe'), ${id('ses')}
        FROM rows WHERE ${where}`);
  }
  db.exec(`${rows} INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at)
    SELECT ${id('tkt')}, '${TENANT}', 'live', 'tictactoe', 2, 0,
      iif(n % 1000 = 0, 'forming', 'cancelled'), ${T0} + n FROM rows`);
  db.exec(`${rows} INSERT INTO request (tenant, mode, id, at, method, route, status, took_ms, key)
    SELECT '${TENANT}', 'live', ${id('req')}, ${T0} + n, 'GET', 'getSession',
      iif(n % 100 = 0, 404, 200), 1, 'key_x' FROM rows`);
  db.exec(`${rows} INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body)
    SELECT '${TENANT}', 'live', n + 1, 1, ${T0} + n,
      json_array(json_array('evt_' || n, 'ticket.created', NULL, '{}')) FROM rows`);
  db.exec(`INSERT INTO event_head (tenant, mode, seq) VALUES ('${TENANT}', 'live', ${ROWS})`);
  db.exec(`${rows} INSERT INTO audit (tenant, actor, act, object, at, n, hash)
    SELECT '${TENANT}', iif(n % 2 = 0, 'cli', 'key:' || (n % 100)), iif(n % 500 = 0, 'seldom', 'often'), 'x',
      ${T0} + n, n + 1, 'h' FROM rows`);
  db.exec(`${rows} INSERT INTO player (ref, tenant, player_id, created_at)
    SELECT 'ply_' || n, '${TENANT}', 'player-' || n, ${T0} FROM rows`);
  db.exec(`${rows} INSERT INTO seat (session, seat, player, is_bot)
    SELECT ${id('ses')}, 0, 'ply_7', FALSE FROM rows WHERE ${RATED.seat}`);
  db.exec(`${rows} INSERT INTO log (session, v, at, record)
    SELECT ${id('ses')}, 1, ${T0} + n, '${RATED.end}' FROM rows WHERE ${RATED.match}`);
  db.exec(`UPDATE session SET rated = '${RATED.change}' WHERE id IN (SELECT session FROM log)`);
  for (const game of ['ludo', 'tictactoe']) {
    db.exec(`INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games, wins, losses,
        draws, last_played_at)
      VALUES ('ply_7', 'live', '${game}', '${TENANT}', 1512.5, 60, 0.06, 1, 1, 0, 0, ${T0})`);
  }
  db.exec('COMMIT');
  db.close();
}
