/** Brings a database file up to the newest schema. Safe at every start, and by several at once. */

import type { DatabaseSync } from 'node:sqlite';
import { MIGRATIONS, type Migration } from './schema.ts';

/** `mtch`: how a file says that it is one of ours, so that nobody else's is ever written to. */
export const APPLICATION_ID = 0x6d74_6368;

/** Names of the migrations that were run now, in order. Throws when one fails; all are then undone. */
export function migrate(db: DatabaseSync): readonly string[] {
  return inTransaction(db, () => runMissing(db));
}

/**
 * All of it or nothing. The lock is taken before anything is read: whoever comes second finds the
 * work done.
 */
export function inTransaction<T>(db: DatabaseSync, act: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const done = act();
    db.exec('COMMIT');
    return done;
  } catch (error) {
    // After some errors, as of a full disk, SQLite has undone it already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Names of the migrations that `migrate` would run; changes nothing. Throws where it would throw. */
export function pendingMigrations(db: DatabaseSync): readonly string[] {
  if (isEmpty(db)) return MIGRATIONS.map(({ name }) => name);
  checkOwner(db);
  return missingIn(db).map(({ name }) => name);
}

function missingIn(db: DatabaseSync): Migration[] {
  const done = db
    .prepare('SELECT name FROM migration')
    .all()
    .map((row) => String(row['name']));
  const unknown = done.filter((name) => !MIGRATIONS.some((migration) => migration.name === name));
  if (unknown.length > 0) throw new Error(`a newer matchd has made it (${unknown.join(', ')})`);
  return MIGRATIONS.filter(({ name }) => !done.includes(name));
}

function runMissing(db: DatabaseSync): string[] {
  claim(db);
  const missing = missingIn(db);
  const note = db.prepare('INSERT INTO migration (name) VALUES (?)');
  for (const { name, sql, run } of missing) {
    for (const text of sql) db.exec(text);
    run?.(db);
    note.run(name);
  }
  return missing.map(({ name }) => name);
}

/** Marks an empty file as ours; refuses one that holds something else. */
function claim(db: DatabaseSync): void {
  if (isEmpty(db)) {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
    return;
  }
  checkOwner(db);
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function checkOwner(db: DatabaseSync): void {
  const row = db.prepare('PRAGMA application_id').get();
  if (row?.['application_id'] !== APPLICATION_ID) throw new Error('it belongs to another program');
}
