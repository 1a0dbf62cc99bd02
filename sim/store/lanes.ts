/**
 * Requests that arrive while others are in progress, sent together as the next step: as the drivers
 * of the real stores do.
 */

export interface LaneLimits {
  /** How many steps may run at a time. */
  readonly lanes: number;
  /** The most requests per batch. */
  readonly batchMax: number;
}

/** `act` answers each request in order; if it fails, all of its requests do. */
export function makeLanes<Ask, Answer>(
  { lanes, batchMax }: LaneLimits,
  act: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): (ask: Ask) => Promise<Answer> {
  interface Waiting extends PromiseWithResolvers<Answer> {
    readonly ask: Ask;
  }
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isScheduled = false;
  const start = (): void => {
    isScheduled = false;
    if (underWay >= lanes || waiting.length === 0) return;
    const batch = waiting.splice(0, batchMax);
    underWay += 1;
    act(batch.map(({ ask }) => ask))
      .then(
        (answers) => {
          for (const [i, { resolve }] of batch.entries()) resolve(answers[i]!);
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      )
      .finally(() => {
        underWay -= 1;
        schedule();
      });
    schedule();
  };
  /** Writes of the same event join it. */
  const schedule = (): void => {
    if (isScheduled || underWay >= lanes || waiting.length === 0) return;
    isScheduled = true;
    queueMicrotask(start);
  };
  return (ask) => {
    const entry: Waiting = { ask, ...Promise.withResolvers<Answer>() };
    waiting.push(entry);
    schedule();
    return entry.promise;
  };
}
