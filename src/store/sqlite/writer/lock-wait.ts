/** How long a connection waits for a lock of another process, so that nobody waits for one wait after the other. */

import type { DatabaseSync } from 'node:sqlite';
import { isLockFault, waitForLocks } from '../file/open.ts';

/** The wait after one without success. Milliseconds. */
const AGAIN_MS = 100;

export interface LockWait {
  /** Does what needs the lock. Throws what SQLite does. */
  around(act: () => void): void;
}

/**
 * The first wait is `waitMs` long. What was asked for meanwhile has waited as long when its turn comes,
 * so until the lock is had again each wait is `AGAIN_MS`.
 */
export function makeLockWait(db: DatabaseSync, waitMs: number): LockWait {
  let isLocked = false;
  const note = (is: boolean): void => {
    if (is === isLocked) return;
    isLocked = is;
    waitForLocks(db, is ? Math.min(AGAIN_MS, waitMs) : waitMs);
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
