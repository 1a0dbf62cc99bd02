/** Migrates a database file to the newest schema. Safe at every start, and by several processes at once. */

import type { DatabaseSync } from 'node:sqlite';
import { inSqlite, newDatabase } from '../../schema/dialects.ts';
import { type Migration, namesFrom, tooOld } from '../../schema/migrations.ts';
import { SQLITE_HISTORY } from '../../schema/sqlite-history.ts';

/** `mtch`: marks a file as one of ours, so that we never write to another program's. */
export const APPLICATION_ID = 0x6d74_6368;

type OnStep = (name: string) => void;

/**
 * Returns the names of the migrations it ran, in order; `onStep` gets each one before it runs.
 * Throws when one fails; then all are rolled back.
 */
export function migrate(db: DatabaseSync, onStep: OnStep = () => {}): readonly string[] {
  return inTransaction(db, () => runMissing(db, onStep));
}

/** All or nothing. The lock comes before any read: a second process finds the work done. */
function inTransaction<T>(db: DatabaseSync, act: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const done = act();
    db.exec('COMMIT');
    return done;
  } catch (error) {
    // After some errors, such as a full disk, SQLite has rolled back already.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** Names of the migrations that `migrate` would run; changes nothing. Throws where `migrate` would. */
export function pendingMigrations(db: DatabaseSync): readonly string[] {
  if (!hasTables(db)) return NEW_NAMES;
  checkOwner(db);
  return missingIn(db).map(({ name }) => name);
}

/** False for an empty file. */
export function hasTables(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

/** Why this matchd cannot use one of our files, as too old or too new; null if it can. */
export function unfitness(db: DatabaseSync): string | null {
  const { before, steps } = SQLITE_HISTORY;
  const known = new Set([...before, ...steps].map(({ name }) => name));
  const done = namesIn(db);
  const unknown = [...done].filter((name) => !known.has(name));
  return unknown.length > 0
    ? `a newer matchd has made it (${unknown.join(', ')})`
    : tooOld(SQLITE_HISTORY, done);
}

function namesIn(db: DatabaseSync): ReadonlySet<string> {
  const rows = db.prepare('SELECT name FROM migration').all();
  return new Set(rows.map(({ name }) => String(name)));
}

function missingIn(db: DatabaseSync): readonly Migration[] {
  const reason = unfitness(db);
  if (reason !== null) throw new Error(reason);
  const done = namesIn(db);
  return SQLITE_HISTORY.steps.filter(({ name }) => !done.has(name));
}

function runMissing(db: DatabaseSync, onStep: OnStep): readonly string[] {
  if (!hasTables(db)) return makeAll(db);
  checkOwner(db);
  const missing = missingIn(db);
  for (const { name, sql } of missing) {
    onStep(name);
    for (const text of sql) db.exec(text);
    note(db, name);
  }
  return missing.map(({ name }) => name);
}

/** A new file is recorded as having all of these: its schema includes them. */
export const NEW_NAMES = namesFrom(SQLITE_HISTORY);

function makeAll(db: DatabaseSync): readonly string[] {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  db.exec('CREATE TABLE migration (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID');
  for (const text of newDatabase(inSqlite)) db.exec(text);
  const { before, steps } = SQLITE_HISTORY;
  for (const { name } of [...before, ...steps]) note(db, name);
  return NEW_NAMES;
}

function note(db: DatabaseSync, name: string): void {
  db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
}

function checkOwner(db: DatabaseSync): void {
  const row = db.prepare('PRAGMA application_id').get();
  if (row?.['application_id'] !== APPLICATION_ID) throw new Error('it belongs to another program');
}
