/** Acknowledged commits that a start found missing: noted beside the database until an operator has accepted it. */

import { readFileSync, rmSync } from 'node:fs';
import { replaceFile } from './whole-file.ts';

/** Sessions listed by name; further ones are counted. */
const SESSIONS_MAX = 1_000;

/** The finding of one start, or of several that no operator has accepted. */
export interface LostNote {
  /** When it was first found, ISO 8601. */
  readonly foundAt: string;
  /** Commits that are missing. Each held one write or many. */
  readonly commits: number;
  /**
   * Sessions that the damaged log still names, with the last version present (null: none) and the last one
   * written. Incomplete when there was no log.
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

/** A start's finding, as the store's `findLostCommits` returns it. */
export interface LostFinding extends Pick<LostNote, 'commits' | 'sessions'> {
  readonly log: string | null;
}

/** Adds a finding at `now` (ms since 1970) to those not accepted yet. */
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

/** Null when nothing is missing, or all of it was accepted. Throws for an unreadable note. */
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

/** The operator accepts the loss. */
export function acceptLost(file: string): void {
  rmSync(file, { force: true });
}
