/** The port to figures of tenants' worlds over time: small rows, of minutes by node, then of longer steps. */

import type { KeyMode } from '../tenancy/tenant.ts';
import type { StoredFigures } from '../tenant-metrics/spans.ts';

/** What one node counted in one minute. */
export interface NodeMinute {
  readonly tenant: string;
  readonly mode: KeyMode;
  /** The process that counted it, from its start to its end. */
  readonly node: string;
  /** When the minute begins, ms since 1970. */
  readonly at: number;
  /** As `printFigures` writes them. */
  readonly figures: string;
}

/** How many there are in one world: matches in play, or players. Training is in no world. */
export interface WorldCount {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly n: number;
}

export interface TenantMetricStore {
  /** In one statement. A minute that a node writes again is the same; of tenants that go nothing is kept. */
  addMinutes(minutes: readonly NodeMinute[]): Promise<void>;
  /** All that begin at `from` or later. */
  listMetrics(tenant: string, mode: KeyMode, from: number): Promise<readonly StoredFigures[]>;
  /**
   * Adds rows of a step that begin before a time to those of the next step around them, or removes them. Answers
   * how many went: 0 when none is left. Whatever nodes do so at once, each row is counted once.
   */
  foldMetrics(step: {
    readonly stepMs: number;
    /** Null: they are removed. */
    readonly intoMs: number | null;
    readonly before: number;
    readonly limit: number;
  }): Promise<number>;
  /** In all worlds; those without any are left out. */
  countActive(): Promise<readonly WorldCount[]>;
  countActiveOf(tenant: string, mode: KeyMode): Promise<number>;
}
