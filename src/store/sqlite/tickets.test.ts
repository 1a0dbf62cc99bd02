/** Tickets, groups and presence in SQLite: the port's contract. */

import { afterAll, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { ticketCases } from '../contract/tickets/ticket-cases.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

for (const [n, { title, run }] of ticketCases.entries()) {
  test(title, async () => {
    const file = join(folder, `${n}.db`);
    let store = await openSqliteStore(file);
    await run(store, async () => {
      await store.close();
      store = await openSqliteStore(file);
      return store;
    });
    await store.close();
  });
}
