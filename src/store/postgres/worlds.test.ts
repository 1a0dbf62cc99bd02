/** Rows from before live and test had their own bots: all of them are live. */

import { describe, expect, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { T0, TENANT } from '../contract/stage.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';
import { MIGRATIONS } from './schema.ts';

async function makeOldDatabase(url: string): Promise<void> {
  const db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
  const until = MIGRATIONS.findIndex(({ name }) => name === '0012-bot-worlds');
  await migrate(db, MIGRATIONS.slice(0, until));
  const insert = `INSERT INTO bot (id, tenant, game, name, display_name, player_id, kind, weight,
    active, created_at, deleted_at) VALUES ($1, $2, 'ludo', 'R', 'R', $3, 'external', 1, TRUE, $4, $5)`;
  await db.run(insert, 'bot_1', TENANT, 'rosa', T0, null);
  await db.run(insert, 'bot_2', TENANT, 'gone', T0, T0 + 1);
  await db.close();
}

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[K3][B1] bots from before the worlds were apart are live, and stay seated in both', async () => {
    const url = await freshDatabase();
    await makeOldDatabase(url);
    const store = await openPostgresStore({ url, node: 'nod_test' });
    try {
      expect(await store.findBot(TENANT, 'bot_1')).toMatchObject({ mode: 'live' });
      expect(await store.findBot(TENANT, 'bot_2')).toMatchObject({ mode: 'live' });
      for (const mode of ['live', 'test'] as const) {
        const bots = await store.listSeatableBots({ tenant: TENANT, mode, game: 'ludo', id: null });
        expect(bots.map(({ id }) => id)).toEqual(['bot_1']);
      }
    } finally {
      await store.close();
    }
  }, 60_000);
});
