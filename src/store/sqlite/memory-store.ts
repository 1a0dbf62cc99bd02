/** The store in memory: the same areas over a database that is gone with it. For tests and the simulator. */

import type { DatabaseSync } from 'node:sqlite';
import { makeNodeStore, type NodeStore } from '../scripts/nodes.ts';
import type { Runner } from '../scripts/script.ts';
import { listSecrets, replaceSecrets } from '../scripts/secrets.ts';
import type { Store } from '../whole-store.ts';
import { makeAreas } from './areas.ts';
import { makeBatchWriter } from './batch-writer.ts';
import { SQLITE } from './dialect.ts';
import { type Gate, makeGate } from './gate.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeMemoryWriter } from './memory-writer.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import { makeSql, type TxOptions } from './script-sql.ts';
import { makeStatements } from './statements.ts';

/** A new database, to be taken over by each store: one millisecond instead of the 37 of migrating (measured). */
const NEW_DATABASE = makeNewDatabase();

/** What the runtime has beyond the types that there are of it. */
interface Copied {
  serialize(): Uint8Array;
  deserialize(database: Uint8Array): void;
}

function makeNewDatabase(): Uint8Array {
  const db = openInMemory();
  try {
    migrate(db);
    return db.serialize();
  } finally {
    db.close();
  }
}

/** A database that is as new. */
export function openNewDatabase(): DatabaseSync {
  const db = openInMemory();
  db.deserialize(NEW_DATABASE);
  return db;
}

function openInMemory(): DatabaseSync & Copied {
  return openDatabase(':memory:', 'write') as DatabaseSync & Copied;
}

/** A store that nobody has written to yet. */
export function openMemoryStore(): Store {
  const { open, close } = openMemoryDatabase();
  const store = open();
  return { ...store, close: () => store.close().then(close) };
}

export interface MemoryDatabase {
  /** To look at. */
  readonly db: DatabaseSync;
  /** The store of one process, beside those of others. */
  open(): Store;
  /** The store of one of several nodes. They share the clock, the database's own. */
  openNode(node: string): Store & NodeStore;
  close(): void;
}

/** `clock`: what the database's clock says, ms since 1970 (default: the machine's). */
export function openMemoryDatabase(clock?: () => number): MemoryDatabase {
  const db = openNewDatabase();
  const gate = makeGate();
  return {
    db,
    open: () => openStore(db, gate, { clock }).store,
    openNode: (node) => openNode(db, gate, { node, clock }),
    close: () => db.close(),
  };
}

function openStore(db: DatabaseSync, gate: Gate, options: TxOptions) {
  const { node, clock } = options;
  const writer = makeMemoryWriter(makeBatchWriter(db, { waitMs: 0, head: null, ...options }), gate);
  const runner = makeMemoryRunner(db, writer, gate, clock);
  const store: Store = {
    ...makeAreas({ writer, runner, node }),
    listSecrets: () => listSecrets(runner.sql),
    replaceSecrets: (changes) =>
      gate.write(() => replaceSecrets(makeSql(makeStatements(db)), changes)),
    close: () => writer.close(),
  };
  return { store, runner };
}

function openNode(db: DatabaseSync, gate: Gate, options: TxOptions): Store & NodeStore {
  const { store, runner } = openStore(db, gate, options);
  const { stopRetrying, ...nodes } = makeNodeStore(runner);
  return {
    ...store,
    ...nodes,
    async close() {
      stopRetrying();
      await store.close();
    },
  };
}

function makeMemoryRunner(
  db: DatabaseSync,
  writer: GroupCommit,
  gate: Gate,
  clock?: () => number,
): Runner {
  const statements = makeStatements(db);
  const { all, get, run } = makeSql(statements, clock);
  return {
    sql: {
      all: (...asked) => gate.read(() => all(...asked)),
      get: (...asked) => gate.read(() => get(...asked)),
      run: (...asked) => gate.read(() => run(...asked)),
    },
    dialect: SQLITE,
    gather: (read) => async (ask) => (await read([ask]))[0]!,
    write: (script, ask) => writer.script(script.name, ask) as never,
  };
}
