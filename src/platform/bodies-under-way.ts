/** Bodies of requests that are still on their way: each has its time, and there are never too many. */

/** Time for a body to arrive whole, in seconds; slower ones are given up. */
export const BODY_TIMEOUT_S = 15;
/** So many may be on their way at once: with the largest of each, all the memory they can take. */
const BODIES_MAX = 2_048;
/** How often the slow are looked for, in ms. */
const ROUND_MS = 1_000;

/** A body that is awaited. */
export interface AwaitedBody {
  /** The round in which it was begun. */
  readonly begunIn: number;
  /** Tells whoever reads it to wait no longer. */
  readonly giveUp: () => void;
}

export interface BodiesUnderWay {
  /** One more; of too many the oldest is given up, as those who mean well send theirs at once. */
  add(giveUp: () => void): AwaitedBody;
  /** It is here, or will not come. */
  delete(body: AwaitedBody): void;
  /** Ends once none is awaited, and whose body came has been passed on. */
  ended(): Promise<void>;
  stop(): void;
}

export function watchBodies(bodiesMax = BODIES_MAX, roundMs = ROUND_MS): BodiesUnderWay {
  /** From the oldest on. */
  const bodies = new Set<AwaitedBody>();
  let round = 0;
  /** Whoever waits for the last. */
  let waiting: (() => void)[] = [];
  const remove = (body: AwaitedBody): void => {
    bodies.delete(body);
    if (bodies.size > 0) return;
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  const giveUp = (body: AwaitedBody): void => {
    remove(body);
    body.giveUp();
  };
  const timer = setInterval(() => {
    round += 1;
    for (const body of bodies) {
      if (round - body.begunIn <= BODY_TIMEOUT_S) break;
      giveUp(body);
    }
  }, roundMs);
  timer.unref();
  return {
    add(giveUpIt) {
      for (const oldest of bodies) {
        if (bodies.size < bodiesMax) break;
        giveUp(oldest);
      }
      const body = { begunIn: round, giveUp: giveUpIt };
      bodies.add(body);
      return body;
    },
    delete: remove,
    async ended() {
      while (bodies.size > 0) {
        await new Promise<void>((resolve) => waiting.push(resolve));
        // It is passed on in the turn in which it came.
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    stop: () => clearInterval(timer),
  };
}
