/** Rows from before live and test had their own players: each world keeps all that it had. */

import { describe, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { checkOldPlayers, oldPlayers } from '../contract/old-players.ts';
import { TENANT } from '../contract/stage.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';
import { openPostgresStore } from './postgres-store.ts';
import { MIGRATIONS } from './schema.ts';

const DIALECT = { no: 'FALSE', yes: 'TRUE', fields: '', values: '' };

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  test('[K3][R2] players from before the worlds were apart are in each world that named them', async () => {
    const url = await freshDatabase();
    const db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
    const until = MIGRATIONS.findIndex(({ name }) => name === '0017-player-worlds');
    await migrate(db, MIGRATIONS.slice(0, until));
    for (const text of oldPlayers(DIALECT)) await db.run(text);
    const store = await openPostgresStore({ url, node: 'nod_test' });
    try {
      await checkOldPlayers(store, async () => {
        const rows = await db.all('SELECT name, n FROM counter WHERE tenant = $1', TENANT);
        return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
      });
    } finally {
      await Promise.all([store.close(), db.close()]);
    }
  }, 60_000);
});
