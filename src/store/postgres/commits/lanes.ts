/**
 * Group commit over a few connections: what has gathered while they were busy goes together. Work on
 * one session is done in the order in which it came, one at a time.
 */

/** Some work on one session. */
export interface Item {
  readonly session: string;
  /** Called once when it is done; what comes after it with its session need not wait for the rest of its batch. */
  readonly done: (outcome: never) => void;
}

export interface LaneOptions<T extends Item> {
  /** So many batches may be under way at a time. */
  readonly lanes: number;
  /** So many items make a full batch. */
  readonly batchMax: number;
  /**
   * While a batch is under way fewer than so many wait for its end, to cost one statement together; or
   * until the first of them has waited for `waitMs`. 1 for those who do not.
   */
  readonly batchMin: number;
  readonly waitMs: number;
  /** Does a batch, of different sessions, and tells each. Must not reject. Who is not told `done` has failed. */
  readonly work: (batch: readonly T[]) => Promise<void>;
}

export interface Lanes<T extends Item> {
  push(item: T): void;
}

/** Whoever throws when told must not keep the others from being told. */
export function callSafely<T>(done: (result: T) => void): (result: T) => void {
  return (result) => {
    try {
      done(result);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}

/** Which sessions are being worked on: one for all the lanes of a store. */
export interface Turns {
  /** Calls `begin` when nothing that came before is left to be done with the session; `leave` counts once. */
  enter(session: string, begin: (leave: () => void) => void): void;
  /** Resolves when nothing is left to be done with any session. */
  settled(): Promise<void>;
}

export function makeTurns(): Turns {
  /** Who waits behind whoever has the turn. */
  const behind = new Map<string, (() => void)[]>();
  let settling: (() => void)[] = [];
  const leave = (session: string): void => {
    const next = behind.get(session)?.shift();
    if (next !== undefined) {
      next();
      return;
    }
    behind.delete(session);
    if (behind.size > 0) return;
    for (const resolve of settling) resolve();
    settling = [];
  };
  return {
    enter(session, begin) {
      let hasLeft = false;
      const start = (): void =>
        begin(() => {
          if (hasLeft) return;
          hasLeft = true;
          leave(session);
        });
      const waiting = behind.get(session);
      if (waiting !== undefined) {
        waiting.push(start);
        return;
      }
      behind.set(session, []);
      start();
    },
    settled: () =>
      behind.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            settling.push(resolve);
          }),
  };
}

export function makeLanes<T extends Item>(
  turns: Turns,
  { lanes, batchMax, batchMin, waitMs, work }: LaneOptions<T>,
): Lanes<T> {
  let queue: { readonly item: T; readonly leave: () => void }[] = [];
  let underWay = 0;
  let isScheduled = false;
  /** Rings when the first of those who wait has waited for long enough; null while nobody does. */
  let patience: ReturnType<typeof setTimeout> | null = null;
  /** Later in this turn of the event loop others may come, who then go along. */
  const schedule = (): void => {
    if (isScheduled || underWay >= lanes || queue.length === 0) return;
    if (underWay === 0 || queue.length >= batchMin) startSoon();
    else patience ??= setTimeout(startSoon, waitMs);
  };
  const startSoon = (): void => {
    if (patience !== null) clearTimeout(patience);
    patience = null;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      start();
    });
  };
  const start = (): void => {
    const batch = queue.slice(0, batchMax);
    queue = queue.slice(batchMax);
    underWay += 1;
    void work(batch.map(({ item }) => item)).finally(() => {
      underWay -= 1;
      for (const { leave } of batch) leave();
      schedule();
    });
    schedule();
  };
  return {
    push(item) {
      turns.enter(item.session, (leave) => {
        const done = (outcome: never): void => {
          leave();
          item.done(outcome);
        };
        queue.push({ item: { ...item, done }, leave });
        schedule();
      });
    },
  };
}
