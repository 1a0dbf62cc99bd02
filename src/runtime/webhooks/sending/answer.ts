/** What an endpoint's answer means for a delivery (rule E2). */

import { pauseMs } from '../../../webhooks/schedule.ts';
import type { SendResult } from './sender.ts';

/** `gone`: the endpoint wants no more events. */
export type Verdict =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'gone' }
  /** `restMs`: how long the endpoint asks to be left alone. */
  | { readonly kind: 'failed'; readonly error: string; readonly restMs: number };

const SECOND_MS = 1_000;
const GONE = 410;
/** Statuses whose `Retry-After` counts. */
const BUSY: ReadonlySet<number> = new Set([429, 503]);

/** `now` is ms since 1970. */
export function judge(result: SendResult, now: number): Verdict {
  if ('error' in result) return { kind: 'failed', error: result.error, restMs: 0 };
  const { status, retryAfter } = result;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  if (status === GONE) return { kind: 'gone' };
  const restMs = BUSY.has(status) ? pauseMs(parseRetryAfter(retryAfter, now)) : 0;
  // A redirect is not followed: its target was not registered.
  const error = status >= 300 && status < 400 ? 'redirected' : 'status_not_2xx';
  return { kind: 'failed', error, restMs };
}

/** Seconds or a date; 0 when missing or invalid. */
function parseRetryAfter(value: string | null, now: number): number {
  if (value === null) return 0;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS;
  const at = Date.parse(text);
  return Number.isNaN(at) ? 0 : at - now;
}
