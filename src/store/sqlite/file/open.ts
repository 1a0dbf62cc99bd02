/** Opens the database file with the settings that make acknowledged writes durable. */

import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The first version with the fix of SQLite's WAL-reset bug, which could lose commits. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a connection waits for another's lock by default, in milliseconds. */
export const LOCK_WAIT_MS = 5_000;
/** Pages (of 4 KiB) after which the log is copied back into the database. */
const CHECKPOINT_PAGES = 4_000;
/**
 * Page cache per connection, in KiB. When a transaction ends that split an index page out of order,
 * as nearly every batch does, SQLite walks all cached pages (decision 0006). The operating system
 * caches the rest.
 */
const CACHE_KIB = 8 * 1_024;
/** SQLite's error codes; the higher bytes have their kinds. See sqlite.org/rescode.html. */
const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_NOMEM = 7;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
/** The file cannot be written for now, whatever the write is. */
const AWAY = new Set([
  SQLITE_BUSY,
  SQLITE_LOCKED,
  SQLITE_NOMEM,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);
/** Pause between two attempts to get a lock that SQLite does not wait for by itself. */
const RETRY_MS = 10;

/** A connection waits `waitMs` milliseconds for another's lock. Throws, with nothing left open. */
export function openDatabase(
  file: string,
  mode: 'write' | 'read',
  waitMs = LOCK_WAIT_MS,
): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: mode === 'read' });
  try {
    // First, because everything else may meet a lock.
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

/** Sets how long the connection waits for another's lock, in milliseconds. */
export function waitForLocks(db: DatabaseSync, waitMs: number): void {
  db.exec(`PRAGMA busy_timeout = ${waitMs}`);
}

/** A write of any size needs this much in the log and in the file itself. Bytes. */
const ROOM_MIN = 2 * 1_024 * 1_024;

/** Whether the disk has space for the next writes. One page may still fit where no match does. */
export function hasRoom(file: string): boolean {
  return freeBytes(dirname(file)) >= ROOM_MIN;
}

/** How much this user may still write there, in bytes. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the file cannot be written, as opposed to an error in the write itself. */
export function isFileFault(error: unknown): boolean {
  return AWAY.has(codeOf(error));
}

/** Whether another connection holds a lock for longer than this one waits. */
export function isLockFault(error: unknown): boolean {
  const code = codeOf(error);
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
}

/** SQLite's code without its kind; 0 for other errors. */
function codeOf(error: unknown): number {
  return ((error as { errcode?: number } | null)?.errcode ?? 0) % 256;
}

/** The first opener of a new file needs it exclusively, and SQLite's own timeout does not apply here. */
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

/** Whether a text contains one of a JSON list of texts (`notation.ts`). */
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
