/** When matches continue: after a fault, the time until each has its next move acknowledged. */

export interface Pulse {
  /** A match of which moves are awaited from now on; `session` ends with `over`. */
  ack(session: string, sentAt: number): void;
  over(session: string): void;
  /** Begins to wait for these. Times count from now. */
  watch(sessions: Iterable<string>): Watch;
}

export interface Watch {
  /** Ends the wait. Times in ms, in order; `missing`: matches that had no move and did not end. */
  stop(): { readonly times: readonly number[]; readonly missing: readonly string[] };
  /** Whether any still wait. */
  isWaiting(): boolean;
}

interface Open {
  readonly from: number;
  readonly waiting: Set<string>;
  readonly times: number[];
}

export function makePulse(): Pulse {
  const watches = new Set<Open>();
  return {
    ack(session, sentAt) {
      const now = performance.now();
      for (const watch of watches) {
        // A move in progress before the fault does not measure the time after it.
        if (sentAt < watch.from || !watch.waiting.delete(session)) continue;
        watch.times.push(now - watch.from);
      }
    },
    over(session) {
      for (const watch of watches) watch.waiting.delete(session);
    },
    watch(sessions) {
      const watch: Open = { from: performance.now(), waiting: new Set(sessions), times: [] };
      watches.add(watch);
      return {
        isWaiting: () => watch.waiting.size > 0,
        stop() {
          watches.delete(watch);
          return { times: watch.times.sort((a, b) => a - b), missing: [...watch.waiting] };
        },
      };
    },
  };
}

/** A share of sorted values; null when there are none. */
export function percentile(sorted: readonly number[], share: number): number | null {
  if (sorted.length === 0) return null;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}
