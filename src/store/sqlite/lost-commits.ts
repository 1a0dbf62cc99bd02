/** Finds at a start that commits are missing which a service had acknowledged: the write-ahead log is damaged or gone. */

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
  /** The last version in the database; null for none: the whole session is missing. */
  readonly kept: number | null;
  /** The last version in what cannot be read of the log. */
  readonly written: number;
}

export interface LostCommits {
  /** How many commits are missing. Each holds one write or many. */
  readonly commits: number;
  readonly sessions: readonly LostRecords[];
  /** A copy of the log as it was found; null where there was none, or no room for it. */
  readonly log: string | null;
}

/**
 * Null where nothing is missing, or nothing can be said: there is no note of the last commit, or no
 * database that can be read. To be called before anything is written, by the process that is to serve;
 * `now` (ms since 1970) names the copy of the log.
 */
export function findLostCommits(file: string, now: number): LostCommits | null {
  const head = readHead(headFileOf(file));
  if (head === null || head === 0) return null;
  if (!existsSync(file)) return { commits: head, sessions: [], log: null };
  const wal = `${file}-wal`;
  // SQLite makes one where there is none.
  const hasLog = existsSync(wal);
  const db = openReadable(file);
  if (db === null) return null;
  try {
    // One whose whole log is damaged may have nothing in it.
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

/** A database of ours, or one with nothing in it; null for any other: whoever opens it to serve says why. */
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

/** The service writes over the log: a copy keeps what may be looked into later. */
function keepLog(wal: string, now: number): string | null {
  const copy = `${wal}.damaged-${new Date(now).toISOString().replaceAll(':', '-')}`;
  try {
    copyFileSync(wal, copy);
    return copy;
  } catch {
    return null; // No room for it.
  }
}
