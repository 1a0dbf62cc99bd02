/** `matchd migrate`: brings the database of a data folder up to date, made if it is not there. */

import { chmodSync, mkdirSync } from 'node:fs';
import { databaseFile } from '../config.ts';
import { migrate } from '../store/sqlite/migrate.ts';
import { openDatabase } from '../store/sqlite/open.ts';
import type { Answer } from './answer.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

export function migrateDataDir(dataDir: string): Answer {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  const file = databaseFile(dataDir);
  const db = openDatabase(file, 'write');
  try {
    chmodSync(file, FILE_MODE);
    const ran = migrate(db);
    const text = ran.length === 0 ? 'is up to date' : `has now ${ran.join(', ')}`;
    return { json: { file, ran }, text: `${file} ${text}` };
  } finally {
    db.close();
  }
}
