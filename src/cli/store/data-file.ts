/** Data files and folders that only their owner can read. */

import { closeSync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { FILE_MODE } from '../../runtime/whole-file.ts';

/** Only the service's own user can read it. */
export const FOLDER_MODE = 0o700;

/** An empty file with its mode from the first moment on; throws when it exists. */
export function makeEmpty(file: string): void {
  closeSync(openSync(file, 'wx', FILE_MODE));
}

/** Its size with the data that is in its log only: a copy of it takes as much. */
export function databaseBytes(db: DatabaseSync): number {
  const ask = (what: string): number => Number(db.prepare(`PRAGMA ${what}`).get()?.[what] ?? 0);
  return ask('page_count') * ask('page_size');
}

export function printBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [amount, unit] = [bytes, 0];
  while (amount >= 1_000 && unit < units.length - 1) {
    amount /= 1_000;
    unit += 1;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}
