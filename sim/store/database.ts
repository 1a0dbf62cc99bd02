/**
 * The database of simulated nodes: the shipped one, in memory. It is emptied and reused from run to
 * run.
 */

import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Sql } from '../../src/store/scripts/shared/script.ts';
import { SINGLE_PROCESS } from '../../src/store/shared/single-process.ts';
import { openNewDatabase } from '../../src/store/sqlite/memory-store.ts';
import { makeBinder } from '../../src/store/sqlite/sql/dialect.ts';
import { makeSql } from '../../src/store/sqlite/sql/script-sql.ts';
import { makeStatements, type Statements } from '../../src/store/sqlite/sql/statements.ts';
import { makeBatchWriter, type WriteBatch } from '../../src/store/sqlite/writer/batch-writer.ts';
import { type Watch, type WatchListener, watchDatabase } from './watch.ts';

type Row = Record<string, SQLInputValue>;

/** The database of one process, without network faults. */
export interface Connection {
  /** A batch of writes: one atomic step. */
  readonly write: WriteBatch;
  /** Reads; each statement is a step. */
  readonly sql: Sql;
  /** Players connected to a single process, which are in no table: `presenceKey`s. */
  readonly present: ReadonlySet<string>;
}

export interface SimDatabase {
  readonly watch: Watch;
  /** A new run begins: the database is as new, and its clock is the true time. */
  begin(listener: WatchListener): void;
  /** `isAlone`: no other process writes, and the rows name no node. */
  open(node: string, isAlone: boolean): Connection;
  /** The present contents, for the checks. */
  rows(text: string, ...values: SQLInputValue[]): Row[];
}

export function openSimDatabase(): SimDatabase {
  const db = openNewDatabase();
  const watch = watchDatabase(db);
  const empty = makeEmptier(db);
  let now = (): number => 0;
  const clock = (): number => Math.floor(now());
  const bind = makeBinder(clock);
  const statements = makeStatements(db);
  const sql = makeSql(statements, clock, bind);
  return {
    watch,
    begin(listener) {
      now = listener.now;
      empty();
      watch.reset(listener);
    },
    open(node, isAlone) {
      const present = new Set<string>();
      const write = makeBatchWriter(db, {
        waitMs: 0,
        head: null,
        present,
        clock,
        bind,
        node: isAlone ? SINGLE_PROCESS : node,
        statements: watched(statements, watch, node),
      });
      return { write, sql, present };
    },
    rows: (text, ...values) => statements.all(text, ...values),
  };
}

/** Reports a node's transactions. */
function watched(statements: Statements, watch: Watch, node: string): Statements {
  return {
    ...statements,
    run(text, ...values) {
      if (text.startsWith('BEGIN')) watch.begin(node);
      const changed = statements.run(text, ...values);
      if (text === 'COMMIT') watch.commit();
      return changed;
    },
  };
}

/** A migration records here when it was run; here no session has ended before. */
const MIGRATED_AT = "UPDATE revision SET n = 0 WHERE name = 'sealed'";

/** Creates the database in its current version. */
function makeEmptier(db: DatabaseSync): () => void {
  db.exec(MIGRATED_AT);
  const tables = db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'migration'",
    )
    .all()
    .map(({ name }) => String(name));
  const again = tables.flatMap((name) => {
    const rows = db.prepare(`SELECT * FROM ${name}`).all() as Row[];
    return rows.map((row) => {
      const places = Object.keys(row).map(() => '?');
      const columns = Object.keys(row).join();
      const insert = db.prepare(`INSERT INTO ${name} (${columns}) VALUES (${places.join()})`);
      return () => insert.run(...Object.values(row));
    });
  });
  const deletes = tables.map((name) => db.prepare(`DELETE FROM ${name}`));
  return () => {
    db.exec('BEGIN');
    for (const each of deletes) each.run();
    for (const insert of again) insert();
    db.exec('COMMIT');
  };
}
