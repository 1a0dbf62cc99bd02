/**
 * Whether the database fails writes although the small write of `ping` succeeds. On a full disk a
 * row can still be updated in place, but no match continues.
 */

import { isOfServer } from './connection.ts';

/** How long a fault counts. Milliseconds. */
const FAULT_MS = 2_000;

export interface ServerFaults {
  note(error: unknown): void;
  /** A batch that began then has ended. If it succeeded, earlier failures are cleared. */
  settle(startedAt: number): void;
  isFailing(): boolean;
}

/** Times are those of `performance.now()`. */
export function makeServerFaults(): ServerFaults {
  let faultAt = -Infinity;
  return {
    note(error) {
      if (isOfServer(error)) faultAt = performance.now();
    },
    settle(startedAt) {
      if (faultAt < startedAt) faultAt = -Infinity;
    },
    isFailing: () => performance.now() - faultAt < FAULT_MS,
  };
}
