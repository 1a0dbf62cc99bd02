/** SQLite, tested against the contracts of all areas. */

import { afterAll } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { wholeStoreSuite } from '../contract/whole-suite.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

let files = 0;

wholeStoreSuite('sqlite', async () => {
  files += 1;
  const file = join(folder, `${files}.db`);
  return { open: () => openSqliteStore(file), remove: async () => {} };
});
