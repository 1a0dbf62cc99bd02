/** Small files that are there whole or not at all, whenever the process or the machine stops. */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Nobody but the service's own user reads the data. */
export const FILE_MODE = 0o600;

/** A crash leaves the older text or this one. Throws what the file system does. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.part`;
  writeFlushed(fresh, text);
  renameSync(fresh, file);
  flush(dirname(file));
}

/** False, and nothing is written, when there is such a file: of several processes one comes first. */
export function createFile(file: string, text: string): boolean {
  const fresh = `${file}.${process.pid}.part`;
  writeFlushed(fresh, text);
  try {
    nameFirst(fresh, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  flush(dirname(file));
  return true;
}

/** File systems that have no second names for a file: there a look has to do. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS']);

/** Throws EEXIST when the name is taken, which a rename would not. */
function nameFirst(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (!NO_LINKS.has((error as NodeJS.ErrnoException).code!) || existsSync(file)) throw error;
    renameSync(fresh, file);
  }
}

function writeFlushed(file: string, text: string): void {
  const opened = openSync(file, 'w', FILE_MODE);
  try {
    writeSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The file is on the disk, and so is its name in its folder. */
export function flushFile(file: string): void {
  flush(file);
  flush(dirname(file));
}

/** A name is on the disk when its folder is. */
function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
