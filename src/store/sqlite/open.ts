/** Opens the database file with the settings that make an acknowledged write a durable one. */

import { DatabaseSync } from 'node:sqlite';

/** From here on SQLite's WAL-reset bug, which could lose commits, is mended. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const;
/** How long a connection waits for another's lock, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;
/** Pages (of 4 KiB) after which the log is copied back into the database. */
const CHECKPOINT_PAGES = 4_000;
/** Pages kept in memory by each connection, in KiB: enough that writing seldom has to read. */
const CACHE_KIB = 64 * 1_024;
/** SQLite's code for a lock that somebody else holds; its kinds stand in the higher bytes. */
const SQLITE_BUSY = 5;
/** Pause between two tries for a lock that SQLite does not wait for by itself. */
const RETRY_MS = 10;

export function openDatabase(file: string, mode: 'write' | 'read'): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: mode === 'read' });
  // Before anything else, as everything else may meet a lock.
  db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  checkVersion(db);
  db.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
  if (mode === 'write') {
    useWriteAheadLog(db);
    db.exec('PRAGMA synchronous = FULL');
    db.exec(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  }
  return db;
}

/** The first opener of a new file needs it for itself, and here SQLite's own timeout is not used. */
function useWriteAheadLog(db: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  for (let waitedMs = 0; ; waitedMs += RETRY_MS) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = ((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY;
      if (!isBusy || waitedMs >= BUSY_TIMEOUT_MS) throw error;
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
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
