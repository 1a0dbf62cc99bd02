/** Deadlines of sleeping sessions from before they were times by the clock. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { T0 } from '../contract/stage.ts';
import { APPLICATION_ID } from './migrate.ts';
import { MIGRATIONS } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const INSERT = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
  created_at, awake, wake_at) VALUES (?, 't', 'live', 'live', 'tictactoe', 'private', 'standard', 'active',
  'CODE00', ?, ?, ?)`;

test('[P6] what slept is due at the same moment as before: the known outages are added', async () => {
  const file = join(folder, 'old.db');
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const { name, sql, run } of MIGRATIONS) {
    if (name === '0030-real-wake-times') break;
    for (const text of sql) db.exec(text);
    run?.(db);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  const add = db.prepare(INSERT);
  add.run('ses_due', T0, 0, T0 + 60_000);
  add.run('ses_never', T0, 0, null);
  add.run('ses_awake', T0, 1, null);
  const lost = db.prepare('INSERT INTO downtime VALUES (?, ?)');
  lost.run(T0 + 1_000, T0 + 6_000);
  lost.run(T0 + 10_000, T0 + 12_000);
  db.close();
  const store = await openSqliteStore(file);
  expect(await store.listDue(T0 + 66_999, 9)).toEqual([]);
  expect(await store.listDue(T0 + 67_000, 9)).toEqual(['ses_due']);
  expect(await store.listAwake('', 9)).toEqual([{ id: 'ses_awake', holder: null }]);
  await store.close();
});
