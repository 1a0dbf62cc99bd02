/**
 * Does the database fail what is written to it, though it takes the small write that `ping` tries? On a full disk a
 * row still changes where it lies, and no match gets on.
 */

import { isOfServer } from './connection.ts';

/** A fault says so for so long. Milliseconds. */
const FAULT_MS = 2_000;

export interface ServerFaults {
  note(error: unknown): void;
  /** A batch that began then is over: if it went well, what failed before it is forgotten. */
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
