/** Threads that play rounds of a ladder, so that both processors work and the command can be stopped. */

import { Worker } from 'node:worker_threads';
import type { Round, RoundTask } from './ladder-round.ts';

export interface Crew {
  /** How many rounds are played at once. */
  readonly size: number;
  /**
   * Rejects when a round cannot be played. A round not begun before `drop` or `close` never
   * settles.
   */
  play(task: RoundTask): Promise<Round>;
  /** Forgets the rounds that are not begun. */
  drop(): void;
  close(): Promise<void>;
}

const WORKER = new URL('./ladder-worker.ts', import.meta.url);

interface Job {
  readonly task: RoundTask;
  readonly done: PromiseWithResolvers<Round>;
}

interface Hand {
  readonly worker: Worker;
  job: Job | null;
}

export function makeCrew(size: number): Crew {
  const waiting: Job[] = [];
  const hands: Hand[] = [];

  const next = (hand: Hand): void => {
    hand.job = waiting.shift() ?? null;
    if (hand.job !== null) hand.worker.postMessage(hand.job.task);
  };
  const makeHand = (): Hand => {
    const hand: Hand = { worker: new Worker(WORKER), job: null };
    hand.worker.on('message', (round: Round) => {
      hand.job?.done.resolve(round);
      next(hand);
    });
    hand.worker.on('error', (error) => hand.job?.done.reject(error));
    hand.worker.on('exit', () => hand.job?.done.reject(new Error('A thread has ended')));
    return hand;
  };

  return {
    size,
    play(task) {
      const done = Promise.withResolvers<Round>();
      // A caller that no longer waits for this one need not learn of its failure.
      done.promise.catch(() => {});
      waiting.push({ task, done });
      const free = hands.find(({ job }) => job === null);
      if (free !== undefined) next(free);
      else if (hands.length < size) {
        const hand = makeHand();
        hands.push(hand);
        next(hand);
      }
      return done.promise;
    },
    drop: () => void waiting.splice(0),
    async close() {
      waiting.splice(0);
      await Promise.all(hands.map(({ worker }) => worker.terminate()));
    },
  };
}
