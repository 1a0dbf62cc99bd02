/** Files and folders of data: kept from others' eyes, and on the disk before anything is said. */

import { closeSync, fsyncSync, openSync, statfsSync } from 'node:fs';
import path from 'node:path';

/** Nobody but the service's own user reads the data. */
export const FILE_MODE = 0o600;
export const FOLDER_MODE = 0o700;

/** An empty file of its own mode from the first moment on; throws when it is there. */
export function makeEmpty(file: string): void {
  closeSync(openSync(file, 'wx', FILE_MODE));
}

/** The file is on the disk, and so is its name in its folder. */
export function flushFile(file: string): void {
  for (const each of [file, path.dirname(file)]) {
    const opened = openSync(each, 'r');
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  }
}

/** What this user may still write there, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
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
