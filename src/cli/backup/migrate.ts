/** `matchd migrate`: brings the database of a data folder up to date, made if it is not there. */

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { databaseFile } from '../../config.ts';
import { FILE_MODE } from '../../runtime/whole-file.ts';
import { migrate, NEW_NAMES, pendingMigrations } from '../../store/sqlite/file/migrate.ts';
import { openDatabase } from '../../store/sqlite/file/open.ts';
import { stopTheService, takeServeLock } from '../../store/sqlite/file/serve-lock.ts';
import { FOLDER_MODE } from '../store/data-file.ts';
import { type Answer, failed } from '../terminal/answer.ts';
import type { Progress } from '../terminal/progress.ts';

/** Changes nothing. A database that is not there would be made. */
export function showPending(dataDir: string): Answer {
  const file = databaseFile(dataDir);
  const pending = existsSync(file) ? readPending(file) : NEW_NAMES;
  return { json: { file, pending }, text: `${file} ${pendingText(pending)}` };
}

export function pendingText(pending: readonly string[]): string {
  return pending.length === 0
    ? 'is up to date'
    : `has pending migrations: ${pending.join(', ')}; nothing was changed`;
}

export function ranText(ran: readonly string[]): string {
  return ran.length === 0 ? 'is up to date' : `was migrated: ${ran.join(', ')}`;
}

function readPending(file: string): readonly string[] {
  const db = openDatabase(file, 'read');
  try {
    return pendingMigrations(db);
  } finally {
    db.close();
  }
}

/** Refuses while a service runs on what would change. */
export function migrateDataDir(dataDir: string, say: Progress): Answer {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const file = databaseFile(dataDir);
  // A database without pending migrations may be in use by a service.
  if (existsSync(file) && readPending(file).length === 0) {
    return { json: { file, ran: [] }, text: `${file} ${ranText([])}` };
  }
  const lock = takeServeLock(file, 0);
  if (lock === null) return failed(stopTheService(file));
  try {
    const ran = migrateFile(file, say);
    return { json: { file, ran }, text: `${file} ${ranText(ran)}` };
  } finally {
    lock.release();
  }
}

function migrateFile(file: string, say: Progress): readonly string[] {
  const db = openDatabase(file, 'write');
  try {
    chmodSync(file, FILE_MODE);
    return migrate(db, (name) => say(`migrating: ${name}`));
  } finally {
    db.close();
  }
}
