/** Calls that are under way: who ends waits for them. */

export interface Calls {
  /** Counts a call for as long as it is under way. The same call is answered. */
  note<T>(call: Promise<T>): Promise<T>;
  /** Ends once none is under way, those with them that began meanwhile; with what failed ones failed with. */
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

/** Ends when all have ended; then rejects, if some failed, with what the first of them failed with. */
export async function settleAll(calls: Iterable<Promise<unknown>>): Promise<void> {
  const ends = await Promise.allSettled(calls);
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
