/** The in-memory store: the same areas over a temporary database. For tests and the simulator. */

import type { DatabaseSync } from 'node:sqlite';
import { listSecrets, replaceSecrets } from '../scripts/cluster/secrets.ts';
import { makeNodeStore, type NodeStore } from '../scripts/nodes.ts';
import type { Runner, Sql } from '../scripts/shared/script.ts';
import { loopTurn } from '../shared/loop-turn.ts';
import type { Store } from '../whole-store.ts';
import { makeAreas } from './areas.ts';
import { migrate } from './file/migrate.ts';
import { openDatabase } from './file/open.ts';
import { makeBinder, SQLITE } from './sql/dialect.ts';
import { makeSql, type TxOptions } from './sql/script-sql.ts';
import { makeStatements, type Statements } from './sql/statements.ts';
import { makeBatchWriter } from './writer/batch-writer.ts';
import { type Gate, makeGate } from './writer/gate.ts';
import type { GroupCommit } from './writer/group-commit.ts';
import { makeTurnWriter } from './writer/turn-writer.ts';

/** A template of a new database: a copy takes one millisecond instead of the 37 of migrating (measured). */
const NEW_DATABASE = makeNewDatabase();

/** Methods of the runtime that its types lack. */
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

/** An empty database with all tables. */
export function openNewDatabase(): DatabaseSync {
  const db = openInMemory();
  db.deserialize(NEW_DATABASE);
  return db;
}

function openInMemory(): DatabaseSync & Copied {
  return openDatabase(':memory:', 'write') as DatabaseSync & Copied;
}

/** An empty store. */
export function openMemoryStore(): Store {
  const { open, close } = openMemoryDatabase();
  const store = open();
  return { ...store, close: () => store.close().then(close) };
}

export interface MemoryDatabase {
  /** For inspection. */
  readonly db: DatabaseSync;
  /** The store of one process, besides those of others. */
  open(): Store;
  /** The store of one of several nodes. They share the database's clock. */
  openNode(node: string): Store & NodeStore;
  close(): void;
}

/** `clock`: the database's clock, ms since 1970 (default: the machine's). */
export function openMemoryDatabase(clock?: () => number): MemoryDatabase {
  const db = openNewDatabase();
  const statements = makeStatements(db);
  const bind = makeBinder(clock);
  const sql = makeSql(statements, clock, bind);
  const shared: Shared = { db, statements, gate: makeGate(), sql, options: { clock, bind } };
  return {
    db,
    open: () => openStore(shared).store,
    openNode: (node) => openNode(shared, node),
    close: () => db.close(),
  };
}

/** Shared by all openers of the database: each statement is parsed and prepared once. */
interface Shared {
  readonly db: DatabaseSync;
  readonly statements: Statements;
  readonly sql: Sql;
  readonly gate: Gate;
  readonly options: TxOptions;
}

function openStore({ db, statements, sql, gate, options }: Shared, node?: string) {
  const how = { waitMs: 0, head: null, statements, node, ...options };
  const writer = makeTurnWriter(makeBatchWriter(db, how), gate);
  const runner = makeMemoryRunner(sql, writer, gate);
  const store: Store = {
    ...makeAreas({ writer, runner, node }),
    listSecrets: () => listSecrets(runner.sql),
    replaceSecrets: (changes) => gate.write(() => replaceSecrets(sql, changes)),
    close: () => writer.close(),
  };
  return { store, runner };
}

function openNode(shared: Shared, node: string): Store & NodeStore {
  const { store, runner } = openStore(shared, node);
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

function makeMemoryRunner({ all, get, run }: Sql, writer: GroupCommit, gate: Gate): Runner {
  return {
    sql: {
      all: (...asked) => gate.read(() => all(...asked)),
      get: (...asked) => gate.read(() => get(...asked)),
      run: (...asked) => gate.read(() => run(...asked)),
    },
    dialect: SQLITE,
    turn: loopTurn,
    gather: (read) => async (ask) => (await read([ask]))[0]!,
    write: (script, ask) => writer.script(script.name, ask) as never,
  };
}
