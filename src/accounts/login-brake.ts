/** Slows guessing: after some failures each further one costs a wait that doubles. */

/** Failures that cost nothing yet. Behind one address many people may sit. */
export const FREE_FAILURES = { account: 5, address: 20 } as const;
const WAIT_FIRST_MS = 30_000;
const WAIT_MAX_MS = 15 * 60_000;
/** Failures are forgotten when there was none for so long. */
const FORGET_MS = 24 * 60 * 60_000;
/** Names counted at once; beyond it the one counted longest is forgotten. */
const NAMES_MAX = 100_000;

export interface LoginBrake {
  /** 0, or how long to wait. Counts nothing. */
  waitMs(name: string, now: number): number;
  /** 0, or how long to wait. Counts a try as a failure until it is said to have succeeded. */
  begin(name: string, free: number, now: number): number;
  succeeded(name: string): void;
  /** Takes back one try that was none, and leaves the others: for names that many share. */
  uncount(name: string): void;
}

interface Tries {
  failures: number;
  /** Until then nothing is tried. */
  blockedUntil: number;
  forgetAt: number;
}

export function makeLoginBrake({ namesMax = NAMES_MAX } = {}): LoginBrake {
  const counted = new Map<string, Tries>();
  const open = (name: string, now: number): Tries => {
    const found = counted.get(name);
    if (found !== undefined && found.forgetAt > now) return found;
    counted.delete(name);
    if (counted.size >= namesMax) counted.delete(counted.keys().next().value!);
    const tries: Tries = { failures: 0, blockedUntil: 0, forgetAt: 0 };
    counted.set(name, tries);
    return tries;
  };
  return {
    waitMs: (name, now) => Math.max(0, (counted.get(name)?.blockedUntil ?? 0) - now),
    begin(name, free, now) {
      const tries = open(name, now);
      if (tries.blockedUntil > now) return tries.blockedUntil - now;
      tries.failures += 1;
      tries.forgetAt = now + FORGET_MS;
      // Counted before the password is looked at: many tries at once are many all the same.
      if (tries.failures >= free) tries.blockedUntil = now + waitAfter(tries.failures - free);
      return 0;
    },
    succeeded: (name) => void counted.delete(name),
    uncount(name) {
      const tries = counted.get(name);
      if (tries === undefined) return;
      tries.failures -= 1;
      tries.blockedUntil = 0;
      // A name without failures takes no place: it would push out one that has some.
      if (tries.failures === 0) counted.delete(name);
    },
  };
}

function waitAfter(doublings: number): number {
  return Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** Math.min(doublings, 10));
}
