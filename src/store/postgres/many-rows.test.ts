/** Lists for a player with very many sessions, a board on which nobody qualifies, and old events. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { T0, TENANT } from '../contract/stage.ts';
import { type Database, openDatabase } from './connect/database.ts';
import { openPostgresStore, type PostgresStore } from './postgres-store.ts';

setDefaultTimeout(60_000);

const SEATS = 30_000;

describe.skipIf(!isPostgresHere())('many rows', () => {
  let db: Database;
  let store: PostgresStore;
  beforeAll(async () => {
    const url = await migratedDatabase();
    store = await openPostgresStore({ url, node: 'nod_a' });
    db = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
    const rows = `generate_series(1, ${SEATS}) AS rows (n)`;
    for (const text of [
      `INSERT INTO player (ref, tenant, player_id, created_at) VALUES ('ply_a', '${TENANT}', 'ann', ${T0}),
         ('ply_b', '${TENANT}', 'ben', ${T0}), ('ply_c', 'ten_b', 'ann', ${T0})`,
      // One of every hundred is open, in either mode; the last ones are ben's only.
      `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at)
         SELECT 'ses_' || lpad(n::text, 6, '0'), '${TENANT}', CASE WHEN n % 200 = 0 THEN 'live' ELSE 'test' END,
           'tictactoe', 'private', 'standard', CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'ended' END, 'A', ${T0}
           FROM ${rows}`,
      `INSERT INTO seat SELECT 'ses_' || lpad(n::text, 6, '0'), 0, 'ply_a', FALSE FROM ${rows} WHERE n <= 25000`,
      `INSERT INTO seat SELECT 'ses_' || lpad(n::text, 6, '0'), 1, 'ply_b', FALSE FROM ${rows} WHERE n > 24000`,
      `INSERT INTO rating SELECT 'ply_' || n, 'live', 'tictactoe', '${TENANT}', 1500 + n, 300, 0.06, 3, 1, 1, 1, ${T0}
         FROM ${rows}`,
      `INSERT INTO player (ref, tenant, player_id, created_at) SELECT 'ply_' || n, '${TENANT}', 'p' || n, ${T0}
         FROM ${rows}`,
      'ANALYZE',
    ]) {
      await db.run(text);
    }
  });
  afterAll(async () => {
    await Promise.all([db.close(), store.close()]);
  });

  test('[STORE-PG] open sessions are the same with either plan', async () => {
    const idsOf = (from: number, to: number) =>
      Array.from({ length: SEATS }, (_, n) => n + 1)
        .filter((n) => n % 200 === 0 && n > from && n <= to)
        .map((n) => `ses_${String(n).padStart(6, '0')}`);
    expect(await store.listOpenSessionsOf(TENANT, 'live', 'ann')).toEqual(idsOf(0, 25_000));
    expect(await store.listOpenSessionsOf(TENANT, 'live', 'ben')).toEqual(idsOf(24_000, SEATS));
    expect(await store.listOpenSessionsOf('ten_b', 'live', 'ann')).toEqual([]);
    expect(await store.listOpenSessionsOf(TENANT, 'live', 'nobody')).toEqual([]);
  });

  test('[L1] a board shows the players who qualify, and with looser criteria the others, too', async () => {
    const board = {
      tenant: TENANT,
      mode: 'live',
      game: 'tictactoe',
      now: T0,
      after: null,
      limit: 9,
    } as const;
    const askAll = () => store.listLeaders({ ...board, gamesMin: 5, deviationMax: 250 });
    expect(await askAll()).toEqual([]);
    await db.run(
      `UPDATE rating SET games = 5, deviation = 250, volatility = 0 WHERE player IN ('ply_7', 'ply_8')`,
    );
    expect((await askAll()).map(({ playerId }) => playerId)).toEqual(['p8', 'p7']);
    // Looser criteria return more.
    const many = await store.listLeaders({ ...board, gamesMin: 1, deviationMax: 350 });
    expect(many.length).toBe(9);
  });
});
