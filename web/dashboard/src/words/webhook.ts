/** An endpoint's health from its latest requests, and its failures in words. */

import type { WebhookDelivery as Attempt } from '../../../../sdk/src/generated/api.ts';

export type { Attempt };

export interface Health {
  readonly requests: number;
  readonly delivered: number;
  /** For requests with a response; null for none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

export function healthOf(attempts: readonly Attempt[]): Health {
  const delivered = attempts.filter(({ outcome }) => outcome === 'delivered').length;
  const times = attempts
    .filter(({ status }) => status !== null)
    .map(({ durationMs }) => durationMs)
    .toSorted((a, b) => a - b);
  return {
    requests: attempts.length,
    delivered,
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
  };
}

/** The smallest value that is not exceeded by that share. `sorted` ascends. */
function percentile(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null;
}

/** Whole percent; 100 and 0 only if exact. Null without a request. */
export function successPercent({ requests, delivered }: Health): number | null {
  if (requests === 0) return null;
  const percent = Math.round((100 * delivered) / requests);
  if (percent === 100 && delivered < requests) return 99;
  return percent === 0 && delivered > 0 ? 1 : percent;
}

/** `96 % of 200`. */
export function successWords(health: Health): string {
  const percent = successPercent(health);
  return percent === null ? 'no requests yet' : `${percent} % of ${health.requests}`;
}

const ERRORS: Readonly<Record<string, string>> = {
  status_not_2xx: 'not a 2xx status',
  timeout: 'no answer within 15 s',
  connection_failed: 'connection failed',
  name_not_found: 'host name not found',
  address_not_allowed: 'address is not allowed',
  secret_lost: 'the secret is lost: rotate it',
};

export function errorWords(error: string): string {
  return ERRORS[error] ?? error.replaceAll('_', ' ');
}

/** `Delivered: 204` or `Not delivered: 500, not a 2xx status`. */
export function outcomeWords({ status, error }: Pick<Attempt, 'status' | 'error'>): string {
  if (error === null) return `Delivered: ${status}`;
  return `Not delivered: ${status === null ? '' : `${status}, `}${errorWords(error)}`;
}

/** Events of these attempts whose latest attempt failed, newest first; tests left out. */
export function undelivered(attempts: readonly Attempt[]): readonly string[] {
  const latest = new Map<string, Attempt>();
  for (const each of attempts) if (!latest.has(each.eventId)) latest.set(each.eventId, each);
  return [...latest.values()]
    .filter(({ outcome, type }) => outcome !== 'delivered' && isResendable(type))
    .map(({ eventId }) => eventId);
}

/** Nothing is stored for a test, so it cannot be resent. */
export function isResendable(type: string): boolean {
  return type !== 'webhook.test';
}
