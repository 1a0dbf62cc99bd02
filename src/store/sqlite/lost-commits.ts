/** Finds at start-up whether acknowledged commits are missing because the write-ahead log is damaged or gone. */

import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { numberOrNull } from '../rows/row.ts';
import { hasTables, pendingMigrations } from './file/migrate.ts';
import { openDatabase } from './file/open.ts';
import { type Remains, readRemains } from './wal-remains.ts';
import { headFileOf, readCommits, readHead } from './writer/commit-head.ts';

/** A session whose last records are missing, as far as the log still shows them. */
export interface LostRecords {
  readonly session: string;
  /** The last version in the database; null if the whole session is missing. */
  readonly kept: number | null;
  /** The last version in the unreadable part of the log. */
  readonly written: number;
}

export interface LostCommits {
  /** How many commits are missing. Each has one or more writes. */
  readonly commits: number;
  readonly sessions: readonly LostRecords[];
  /** A copy of the log as found; null if there was none, or no space for it. */
  readonly log: string | null;
}

/**
 * Null if nothing is missing, or it is unknown: no note of the last commit, or no readable
 * database. The serving process must call it before anything is written. `now` (ms since 1970)
 * names the copy of the log.
 */
export function findLostCommits(file: string, now: number): LostCommits | null {
  const head = readHead(headFileOf(file));
  if (head === null || head === 0) return null;
  if (!existsSync(file)) return { commits: head, sessions: [], log: null };
  const wal = `${file}-wal`;
  // SQLite creates a log where there is none.
  const hasLog = existsSync(wal);
  const db = openReadable(file);
  if (db === null) return null;
  try {
    // A database whose whole log is damaged may be empty.
    const commits = head - (hasTables(db) ? readCommits(db) : 0);
    if (commits <= 0) return null;
    if (!hasLog) return { commits, sessions: [], log: null };
    return {
      commits,
      sessions: compare(db, readRemains(readFileSync(wal))),
      log: keepLog(wal, now),
    };
  } finally {
    db.close();
  }
}

/** One of our databases, or an empty one; null for any other: the opener that serves reports why. */
function openReadable(file: string): DatabaseSync | null {
  let db: DatabaseSync | null = null;
  try {
    db = openDatabase(file, 'read');
    pendingMigrations(db);
    return db;
  } catch {
    db?.close();
    return null;
  }
}

function compare(db: DatabaseSync, remains: Remains): LostRecords[] {
  const last = hasTables(db) ? db.prepare('SELECT max(v) AS v FROM log WHERE session = ?') : null;
  const lost: LostRecords[] = [];
  for (const [session, written] of remains) {
    const kept = numberOrNull(last?.get(session)?.['v']);
    if (kept === null || kept < written) lost.push({ session, kept, written });
  }
  return lost;
}

/** The service overwrites the log: the copy is for later investigation. */
function keepLog(wal: string, now: number): string | null {
  const copy = `${wal}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
  try {
    copyFileSync(wal, copy);
    return copy;
  } catch {
    return null; // No space for it.
  }
}
