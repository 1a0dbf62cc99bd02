/** Counts commits in the database, and notes the last one in a file beside it. A start compares the two. */

import { Buffer } from 'node:buffer';
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import type { Statements } from '../sql/statements.ts';

/** Only the service's own user may open it. */
const FILE_MODE = 0o600;
/** Digits of a number in the file: enough for any safe integer. */
const DIGITS = 16;

/** The row of `revision` that counts commits; it exists once a service has served. */
const COUNT = `INSERT INTO revision (name, n) VALUES ('commits', ?1)
  ON CONFLICT (name) DO UPDATE SET n = ?1`;

export interface CommitHead {
  /** Makes the open transaction the next commit. */
  count(sql: Statements): void;
  /** The last counted transaction is on disk. Never throws. */
  note(): void;
  close(): void;
}

/** The file with the number of the last commit. */
export function headFileOf(file: string): string {
  return `${file}-head`;
}

/** For the serving process; other writers count nothing. Throws file system errors. */
export function openCommitHead(db: DatabaseSync, file: string): CommitHead {
  const opened = openSync(file, constants.O_RDWR | constants.O_CREAT, FILE_MODE);
  const text = Buffer.alloc(2 * DIGITS + 2);
  let last = readCommits(db);
  let next = last;
  const write = (): void => {
    const number = String(last).padStart(DIGITS, '0');
    text.write(`${number} ${number}\n`);
    try {
      writeSync(opened, text, 0, text.length, 0);
    } catch {
      // The commit stands. A file that is behind raises no alarm.
    }
  };
  write();
  return {
    count(sql) {
      next = last + 1;
      sql.run(COUNT, next);
    },
    note() {
      last = next;
      write();
    },
    close: () => closeSync(opened),
  };
}

/** The number of the last commit in one of our databases; 0 if none was ever counted. */
export function readCommits(db: DatabaseSync): number {
  return Number(db.prepare("SELECT n FROM revision WHERE name = 'commits'").get()?.['n'] ?? 0);
}

/** The number in the file; null without a file, or when its two copies of the number differ. */
export function readHead(file: string): number | null {
  let text: string;
  try {
    text = readFileSync(file, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  const [, first, second] = /^(\d{16}) (\d{16})\n$/.exec(text) ?? [];
  return first === undefined || first !== second ? null : Number(first);
}
