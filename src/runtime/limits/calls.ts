/** Calls in progress, so that a shutdown can wait for them. */

export interface Calls {
  /** Counts a call while it is in progress. Returns the same call. */
  note<T>(call: Promise<T>): Promise<T>;
  /** Resolves when no call is in progress, including calls that began meanwhile; rejects with the first failure. */
  ended(): Promise<readonly unknown[]>;
}

export function makeCalls(): Calls {
  const calls = new Set<Promise<unknown>>();
  return {
    note(call) {
      const forget = (): void => void calls.delete(call);
      calls.add(call);
      call.then(forget, forget);
      return call;
    },
    async ended() {
      const errors: unknown[] = [];
      while (calls.size > 0) {
        for (const call of await Promise.allSettled(calls)) {
          if (call.status === 'rejected') errors.push(call.reason);
        }
      }
      return errors;
    },
  };
}

/** Resolves when all have ended; rejects with the first failure. */
export async function settleAll(calls: Iterable<Promise<unknown>>): Promise<void> {
  const ends = await Promise.allSettled(calls);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
