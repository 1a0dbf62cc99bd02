/** Acknowledged commits that a start found missing: noted beside the database until an operator has accepted it. */

import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from './whole-file.ts';

/** Sessions that are noted by name; the others are counted. */
const SESSIONS_MAX = 1_000;

/** What one start found, or several of which nobody has accepted any. */
export interface LostNote {
  /** When it was first found, ISO 8601. */
  readonly foundAt: string;
  /** Commits that are missing. Each held one write or many. */
  readonly commits: number;
  /**
   * Sessions that the damaged log still names, with the last version that is left (null: none) and the
   * last that was written. Not all where there was no log.
   */
  readonly sessions: readonly { session: string; kept: number | null; written: number }[];
  /** Sessions beyond those. */
  readonly moreSessions: number;
  /** Copies of the logs as they were found. */
  readonly logs: readonly string[];
}

/** The file that holds the note. */
export function lostNoteFile(databaseFile: string): string {
  return `${databaseFile}-lost`;
}

/** What a start found, as `findLostCommits` of the store says it. */
export interface LostFinding extends Pick<LostNote, 'commits' | 'sessions'> {
  readonly log: string | null;
}

/** Adds what was found at `now` (ms since 1970) to what nobody has accepted yet. */
export function noteLost(file: string, found: LostFinding, now: number): LostNote {
  const before = readLostNote(file);
  const sessions = [...(before?.sessions ?? []), ...found.sessions];
  const note: LostNote = {
    foundAt: before?.foundAt ?? new Date(now).toISOString(),
    commits: (before?.commits ?? 0) + found.commits,
    sessions: sessions.slice(0, SESSIONS_MAX),
    moreSessions: (before?.moreSessions ?? 0) + Math.max(0, sessions.length - SESSIONS_MAX),
    logs: [...(before?.logs ?? []), ...(found.log === null ? [] : [found.log])],
  };
  replaceFile(file, `${JSON.stringify(note)}\n`);
  return note;
}

/** Null where nothing is missing, or all of it was accepted. Throws for a file that holds no note. */
export function readLostNote(file: string): LostNote | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    return JSON.parse(text) as LostNote;
  } catch {
    throw new Error(`${file} is damaged: remove it to accept that commits are missing`);
  }
}

/** The operator goes on without what is missing. */
export function acceptLost(file: string): void {
  rmSync(file, { force: true });
}
