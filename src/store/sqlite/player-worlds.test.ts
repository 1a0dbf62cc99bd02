/** Rows from before live and test had their own players: each world keeps all that it had. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { checkOldPlayers, oldPlayers } from '../contract/old-players.ts';
import { TENANT } from '../contract/stage.ts';
import { makeOldFile } from './old-file.test-kit.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const DIALECT = { no: '0', yes: '1', fields: ', awake', values: ', 0' };

test('[K3][R2] players from before the worlds were apart are in each world that named them', async () => {
  const file = join(folder, 'old.db');
  makeOldFile(file, '0026-player-worlds', (db) => {
    for (const text of oldPlayers(DIALECT)) db.exec(text);
  });
  const store = await openSqliteStore(file);
  try {
    await checkOldPlayers(store, async () => countersIn(file));
    const db = new DatabaseSync(file, { readOnly: true });
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE '%named'").all()).toEqual([]);
    db.close();
  } finally {
    await store.close();
  }
});

function countersIn(file: string): Record<string, number> {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT name, n FROM counter WHERE tenant = ?').all(TENANT);
  db.close();
  return Object.fromEntries(rows.map(({ name, n }) => [String(name), Number(n)]));
}
