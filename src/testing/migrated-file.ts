/** SQLite stores for tests, each with a new file that begins as a copy of one with all its tables. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/whole-store.ts';
import { makeTempFolder, removeFolder } from './temp-folder.ts';

let migrated: Promise<Buffer> | null = null;

/** Made once by each process of tests: hundreds of tests need a store, and none of these is about migrations. */
async function readMigrated(): Promise<Buffer> {
  const folder = makeTempFolder();
  const file = join(folder, 'migrated.db');
  await (await openSqliteStore(file)).close();
  const bytes = readFileSync(file);
  removeFolder(folder);
  return bytes;
}

/** Opens a store on a file, which is made where it is not there. */
export async function openTestStore(file: string): Promise<Store> {
  if (!existsSync(file)) {
    migrated ??= readMigrated();
    writeFileSync(file, await migrated);
  }
  return openSqliteStore(file);
}
