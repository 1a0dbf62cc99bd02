/** Rows from before live and test had their own bots and credentials: all of them are live. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { T0, TENANT } from '../contract/stage.ts';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const CREDENTIAL = { bundleId: 'com.example', teamId: 'A1B2C3D4E5' };
const KEY = { tenant: TENANT, appId: 'app', keyId: 'key' };

function makeOldFile(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const { name, sql, run } of MIGRATIONS) {
    if (name === '0021-bot-worlds') break;
    for (const text of sql) db.exec(text);
    run?.(db);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  const bot = db.prepare(
    `INSERT INTO bot (id, tenant, game, name, display_name, player_id, kind, difficulty, weight,
       active, created_at, deleted_at) VALUES (?, ?, 'ludo', 'R', 'R', ?, 'external', NULL, 1, 1, ?, ?)`,
  );
  bot.run('bot_1', TENANT, 'rosa', T0, null);
  bot.run('bot_2', TENANT, 'gone', T0, T0 + 1);
  db.prepare('INSERT INTO integrity_credential VALUES (?, ?, ?, ?)').run(
    TENANT,
    'ios',
    JSON.stringify(CREDENTIAL),
    T0,
  );
  db.prepare('INSERT INTO attested_key VALUES (?, ?, ?, ?, ?, 7, ?)').run(
    ...[TENANT, 'app', 'key', 'point', 'development', T0],
  );
  db.close();
}

test('[K3][B1][I1] what is from before the worlds were apart is live, and used in both', async () => {
  const file = join(folder, 'old.db');
  makeOldFile(file);
  const store = await openSqliteStore(file);
  try {
    expect(await store.findBot(TENANT, 'bot_1')).toMatchObject({ mode: 'live', playerId: 'rosa' });
    expect(await store.findBot(TENANT, 'bot_2')).toMatchObject({ mode: 'live', deletedAt: T0 + 1 });
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
});
