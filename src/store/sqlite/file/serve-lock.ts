/**
 * One process serves from a database file at a time: a lock beside the file, which the kernel
 * releases with the process.
 */

import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { isLockFault } from './open.ts';

/** Only the service's own user may open it. */
const FILE_MODE = 0o600;

export interface ServeLock {
  /** A second call does nothing. */
  release(): void;
}

/** The lock's file. It remains, empty, when nobody serves. */
function serveLockFile(file: string): string {
  return `${file}-lock`;
}

/** The error when a service cannot start. */
export function servedAlready(dataDir: string): string {
  return `A process serves from ${dataDir} already: stop it first, or give this one another folder`;
}

/** The error when a command that needs the database alone cannot start. */
export function stopTheService(file: string): string {
  return `A process has ${file} open: stop the service first`;
}

/**
 * Takes the lock of a database file; null when another process, or another service of this process,
 * still holds it after `waitMs` milliseconds. The wait blocks the thread. Throws file system
 * errors.
 *
 * SQLite locks the file with `fcntl`, because neither Bun nor Node has file locks. The kernel drops
 * such a lock when the process closes any descriptor of that file, so nothing but SQLite may open
 * it.
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

/** Opened only if it does not exist: closing it would drop a lock that this process holds. */
function makeEmpty(lock: string): void {
  try {
    closeSync(openSync(lock, 'wx', FILE_MODE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
