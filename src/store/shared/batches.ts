/** What a store reports about its group commit, for metrics and traces. */

/** One finished transaction, successful or not. */
export interface CommitBatch {
  /** How many writes it has. */
  readonly size: number;
  /** Times of `performance.now`, ms. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The `traceparent` of each commit that belongs to a trace. */
  readonly traces: readonly string[];
}

/** Must not throw. */
export type OnBatch = (batch: CommitBatch) => void;
