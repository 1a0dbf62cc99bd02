/** One process serves from a database file at a time: a lock beside the file, which the kernel releases with the process. */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isLockFault } from './open.ts';

/** Nobody but the service's own user opens it. */
const FILE_MODE = 0o600;

export interface ServeLock {
  /** Does nothing the second time. */
  release(): void;
}

/** The file that has the lock. It stays, empty, when nobody serves. */
function serveLockFile(file: string): string {
  return `${file}-lock`;
}

/** Why a service does not start. */
export function servedAlready(dataDir: string): string {
  return `A process serves from ${dataDir} already: stop it first, or give this one another folder`;
}

/** Why a command that needs a database for itself does not begin. */
export function stopTheService(file: string): string {
  return `A process has ${file} open: stop the service first`;
}

/**
 * Takes the lock of a database file; null when another process, or another service of this one, still
 * holds it after `waitMs` milliseconds. The wait blocks the thread. Throws what the file system does.
 *
 * SQLite locks the file with `fcntl`: neither Bun nor Node has a lock of its own. The kernel drops such
 * a lock when the process closes any descriptor of that file, so nothing but SQLite may open it.
 */
export function takeServeLock(file: string, waitMs: number): ServeLock | null {
  const lock = serveLockFile(file);
  makeEmpty(lock);
  const db = new DatabaseSync(lock);
  try {
    db.exec(`PRAGMA busy_timeout = ${waitMs}`);
    // A transaction that writes nothing: the file stays empty, and a full disk does not matter.
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isLockFault(error)) return null;
    throw error;
  }
  return {
    release() {
      if (db.isOpen) db.close();
    },
  };
}

/** Opened only where it is not there yet: to close it would drop a lock that this process holds. */
function makeEmpty(lock: string): void {
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
