/** Which responses are retried, and after how long (rule H6). */

/** A longer `Retry-After` is not waited for. Milliseconds. */
const RETRY_AFTER_MS_MAX = 60_000;
/** The first wait and the longest one without `Retry-After`. Milliseconds. */
const WAIT_FIRST_MS = 300;
const WAIT_MAX_MS = 8_000;
/** Maximum jitter as a share of the wait, so that clients do not retry all at once. */
const LATE_PART = 0.2;

/** Transient statuses. 409 is one for a retry that overtook the first attempt. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** `status` is 0 without a response. */
export function isPassing(status: number, code: string): boolean {
  return status === 0 || PASSING.has(status) || code === 'idempotency_in_progress';
}

/**
 * How long to wait before the next attempt; `attempt` is 0 for the first. Null if it is not worth
 * waiting. `random` is 0 to 1.
 */
export function waitBeforeRetry(
  attempt: number,
  retryAfterMs: number | null,
  random: number,
): number | null {
  if (retryAfterMs !== null) {
    return retryAfterMs > RETRY_AFTER_MS_MAX ? null : retryAfterMs * (1 + LATE_PART * random);
  }
  const wait = Math.min(WAIT_MAX_MS, WAIT_FIRST_MS * 2 ** attempt);
  return wait * (0.5 + random / 2);
}

/** `Retry-After` in milliseconds: whole seconds, or a date as proxies write it. */
export function parseRetryAfter(text: string | null, now: number): number | null {
  if (text === null || text.trim() === '') return null;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
