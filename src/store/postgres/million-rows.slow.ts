/** PostgreSQL with very many rows in each list, and as many sessions owned, due and ended. */

// @alone: it measures times, which parallel tests would stretch.

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import pg from 'pg';
import { makeTimeDigits } from '../../match/id-text.ts';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../testing/servers/postgres.ts';
import { holdBar } from '../../testing/time-bar.ts';
import {
  millionRowsSuite,
  OLD,
  PAIRS,
  RATED,
  ROWS,
  SECOND_MS,
  T0,
  TENANT,
} from '../contract/million-rows.ts';
import { pairOf } from '../rows/metadata-pairs.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

setDefaultTimeout(300_000);

const STEP_MS_MAX = 100;
/** Sessions of a dead node, and as many that are due; a step takes over or wakes some of them. */
const HELD = ROWS / 2_000;
const STEP = 0.4 * HELD;

describe.skipIf(!isPostgresHere())('a large PostgreSQL', () => {
  let server: PostgresServer;
  let store: PostgresStore;
  afterAll(() => server?.stop());

  millionRowsSuite('postgres', async () => {
    server = await startPostgres();
    const url = await server.createDatabase();
    await (await openPostgresStore({ url, node: 'nod_a' })).close();
    await fill(url);
    store = await openPostgresStore({ url, node: 'nod_a' });
    return store;
  });

  test(`[STORE-PG5] ${STEP} of ${HELD} sessions of a dead node, among ${ROWS}, within ${STEP_MS_MAX} ms`, async () => {
    const began = performance.now();
    const taken = await store.claimAwake('', STEP);
    holdBar('postgres, take over: ms', performance.now() - began, STEP_MS_MAX);
    expect(taken.length).toBe(STEP);
  });

  test(`[STORE-PG6] ${STEP} of ${HELD} due sessions, among ${ROWS}, within ${STEP_MS_MAX} ms`, async () => {
    const began = performance.now();
    const due = await store.claimDue(T0 + ROWS, STEP);
    holdBar('postgres, due: ms', performance.now() - began, STEP_MS_MAX);
    expect(due.length).toBe(STEP);
  });
});

async function fill(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const rows = `generate_series(0, ${ROWS - 1}) AS rows (n)`;
  // One row per millisecond, as from a thousand sessions per second; ids contain the second.
  await client.query('CREATE TEMP TABLE second (n INT PRIMARY KEY, digits TEXT)');
  const seconds = Array.from({ length: ROWS / SECOND_MS }, (_, n) => n);
  await client.query('INSERT INTO second SELECT * FROM unnest($1::int[], $2::text[])', [
    seconds,
    seconds.map((n) => makeTimeDigits(T0 + n * SECOND_MS)),
  ]);
  const from = `${rows} JOIN second ON second.n = rows.n / ${SECOND_MS}`;
  const id = (prefix: string) => `'${prefix}_' || digits || lpad(rows.n::text, 16, '0')`;
  // One in a thousand is open, half of them owned by a dead node; one in ten is the less usual
  // game, one in a hundred an error.
  for (const text of [
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at,
        started_at, ended_at, holder, wake_at)
      SELECT ${id('ses')}, '${TENANT}', 'live',
        CASE WHEN rows.n % 10 = 0 THEN 'ludo' ELSE 'tictactoe' END, 'matchmaking', 'standard',
        CASE WHEN rows.n % 1000 = 0 THEN 'active' ELSE 'ended' END, 'ABCDEF', ${T0} + rows.n,
        ${T0} + rows.n, CASE WHEN rows.n % 1000 <> 0 THEN ${T0} + rows.n END,
        CASE WHEN rows.n % 2000 = 0 THEN 'nod_gone' END,
        CASE WHEN rows.n % 2000 = 1000 THEN ${T0} + rows.n END FROM ${from}`,
    ...(
      [
        [PAIRS.all, 'TRUE'],
        [PAIRS.usual, 'rows.n % 10 > 0'],
        [PAIRS.old, `rows.n < ${OLD}`],
        [PAIRS.one, 'rows.n = 123457'],
      ] as const
    ).map(
      ([{ key, value }, where]) => `INSERT INTO session_metadata (tenant, mode, pair, game, session)
      SELECT '${TENANT}', 'live', '${pairOf(key, value)}',
        CASE WHEN rows.n % 10 = 0 THEN 'ludo' ELSE 'tictactoe' END, ${id('ses')}
        FROM ${from} WHERE ${where}`,
    ),
    `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, created_at)
      SELECT ${id('tkt')}, '${TENANT}', 'live', 'tictactoe', 2, 0,
        CASE WHEN rows.n % 1000 = 0 THEN 'forming' ELSE 'cancelled' END, ${T0} + rows.n FROM ${from}`,
    `INSERT INTO request (tenant, mode, id, at, method, route, status, took_ms, key)
      SELECT '${TENANT}', 'live', ${id('req')}, ${T0} + rows.n, 'GET', 'getSession',
        CASE WHEN rows.n % 100 = 0 THEN 404 ELSE 200 END, 1, 'key_x' FROM ${from}`,
    `INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body)
      SELECT '${TENANT}', 'live', n + 1, 1, ${T0} + n,
        json_build_array(json_build_object('id', 'evt_' || n, 'type', 'ticket.created', 'at', n,
          'data', json_build_object())) FROM ${rows}`,
    `INSERT INTO event_head (tenant, mode, seq) VALUES ('${TENANT}', 'live', ${ROWS})`,
    `INSERT INTO audit (tenant, actor, act, object, at, n, hash)
      SELECT '${TENANT}', CASE WHEN n % 2 = 0 THEN 'cli' ELSE 'key:' || n % 100 END,
        CASE WHEN n % 500 = 0 THEN 'seldom' ELSE 'often' END, 'x', ${T0} + n, n + 1, 'h' FROM ${rows}`,
    `INSERT INTO player (ref, tenant, player_id, created_at)
      SELECT 'ply_' || n, '${TENANT}', 'player-' || n, ${T0} FROM ${rows}`,
    `INSERT INTO seat (session, seat, player, is_bot)
      SELECT ${id('ses')}, 0, 'ply_7', FALSE FROM ${from} WHERE ${RATED.seat}`,
    `INSERT INTO log (session, v, at, record)
      SELECT ${id('ses')}, 1, ${T0} + rows.n, '${RATED.end}' FROM ${from} WHERE ${RATED.match}`,
    `UPDATE session SET rated = '${RATED.change}' WHERE id IN (SELECT session FROM log)`,
    ...['ludo', 'tictactoe'].map(
      (
        game,
      ) => `INSERT INTO rating (player, mode, game, tenant, rating, deviation, volatility, games,
          wins, losses, draws, last_played_at)
        VALUES ('ply_7', 'live', '${game}', '${TENANT}', 1512.5, 60, 0.06, 1, 1, 0, 0, ${T0})`,
    ),
    // As autovacuum does: the update above left a second version of a tenth of the rows.
    'VACUUM ANALYZE',
    // Else the first lists wait for the disk that the fill still writes to.
    'CHECKPOINT',
  ]) {
    await client.query(text);
  }
  await client.end();
}
