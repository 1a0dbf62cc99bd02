/** Atomic writes of small files: a crash leaves the old or the new content. */

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

/** Only the service's own user reads the data. */
export const FILE_MODE = 0o600;

/** A crash leaves the old text or this one. Throws the file system's error. */
export function replaceFile(file: string, text: string): void {
  const fresh = `${file}.part`;
  writeFlushed(fresh, text);
  renameSync(fresh, file);
  flush(dirname(file));
}

/** False, and nothing is written, when the file exists: of several processes one wins. */
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

/** File systems without hard links: a check has to do. */
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

/** The file is on disk, and so is its directory entry. */
export function flushFile(file: string): void {
  flush(file);
  flush(dirname(file));
}

/** A directory entry is on disk when its directory is synced. */
function flush(path: string): void {
  const opened = openSync(path, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
