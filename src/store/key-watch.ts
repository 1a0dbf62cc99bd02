/** The port to each key's usual use, and the alerts on unusual use (rule K6). */

import type { NewEvent } from '../events/event.ts';
import type { KeyAlertKind, KeyFacts } from '../tenancy/key-alert.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { AuditRow } from './store.ts';

/** What one process saw of a key since its last report. */
export interface NotedKeyUse {
  readonly tenant: string;
  readonly key: string;
  readonly requests: number;
  /** Requests answered with 403 or 404. */
  readonly refused: number;
  /** Keyed digests of the networks that used the key. No address is stored. */
  readonly networks: readonly string[];
}

export interface KeyAlertRow {
  /** The id of its event. */
  readonly id: string;
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly key: string;
  readonly kind: KeyAlertKind;
  /** `2026-11-21`, UTC: a key gets at most one alert of a kind per day. */
  readonly day: string;
  /** Ms since 1970. */
  readonly at: number;
  /** Details as JSON. */
  readonly details: string;
}

export interface KeyWatchStore {
  /**
   * Adds to the counts of the hour of `at` and stores new networks, up to `networksMax` per key.
   * Each key once. Returns what is known of each key now, over all processes.
   */
  noteKeyUses(
    uses: readonly NotedKeyUse[],
    at: number,
    networksMax: number,
  ): Promise<readonly KeyFacts[]>;
  /** Stores an alert and its event in one commit. False when there is one of the same kind and day. */
  raiseKeyAlert(alert: KeyAlertRow, event: NewEvent): Promise<boolean>;
  /** Alerts that nobody has acknowledged, newest first. */
  listKeyAlerts(tenant: string, mode: KeyMode, limit: number): Promise<readonly KeyAlertRow[]>;
  /** False when there is no such open alert. */
  acknowledgeKeyAlert(
    tenant: string,
    mode: KeyMode,
    id: string,
    at: number,
    audit: AuditRow,
  ): Promise<boolean>;
  /** Removes older hours, networks and alerts. Times in ms since 1970; returns how many rows. */
  removeKeyWatch(before: { readonly hours: number; readonly rest: number }): Promise<number>;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The hour of a time, counted since 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

/** The hours that define usual use, and how many make a day. */
export const USUAL_HOURS = 7 * 24;
export const HOURS_A_DAY = DAY_MS / HOUR_MS;
