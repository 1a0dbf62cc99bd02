/** A store whose commits fail on demand; everything else is the wrapped store. */

import type { CommitOutcome, CoreStore, MatchCommit } from '../store/store.ts';

/** What happens to one commit. */
export type CommitFault =
  /** Written, with an unknown result. */
  | 'unknown_committed'
  /** Not written, with an unknown result. */
  | 'unknown_lost'
  /** Not written, reported as if another writer had been first. */
  | 'conflict'
  /** Written, but the answer waits until `release`. */
  | 'held'
  /** Not written; the unknown result waits until `release`. */
  | 'held_lost';

/** The faults to come, shared between a test and its store. */
export interface Faults {
  /** Applied to the next commits in this order, one each; the commits after them succeed. */
  readonly next: CommitFault[];
  /** Whether loading a session fails. */
  failLoads: boolean;
  /** Whether putting to sleep fails. */
  failSleeps: boolean;
  /** Answers that are held back. */
  readonly held: (() => void)[];
}

export function makeFaults(): Faults {
  return { next: [], failLoads: false, failSleeps: false, held: [] };
}

/** Releases all answers held back, in order. */
export function release(faults: Faults): void {
  for (const answer of faults.held.splice(0)) answer();
}

export function makeFaultyStore(store: CoreStore, faults: Faults): CoreStore {
  return {
    ...store,
    commit(commit, done) {
      const fault = faults.next.shift();
      if (fault === undefined) store.commit(commit, done);
      else applyFault(store, faults, fault, commit, done);
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

function applyFault(
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
