/** Opens the database file with the settings that make an acknowledged write a durable one. */

import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** From here on SQLite's WAL-reset bug, which could lose commits, is fixed. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a connection waits for another's lock unless it is told otherwise, in milliseconds. */
export const LOCK_WAIT_MS = 5_000;
/** Pages (of 4 KiB) after which the log is copied back into the database. */
const CHECKPOINT_PAGES = 4_000;
/**
 * Pages kept in memory by each connection, in KiB. SQLite goes through all of them when a transaction ends that split a
 * page of an index out of order, which nearly every batch does (decision 0006): what is not here, the system has.
 */
const CACHE_KIB = 8 * 1_024;
/** SQLite's codes; their kinds stand in the higher bytes. See sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
/** The file cannot be written for now, whatever was asked for. */
const AWAY = new Set([
  SQLITE_BUSY,
  SQLITE_LOCKED,
  SQLITE_NOMEM,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);
/** Pause between two tries for a lock that SQLite does not wait for by itself. */
const RETRY_MS = 10;

/** A connection waits `waitMs` milliseconds for another's lock. Throws, with nothing left open. */
export function openDatabase(
  file: string,
  mode: 'write' | 'read',
  waitMs = LOCK_WAIT_MS,
): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: mode === 'read' });
  try {
    // Before anything else, as everything else may meet a lock.
    waitForLocks(db, waitMs);
    checkVersion(db);
    addHoldsAny(db);
    db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    if (mode === 'write') {
      useWriteAheadLog(db, waitMs);
      db.exec('PRAGMA synchronous = FULL');
      db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    }
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** From now on the connection waits so long for another's lock, in milliseconds. */
export function waitForLocks(db: DatabaseSync, waitMs: number): void {
  db.exec(`PRAGMA busy_timeout = ${waitMs}`);
}

/** A write of any size needs so much in the log and in the file itself. Bytes. */
const ROOM_MIN = 2 * 1_024 * 1_024;

/** Is there room on the disk for what is written next? One page may still fit where no match does. */
export function hasRoom(file: string): boolean {
  return freeBytes(dirname(file)) >= ROOM_MIN;
}

/** What this user may still write there, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Is it the file that cannot be written, and not what was to be written that is wrong? */
export function isFileFault(error: unknown): boolean {
  return AWAY.has(codeOf(error));
}

/** Does another connection hold a lock for longer than this one waits? */
export function isLockFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** SQLite's code without its kind; 0 for what is no error of SQLite's. */
function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) % 256;
}

/** The first opener of a new file needs it for itself, and here SQLite's own timeout is not used. */
function useWriteAheadLog(db: DatabaseSync, waitMs: number): void {
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (codeOf(error) !== SQLITE_BUSY || waitedMs >= waitMs) throw error;
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
}

/** Does a text hold one of the others, which are a list in JSON? (`notation.ts`) */
function addHoldsAny(db: DatabaseSync): void {
  let known = { list: '', texts: [] as readonly string[] };
  db.function('holds_any', { deterministic: true }, (text, list) => {
    if (text === null || list === null) return null;
    if (known.list !== list) {
      known = { list: String(list), texts: JSON.parse(String(list)) as string[] };
    }
    return Number(known.texts.some((each) => String(text).includes(each)));
  });
}

function checkVersion(db: DatabaseSync): void {
  const row = db.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  const parts = row.version.split('.').map(Number);
  for (const [i, min] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[i] ?? 0;
    if (part > min) return;
    if (part < min) {
      throw new Error(
        `SQLite ${row.version} is too old: ${SQLITE_VERSION_MIN.join('.')} is needed`,
      );
    }
  }
}
