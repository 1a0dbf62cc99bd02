/** The store in memory: the same areas over a database that is gone with it. For tests and the simulator. */

import type { DatabaseSync } from 'node:sqlite';
import type { Runner } from '../scripts/script.ts';
import { listSecrets, replaceSecrets } from '../scripts/secrets.ts';
import type { Store } from '../whole-store.ts';
import { type AreaReads, makeAreas } from './areas.ts';
import { makeBatchWriter } from './batch-writer.ts';
import { SQLITE } from './dialect.ts';
import { type Gate, makeGate } from './gate.ts';
import type { GroupCommit } from './group-commit.ts';
import { makeMemoryWriter } from './memory-writer.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';
import { makeReader } from './reader.ts';
import { makeSql } from './script-sql.ts';
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
  close(): void;
}

export function openMemoryDatabase(): MemoryDatabase {
  const db = openInMemory();
  db.deserialize(NEW_DATABASE);
  const gate = makeGate();
  return {
    db,
    open: () => openStore(db, gate),
    close: () => db.close(),
  };
}

function openStore(db: DatabaseSync, gate: Gate): Store {
  const writer = makeMemoryWriter(makeBatchWriter(db, { waitMs: 0, head: null }), gate);
  const runner = makeMemoryRunner(db, writer, gate);
  return {
    ...makeAreas({ writer, runner, reads: makeReads(db, gate) }),
    listSecrets: () => listSecrets(runner.sql),
    replaceSecrets: (changes) =>
      gate.write(() => replaceSecrets(makeSql(makeStatements(db)), changes)),
    ping: () =>
      writer.perform<'ping'>({ op: 'ping' }).then(
        () => true,
        () => false,
      ),
    close: () => writer.close(),
  };
}

function makeMemoryRunner(db: DatabaseSync, writer: GroupCommit, gate: Gate): Runner {
  const statements = makeStatements(db);
  const { all, get, run } = makeSql(statements);
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

function makeReads(db: DatabaseSync, gate: Gate): AreaReads {
  const { loadSession, listDue, listAwake } = makeReader(db);
  return {
    loadSession: (...asked) => gate.read(() => loadSession(...asked)),
    listDue: (...asked) => gate.read(() => listDue(...asked)),
    listAwake: (...asked) => gate.read(() => listAwake(...asked)),
  };
}
