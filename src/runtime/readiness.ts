/** Is a store ready to write? Answers soon, even when the store does not. */

import type { Clock } from './ports.ts';

/** A store that takes longer to write is not ready. Milliseconds. */
export const READY_MS = 1_000;

interface Ping {
  readonly result: Promise<boolean>;
  /** When it began, ms since 1970. */
  readonly since: number;
}

/**
 * Answers within `READY_MS`, with false if the store has not written by then. Concurrent callers share one
 * attempt; the next begins when it has an answer or is late.
 */
export function makeReadiness(ping: () => Promise<boolean>, clock: Clock): () => Promise<boolean> {
  let last: Ping | null = null;
  const begin = (): Ping => {
    const begun: Ping = { result: ping().catch(() => false), since: clock.now() };
    last = begun;
    void begun.result.finally(() => {
      if (last === begun) last = null;
    });
    return begun;
  };
  return async () => {
    const isLate = last !== null && clock.now() - last.since >= READY_MS;
    const { result, since } = last === null || isLate ? begin() : last;
    const timeUp = Promise.withResolvers<boolean>();
    const cancel = clock.after(since + READY_MS - clock.now(), () => timeUp.resolve(false));
    return await Promise.race([result, timeUp.promise]).finally(cancel);
  };
}
