/** Brings a database file up to the newest schema. Safe at every start, and by several at once. */

import type { DatabaseSync } from 'node:sqlite';
import { inSqlite, newDatabase } from '../../schema/dialects.ts';
import { type Migration, namesFrom, tooOld } from '../../schema/migrations.ts';
import { SQLITE_HISTORY } from '../../schema/sqlite-history.ts';

/** `mtch`: how a file says that it is one of ours, so that nobody else's is ever written to. */
export const APPLICATION_ID = 0x6d74_6368;

type OnStep = (name: string) => void;

/**
 * Names of the migrations that were run now, in order; `onStep` has each before it is run. Throws when one
 * fails; all are then undone.
 */
export function migrate(db: DatabaseSync, onStep: OnStep = () => {}): readonly string[] {
  return inTransaction(db, () => runMissing(db, onStep));
}

/**
 * All of it or nothing. The lock is taken before anything is read: whoever comes second finds the
 * work done.
 */
function inTransaction<T>(db: DatabaseSync, act: () => T): T {
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
  if (!hasTables(db)) return NEW_NAMES;
  checkOwner(db);
  return missingIn(db).map(({ name }) => name);
}

/** False for a file with nothing in it. */
export function hasTables(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() !== undefined;
}

/** Why a file of ours is nothing for this matchd, as it is too old or too new; null where it is. */
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

/** What a new file is told to have got: all that was before is in it, too. */
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
