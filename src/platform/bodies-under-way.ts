/** Request bodies in flight: each has a time limit, and their number is bounded. */

/** Time for a body to arrive completely, in seconds; slower ones are aborted. */
export const BODY_TIMEOUT_S = 15;
/** Bodies in flight: with the largest of each, all the memory they can take. */
const BODIES_MAX = 2_048;
/** How often slow bodies are looked for, in ms. */
const ROUND_MS = 1_000;

/** A body that is awaited. */
export interface AwaitedBody {
  /** The round in which it began. */
  readonly begunIn: number;
  /** Tells its reader to stop waiting. */
  readonly giveUp: () => void;
}

export interface BodiesUnderWay {
  /** Adds one; above the maximum the oldest is aborted, because honest clients send theirs at once. */
  add(giveUp: () => void): AwaitedBody;
  /** It has arrived, or will not. */
  delete(body: AwaitedBody): void;
  /** Resolves when none is awaited, and those that arrived have been passed on. */
  ended(): Promise<void>;
  stop(): void;
}

export function watchBodies(bodiesMax = BODIES_MAX, roundMs = ROUND_MS): BodiesUnderWay {
  /** Oldest first. */
  const bodies = new Set<AwaitedBody>();
  let round = 0;
  /** Waiting for the last one. */
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
        // A body is passed on in the turn in which it arrives.
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
    stop: () => clearInterval(timer),
  };
}
