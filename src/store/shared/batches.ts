/** What a store says of its group commit, for metrics and traces. */

/** One transaction that has been answered, well or not. */
export interface CommitBatch {
  /** Writes in it. */
  readonly size: number;
  /** Times of `performance.now`, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** Of its commits that belong to a trace, a `traceparent` each. */
  readonly traces: readonly string[];
}

/** Must not throw. */
export type OnBatch = (batch: CommitBatch) => void;
