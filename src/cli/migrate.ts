/** `matchd migrate`: brings the database of a data folder up to date, made if it is not there. */

import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { databaseFile } from '../config.ts';
import { FILE_MODE } from '../runtime/whole-file.ts';
import { migrate, pendingMigrations } from '../store/sqlite/migrate.ts';
import { openDatabase } from '../store/sqlite/open.ts';
import { MIGRATIONS } from '../store/sqlite/schema.ts';
import type { Answer } from './answer.ts';
import { FOLDER_MODE } from './data-file.ts';

/** Changes nothing. A database that is not there would be made. */
export function showPending(dataDir: string): Answer {
  const file = databaseFile(dataDir);
  const pending = existsSync(file) ? readPending(file) : MIGRATIONS.map(({ name }) => name);
  return { json: { file, pending }, text: `${file} ${pendingText(pending)}` };
}

export function pendingText(pending: readonly string[]): string {
  return pending.length === 0
    ? 'is up to date'
    : `would get ${pending.join(', ')}; nothing was changed`;
}

export function ranText(ran: readonly string[]): string {
  return ran.length === 0 ? 'is up to date' : `has now ${ran.join(', ')}`;
}

function readPending(file: string): readonly string[] {
  const db = openDatabase(file, 'read');
  try {
    return pendingMigrations(db);
  } finally {
    db.close();
  }
}

export function migrateDataDir(dataDir: string): Answer {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const file = databaseFile(dataDir);
  const db = openDatabase(file, 'write');
  try {
    chmodSync(file, FILE_MODE);
    const ran = migrate(db);
    return { json: { file, ran }, text: `${file} ${ranText(ran)}` };
  } finally {
    db.close();
  }
}
