/** SQLite with 100,000 tickets. */

import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { MANY_TICKETS, manyTicketsSuite } from '../../contract/tickets/many-tickets.ts';
import type { Store } from '../../whole-store.ts';
import { openSqliteStore } from '../sqlite-store.ts';

setDefaultTimeout(120_000);

const folder = makeTempFolder();
let store: Store;
beforeAll(async () => {
  const file = join(folder, 'many.db');
  await (await openSqliteStore(file)).close();
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF');
  for (const text of MANY_TICKETS) db.exec(text);
  db.close();
  store = await openSqliteStore(file);
});
afterAll(async () => {
  await store?.close();
  removeFolder(folder);
});

manyTicketsSuite('sqlite', () => store);
