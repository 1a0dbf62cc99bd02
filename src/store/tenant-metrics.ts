/**
 * The port to metrics of tenants' modes over time: small rows, per minute and node first, then per
 * longer step.
 */

import type { KeyMode } from '../tenancy/tenant.ts';
import type { StoredFigures } from '../tenant-metrics/spans.ts';

/** What one node counted in one minute. */
export interface NodeMinute {
  readonly tenant: string;
  readonly mode: KeyMode;
  /** The process that counted it, for one run. */
  readonly node: string;
  /** When the minute begins, ms since 1970. */
  readonly at: number;
  /** As `printFigures` writes them. */
  readonly figures: string;
}

/** A count in one mode: matches in play, or players. Training counts in no mode. */
export interface WorldCount {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly n: number;
}

export interface TenantMetricStore {
  /** One statement. Writing a minute again replaces it. Tenants that are being removed are skipped. */
  addMinutes(minutes: readonly NodeMinute[]): Promise<void>;
  /** All that begin at `from` or later. */
  listMetrics(tenant: string, mode: KeyMode, from: number): Promise<readonly StoredFigures[]>;
  /**
   * Adds rows of a step that begin before a time to the rows of the next longer step, or removes
   * them. Returns how many rows went: 0 when none is left. Each row is counted once, even if
   * several nodes do this at once.
   */
  foldMetrics(step: {
    readonly stepMs: number;
    /** Null removes them. */
    readonly intoMs: number | null;
    readonly before: number;
    readonly limit: number;
  }): Promise<number>;
  /** Of all modes; modes without any are left out. */
  countActive(): Promise<readonly WorldCount[]>;
  countActiveOf(tenant: string, mode: KeyMode): Promise<number>;
}
