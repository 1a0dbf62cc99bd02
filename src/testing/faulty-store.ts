/** A store whose commits go wrong when a test says so; everything else is the store it wraps. */

import type { CommitOutcome, CoreStore, MatchCommit } from '../store/store.ts';

/** What befalls one commit. */
export type CommitFault =
  /** It is written, and nobody can say so. */
  | 'unknown_committed'
  /** It is not written, and nobody can say so. */
  | 'unknown_lost'
  /** It is not written, and that is said as if somebody else had been first. */
  | 'conflict'
  /** It is written, and the answer waits until `release`. */
  | 'held'
  /** It is not written, and that nobody can say so waits until `release`. */
  | 'held_lost';

/** The faults to come, shared between a test and its store. */
export interface Faults {
  /** Befall the next commits in this order, one each; those after them go well. */
  readonly next: CommitFault[];
  /** Does reading a session fail? */
  failLoads: boolean;
  /** Does putting to sleep fail? */
  failSleeps: boolean;
  /** Answers that are held back. */
  readonly held: (() => void)[];
}

export function makeFaults(): Faults {
  return { next: [], failLoads: false, failSleeps: false, held: [] };
}

/** Gives all answers that were held back, in order. */
export function release(faults: Faults): void {
  for (const answer of faults.held.splice(0)) answer();
}

export function makeFaultyStore(store: CoreStore, faults: Faults): CoreStore {
  return {
    ...store,
    commit(commit, done) {
      const fault = faults.next.shift();
      if (fault === undefined) store.commit(commit, done);
      else befall(store, faults, fault, commit, done);
    },
    loadSession(id) {
      return faults.failLoads
        ? Promise.reject(new Error('the store cannot be read'))
        : store.loadSession(id);
    },
    sleep(sessions) {
      return faults.failSleeps
        ? Promise.reject(new Error('the store cannot be written'))
        : store.sleep(sessions);
    },
  };
}

function befall(
  store: CoreStore,
  faults: Faults,
  fault: CommitFault,
  commit: MatchCommit,
  done: (outcome: CommitOutcome) => void,
): void {
  switch (fault) {
    case 'unknown_committed':
      store.commit(commit, () => done('unknown'));
      return;
    case 'unknown_lost':
      setImmediate(done, 'unknown');
      return;
    case 'conflict':
      setImmediate(done, 'conflict');
      return;
    case 'held':
      store.commit(commit, (outcome) => faults.held.push(() => done(outcome)));
      return;
    case 'held_lost':
      faults.held.push(() => done('unknown'));
      return;
  }
}
