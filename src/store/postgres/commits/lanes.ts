/**
 * Group commit over a few connections: items that collect while all are busy go together. Work on
 * one session is serialized, in the order in which it came.
 */

/** A piece of work on one session. */
export interface Item {
  readonly session: string;
  /** Called once when it is done. The session's next item need not wait for the rest of the batch. */
  readonly done: (outcome: never) => void;
}

export interface LaneOptions<T extends Item> {
  /** How many batches may run at a time. */
  readonly lanes: number;
  /** How many items make a full batch. */
  readonly batchMax: number;
  /**
   * While a batch runs, fewer than this many items wait for its end, to cost one statement
   * together; or until the first has waited for `waitMs`. 1 for no wait.
   */
  readonly batchMin: number;
  readonly waitMs: number;
  /**
   * Performs a batch, of different sessions, and reports each result. Must not reject. An item
   * whose `done` is not called has failed.
   */
  readonly work: (batch: readonly T[]) => Promise<void>;
}

export interface Lanes<T extends Item> {
  push(item: T): void;
}

/** A callback that throws must not keep others from being called. */
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

/** Which sessions are being worked on: shared by all lanes of a store. */
export interface Turns {
  /** Calls `begin` when all earlier work on the session is done; only the first call of `leave` counts. */
  enter(session: string, begin: (leave: () => void) => void): void;
  /** Resolves when no session has work left. */
  settled(): Promise<void>;
}

export function makeTurns(): Turns {
  /** The callers who wait for a session's turn. */
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
  /** Fires when the first waiting item has waited long enough; null while none waits. */
  let patience: ReturnType<typeof setTimeout> | null = null;
  /** Later in this turn of the event loop, so that more items can join. */
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
