/** Slows guessing: after some failures each further one costs a wait that doubles. Counted in the store, over all nodes. */

/** Failures that cost nothing yet. Behind one address many people may sit. */
export const FREE_FAILURES = { account: 5, address: 20 } as const;
/** What each further failure costs, ms; the last goes for all that follow. */
export const WAITS_MS = [30_000, 60_000, 120_000, 240_000, 480_000, 900_000] as const;
/** Failures are forgotten when there was none for so long, ms. */
export const FORGET_MS = 24 * 60 * 60_000;
/** The maximum of counted names; above it those whose last failure is the oldest are forgotten. */
export const NAMES_MAX = 100_000;

/** What an attempt counts against. */
export interface TriedName {
  readonly name: string;
  /** Failures that cost nothing yet. */
  readonly free: number;
}
