/** Logs that no `decide` has written, and how they must be refused. */

import { expect } from 'bun:test';
import { shippedGames } from '../../games/registry.ts';
import { BrokenLogError, foldSession } from '../../match/evolve.ts';
import type { Entry, LogRecord } from '../../match/record.ts';
import { thaw } from './session-laws.ts';

/** A log's name, its entries, and the expected error. */
export type BrokenLog = readonly [name: string, entries: readonly Entry[], fault: string];

/** The log with one more record. */
export function more(
  { entries }: { readonly entries: readonly Entry[] },
  record: LogRecord,
): Entry[] {
  const last = entries.at(-1)!;
  return [...entries, { v: last.v + 1, at: last.at, record }];
}

/** Folding the log throws its name and its fault. */
export function expectBroken(entries: readonly Entry[], fault: string): void {
  let thrown: unknown;
  try {
    foldSession(shippedGames.findPlayed, 'ses_test', thaw(entries));
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(BrokenLogError);
  const { session, message } = thrown as BrokenLogError;
  expect(session).toBe('ses_test');
  expect(message).toContain(fault);
}
