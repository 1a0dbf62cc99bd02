/** Webhooks in SQLite, held against what their port promises. */

import { afterAll, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { webhookCases } from '../contract/webhook-cases.ts';
import type { AuditRow } from '../store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const AUDIT = 'SELECT tenant, actor, act, object, at FROM audit ORDER BY id';

/** Reads with a connection of its own, as somebody with a SQLite shell would. */
function readAudit(file: string): readonly AuditRow[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(AUDIT).all() as unknown as AuditRow[];
  } finally {
    db.close();
  }
}

for (const [i, each] of webhookCases.entries()) {
  test(each.title, async () => {
    const file = join(folder, `${i}.db`);
    const store = await openSqliteStore(file);
    try {
      await each.run(store, async () => readAudit(file));
    } finally {
      await store.close();
    }
  });
}
