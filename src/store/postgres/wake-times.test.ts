/** Deadlines of sleeping sessions from before they were times by the clock. */

import { describe, expect, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { T0 } from '../contract/stage.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';
import { MIGRATIONS } from './schema.ts';

const INSERT = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
  created_at, wake_at) VALUES ($1, 't', 'live', 'live', 'tictactoe', 'private', 'standard', 'active',
  'CODE00', $2, $3)`;

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[P6] what slept is due at the same moment as before: the known outages are added', async () => {
    const url = await freshDatabase();
    const db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
    const until = MIGRATIONS.findIndex(({ name }) => name === '0021-real-wake-times');
    await migrate(db, MIGRATIONS.slice(0, until));
    await db.run(INSERT, 'ses_due', T0, T0 + 60_000);
    await db.run(INSERT, 'ses_never', T0, null);
    await db.run('INSERT INTO downtime VALUES ($1, $2)', T0 + 1_000, T0 + 6_000);
    await db.run('INSERT INTO downtime VALUES ($1, $2)', T0 + 10_000, T0 + 12_000);
    await db.close();
    const store = await openPostgresStore({ url, node: 'nod_test' });
    try {
      expect(await store.listDue(T0 + 66_999, 9)).toEqual([]);
      expect(await store.listDue(T0 + 67_000, 9)).toEqual(['ses_due']);
    } finally {
      await store.close();
    }
  }, 60_000);
});
