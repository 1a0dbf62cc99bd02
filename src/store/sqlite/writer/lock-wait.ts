/** How long a connection waits for another process's lock, without one wait following another. */

import type { DatabaseSync } from 'node:sqlite';
import { isLockFault, waitForLocks } from '../file/open.ts';

/** The wait after a timeout. Milliseconds. */
const RETRY_MS = 100;

export interface LockWait {
  /** Runs what needs the lock. Throws SQLite's errors. */
  around(act: () => void): void;
}

/**
 * The first wait is `waitMs` long. Requests behind it have waited as long by then, so until the
 * lock is free again each further wait is `RETRY_MS`.
 */
export function makeLockWait(db: DatabaseSync, waitMs: number): LockWait {
  let isLocked = false;
  const note = (is: boolean): void => {
    if (is === isLocked) return;
    isLocked = is;
    waitForLocks(db, is ? Math.min(RETRY_MS, waitMs) : waitMs);
  };
  return {
    around(act) {
      try {
        act();
        note(false);
      } catch (error) {
        if (isLockFault(error)) note(true);
        throw error;
      }
    },
  };
}
