/** Which answers are worth another try, and after how long (rule H6). */

/** A service that asks to be left alone for longer is not waited for. Milliseconds. */
const RETRY_AFTER_MS_MAX = 60_000;
/** The first wait and the longest one where the answer names none. Milliseconds. */
const WAIT_FIRST_MS = 300;
const WAIT_MAX_MS = 8_000;
/** The most that a wait is extended, so that not all clients return at once. A part of the wait. */
const LATE_PART = 0.2;

/** Statuses that say nothing about the request itself. 409 is one for a repeat that overtook. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** `status` is 0 without an answer. */
export function isPassing(status: number, code: string): boolean {
  return status === 0 || PASSING.has(status) || code === 'idempotency_in_progress';
}

/**
 * How long to wait before the next try, `attempt` being 0 for the first; null when it is not worth
 * it. `random` is 0 to 1.
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
