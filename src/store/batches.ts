/** What a store says of its group commit, for metrics and traces. */

/** One transaction that has been answered, well or not. */
export interface CommitBatch {
  /** Writes in it. */
  readonly size: number;
  /** Times of `performance.now`, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Must not throw. */
export type OnBatch = (batch: CommitBatch) => void;
