/** Whole stores opened one after the other, like restarts of a process: for each kind of store. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/whole-store.ts';
import { migratedDatabase } from './servers/migrated-database.ts';
import { openEmptying } from './servers/postgres-place.ts';
import { makeTempFolder } from './temp-folder.ts';

export interface StorePlace {
  /** Deletes everything. */
  empty(): Promise<void>;
  open(): Promise<StoreLife>;
  close(): Promise<void>;
}

export interface StoreLife {
  readonly store: Store;
  readonly node: string;
  end(): Promise<void>;
}

/** A new file each time it is emptied. */
export async function openSqlitePlace(): Promise<StorePlace> {
  const folder = makeTempFolder();
  let files = 0;
  return {
    async empty() {
      files += 1;
    },
    async open() {
      const store = await openSqliteStore(join(folder, `${files}.db`));
      return { store, node: 'nod_0', end: () => store.close() };
    },
    async close() {
      rmSync(folder, { recursive: true });
    },
  };
}

/** One database; each opening is a node with a lease, which ends with it. */
export async function openPostgresPlace(): Promise<StorePlace> {
  const url = await migratedDatabase();
  await (await openPostgresStore({ url, node: 'nod_0' })).close();
  const emptying = await openEmptying(url);
  let lives = 0;
  return {
    empty: () => emptying.empty(),
    async open() {
      lives += 1;
      const node = `nod_${lives}`;
      const store = await openPostgresStore({ url, node });
      await emptying.rows(
        `INSERT INTO node (id, lease_until, keys_audit) VALUES ('${node}', ${2 ** 52}, TRUE)`,
      );
      return {
        store,
        node,
        async end() {
          await store.close();
          await emptying.rows(`DELETE FROM node WHERE id = '${node}'`);
        },
      };
    },
    close: () => emptying.close(),
  };
}
