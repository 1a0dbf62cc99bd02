/** Rows from before live and test had their own bots and credentials: all of them are live. */

import { describe, expect, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { T0, TENANT } from '../contract/stage.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';
import { MIGRATIONS } from './schema.ts';

const CREDENTIAL = { bundleId: 'com.example', teamId: 'A1B2C3D4E5' };
const KEY = { tenant: TENANT, appId: 'app', keyId: 'key' };

async function makeOldDatabase(url: string): Promise<void> {
  const db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
  const until = MIGRATIONS.findIndex(({ name }) => name === '0012-bot-worlds');
  await migrate(db, MIGRATIONS.slice(0, until));
  const insert = `INSERT INTO bot (id, tenant, game, name, display_name, player_id, kind, weight,
    active, created_at, deleted_at) VALUES ($1, $2, 'ludo', 'R', 'R', $3, 'external', 1, TRUE, $4, $5)`;
  await db.run(insert, 'bot_1', TENANT, 'rosa', T0, null);
  await db.run(insert, 'bot_2', TENANT, 'gone', T0, T0 + 1);
  const credential = JSON.stringify(CREDENTIAL);
  const insertCredential = 'INSERT INTO integrity_credential VALUES ($1, $2, $3, $4)';
  await db.run(insertCredential, TENANT, 'ios', credential, T0);
  const insertKey = 'INSERT INTO attested_key VALUES ($1, $2, $3, $4, $5, 7, $6)';
  await db.run(insertKey, TENANT, 'app', 'key', 'point', 'development', T0);
  await db.close();
}

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[K3][B1][I1] what is from before the worlds were apart is live, and used in both', async () => {
    const url = await freshDatabase();
    await makeOldDatabase(url);
    const store = await openPostgresStore({ url, node: 'nod_test' });
    try {
      expect(await store.findBot(TENANT, 'bot_1')).toMatchObject({ mode: 'live' });
      expect(await store.findBot(TENANT, 'bot_2')).toMatchObject({ mode: 'live' });
      for (const mode of ['test', 'live'] as const) {
        const bots = await store.listSeatableBots({ tenant: TENANT, mode, game: 'ludo', id: null });
        expect(bots.map(({ id }) => id)).toEqual(['bot_1']);
        const id = { tenant: TENANT, mode, platform: 'ios' } as const;
        const found = { mode: 'live', credential: CREDENTIAL, updatedAt: T0 } as const;
        expect(await store.findCredential(id)).toMatchObject(found);
        expect(await store.findAttestedKey({ ...KEY, mode })).toMatchObject({ mode: 'live' });
        expect(await store.raiseCounter({ ...KEY, mode }, 7)).toBe(false);
        expect(await store.raiseCounter({ ...KEY, mode }, 8)).toBe(true);
      }
    } finally {
      await store.close();
    }
  }, 60_000);
});
