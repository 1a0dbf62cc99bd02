/** The port to what is known of each key's usual use, and the alerts on what is not (rule K6). */

import type { NewEvent } from '../events/event.ts';
import type { KeyAlertKind, KeyFacts } from '../tenancy/key-alert.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow } from './store.ts';

/** What one process saw of a key since it last looked. */
export interface NotedKeyUse {
  readonly tenant: string;
  readonly key: string;
  readonly requests: number;
  /** Those of them that were answered with 403 or 404. */
  readonly refused: number;
  /** Keyed digests of the networks that it came from; no address is kept. */
  readonly networks: readonly string[];
}

export interface KeyAlertRow {
  /** That of its event. */
  readonly id: string;
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly key: string;
  readonly kind: KeyAlertKind;
  /** `2026-11-21`, UTC: a key has one of a kind a day. */
  readonly day: string;
  /** Ms since 1970. */
  readonly at: number;
  /** JSON of its details. */
  readonly details: string;
}

export interface KeyWatchStore {
  /**
   * Adds to the counts of the hour of `at`, and the networks that are new, `networksMax` a key at most.
   * Each key once. Answers what is known of each by then, over all processes.
   */
  noteKeyUses(
    uses: readonly NotedKeyUse[],
    at: number,
    networksMax: number,
  ): Promise<readonly KeyFacts[]>;
  /** Keeps an alert and writes its event in one commit. False where there is one of its kind and day. */
  raiseKeyAlert(alert: KeyAlertRow, event: NewEvent): Promise<boolean>;
  /** Those that nobody has acknowledged, newest first. */
  listKeyAlerts(tenant: string, mode: KeyMode, limit: number): Promise<readonly KeyAlertRow[]>;
  /** False where there is no such alert that is still open. */
  acknowledgeKeyAlert(
    tenant: string,
    mode: KeyMode,
    id: string,
    at: number,
    audit: AuditRow,
  ): Promise<boolean>;
  /** Removes what is older: hours, networks last seen, alerts. Times in ms since 1970; answers how many rows. */
  removeKeyWatch(before: { readonly hours: number; readonly rest: number }): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The hour of a moment, counted since 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** Hours that usual use is read from, and what makes a day of hours. */
export const USUAL_HOURS = 7 * 24;
export const HOURS_A_DAY = DAY_MS / HOUR_MS;
