/** The audit's chain in the file: rows from before it are linked when it is opened. */

import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { followChain, NOTHING_FOLLOWED } from '../../accounts/audit-chain.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { T0, TENANT } from '../contract/stage.ts';
import { MIGRATIONS } from './schema.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** A file as the version before the chain left it. */
function makeOldFile(file: string): void {
  const db = new DatabaseSync(file);
  db.exec(`PRAGMA application_id = ${0x6d74_6368}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const { name, sql } of MIGRATIONS) {
    if (name >= '0008') break;
    for (const text of sql) db.exec(text);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  const insert = db.prepare(
    'INSERT INTO audit (tenant, actor, act, object, at) VALUES (?, ?, ?, ?, ?)',
  );
  for (let i = 0; i < 5; i++) {
    insert.run(TENANT, 'cli', `act.${i}`, 'x', T0 + i);
    insert.run('ten_other', 'cli', `act.${i}`, 'x', T0 + i);
  }
  db.close();
}

test('[D8] rows from before the chain are linked when the file is opened, by tenant', async () => {
  const file = join(folder, 'old.db');
  makeOldFile(file);
  const store = await openSqliteStore(file);
  try {
    for (const tenant of [TENANT, 'ten_other']) {
      const rows = await store.readAudit(tenant, 0, 100);
      expect(rows.map(({ act }) => act)).toEqual(['act.0', 'act.1', 'act.2', 'act.3', 'act.4']);
      expect(followChain(NOTHING_FOLLOWED, rows).ok).toBe(true);
    }
  } finally {
    await store.close();
  }
});
