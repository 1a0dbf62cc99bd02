/** Unusual use of a key (rule K6): pure, from counts that the store holds. */

export const KEY_ALERT_KINDS = [
  'new_network',
  'dormant_key',
  'refusals',
  'request_rate',
  'old_secret',
] as const;
export type KeyAlertKind = (typeof KEY_ALERT_KINDS)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A key's networks are learned for so long before a new one is reported. */
const LEARNING_MS = DAY_MS;
/** The maximum of stored networks of one key. A key with more has no usual one. */
export const NETWORKS_MAX = 50;
/** Of a key with more networks than this a new one says nothing. */
const NETWORKS_USUAL_MAX = 20;
const DORMANT_MS = 90 * DAY_MS;
/** Refusals in an hour from which on they are a burst, where they are half of all requests. */
const REFUSALS_MIN = 100;
/** This many times the busiest hour of the days before. */
const REFUSALS_FACTOR = 3;
const REQUESTS_MIN = 600;
const REQUESTS_FACTOR = 10;
/** A key has a usual rate once it was used on this many days before. */
const DAYS_USED_MIN = 3;
/** Before the end of a rotation's overlap. */
const OLD_SECRET_MS = HOUR_MS;

/** What one process saw of a key since its last round. */
export interface KeyUse {
  readonly key: string;
  /** Ms since 1970: now. */
  readonly at: number;
  /** When the key was used before, ms since 1970; null: never. */
  readonly lastUsedAt: number | null;
  /** When the secret that was used ends; null: it does not. */
  readonly secretExpiresAt: number | null;
}

/** What all processes know of a key, this use included. */
export interface KeyFacts {
  readonly key: string;
  /** In the hour of the use. */
  readonly requests: number;
  readonly refused: number;
  /** The most in one hour of the 7 days before that hour. */
  readonly busiestRequests: number;
  readonly busiestRefused: number;
  /** Days (UTC) of those 7 on which the key was used. */
  readonly daysUsed: number;
  /** Networks that were not known before this use. */
  readonly newNetworks: number;
  /** Networks known before, and when the first of them was seen; null for none. */
  readonly networksKnown: number;
  readonly firstNetworkAt: number | null;
}

export interface KeyAlert {
  readonly kind: KeyAlertKind;
  /** Figures for people, by name. */
  readonly details: Readonly<Record<string, number | string>>;
}

/** In the order of `KEY_ALERT_KINDS`. */
export function findKeyAlerts(use: KeyUse, facts: KeyFacts): readonly KeyAlert[] {
  const { requests, refused, busiestRequests, busiestRefused } = facts;
  const alerts: KeyAlert[] = [];
  if (isNewNetwork(use, facts)) {
    alerts.push({ kind: 'new_network', details: { networksKnown: facts.networksKnown } });
  }
  if (use.lastUsedAt !== null && use.at - use.lastUsedAt >= DORMANT_MS) {
    const lastUsedAt = new Date(use.lastUsedAt).toISOString();
    alerts.push({ kind: 'dormant_key', details: { lastUsedAt } });
  }
  const isBurst = refused >= REFUSALS_MIN && refused * 2 >= requests;
  if (isBurst && refused > REFUSALS_FACTOR * busiestRefused) {
    alerts.push({ kind: 'refusals', details: { refused, requests } });
  }
  const isMuch = requests >= REQUESTS_MIN && requests > REQUESTS_FACTOR * busiestRequests;
  if (isMuch && facts.daysUsed >= DAYS_USED_MIN) {
    alerts.push({ kind: 'request_rate', details: { requests, busiestHour: busiestRequests } });
  }
  if (use.secretExpiresAt !== null && use.secretExpiresAt - use.at <= OLD_SECRET_MS) {
    const endsAt = new Date(use.secretExpiresAt).toISOString();
    alerts.push({ kind: 'old_secret', details: { endsAt } });
  }
  return alerts;
}

function isNewNetwork({ at }: KeyUse, facts: KeyFacts): boolean {
  const { newNetworks, networksKnown, firstNetworkAt } = facts;
  if (newNetworks === 0 || networksKnown > NETWORKS_USUAL_MAX) return false;
  return firstNetworkAt !== null && at - firstNetworkAt >= LEARNING_MS;
}
