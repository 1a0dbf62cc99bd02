/** The store contract, run on an in-memory store. */

import { storeContractSuite } from '../contract/contract-suite.ts';
import type { AuditRow, CoreStore } from '../store.ts';
import { type MemoryDatabase, openMemoryDatabase } from './memory-store.ts';

/** `open`: another store on the database, like a process that starts. */
export function memoryContractSuite(
  name: string,
  open: (database: MemoryDatabase) => CoreStore,
): void {
  const databases = new WeakMap<CoreStore, MemoryDatabase>();
  const openOn = (database: MemoryDatabase): CoreStore => {
    const store = open(database);
    databases.set(store, database);
    return store;
  };
  const rowsOf = (store: CoreStore, sql: string): Record<string, unknown>[] =>
    databases.get(store)!.db.prepare(sql).all();
  storeContractSuite(name, {
    open: async () => openOn(openMemoryDatabase()),
    openAgain: async (store) => openOn(databases.get(store)!),
    async dump(store) {
      const tables = rowsOf(store, "SELECT name FROM sqlite_schema WHERE type = 'table'");
      const rows = tables.flatMap(({ name }) => rowsOf(store, `SELECT * FROM "${String(name)}"`));
      return rows.flatMap((row) => Object.values(row)).filter((value) => typeof value === 'string');
    },
    audit: async (store) =>
      rowsOf(store, 'SELECT tenant, actor, act, object, at FROM audit ORDER BY tenant, n').map(
        (row) => ({ ...row }) as unknown as AuditRow,
      ),
  });
}
