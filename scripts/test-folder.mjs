/** A folder for the output of a test run: in memory if there is room, and removed with the run. */

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Linux's in-memory file system. Syncing a file costs nothing there. */
const MEMORY_FOLDER = '/dev/shm';
/** Required free space there and in memory, otherwise the run's folder is on the disk. Bytes. */
const MEMORY_FREE_MIN = 6 * 1024 ** 3;
/** Servers that end with the run may still write while their files are removed. */
const REMOVE = { recursive: true, force: true, maxRetries: 20, retryDelay: 100 };
/**
 * Tests run some servers as other users: they pass through it to their own folders, and cannot list
 * it.
 */
const FOLDER_MODE = 0o711;

function hasRoom() {
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY_FOLDER);
    return Math.min(bavail * bsize, os.freemem()) >= MEMORY_FREE_MIN;
  } catch {
    return false;
  }
}

/** The folder, and a function that removes it. The caller's own `TMPDIR` sets its location. */
export function makeTestFolder() {
  const parent = !process.env.TMPDIR && hasRoom() ? MEMORY_FOLDER : os.tmpdir();
  const folder = fs.mkdtempSync(path.join(parent, 'matchd-run-'));
  fs.chmodSync(folder, FOLDER_MODE);
  return { folder, remove: () => fs.rmSync(folder, REMOVE) };
}
