/** When a delivery that failed is retried, and when an endpoint is given up (rule E2). */

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

const FIRST_GAP_MS = 10 * SECOND_MS;
/** All gaps together, whatever their number: the endpoint has about a day to come back. */
const SPAN_MS = DAY_MS;
/** Each gap is up to so much shorter or longer, so that what failed together is not tried together. */
const JITTER = 0.1;
/** An endpoint's own `Retry-After` counts up to here. */
const RETRY_AFTER_MS_MAX = HOUR_MS;
/** An endpoint that has done nothing but fail for so long is switched off. */
const FAILING_MS_MAX = 3 * DAY_MS;
/** Failures in a row after which an endpoint is asked ever more rarely whether it is back. */
export const DOWN_AFTER = 5;
const PROBE_MS = SECOND_MS;
const PROBE_MS_MAX = 60 * SECOND_MS;
const PROBE_DOUBLINGS_MAX = 12;
/** More than any plan has; whoever is configured for more gets these. */
const RETRIES_MAX = 50;
const RATIO_MAX = 10_000;
const BISECTIONS = 60;

/**
 * The gap after the `attempt`-th failure, in milliseconds; null when it was the last. `retries` are
 * those of the plan, `chance` is drawn from [0, 1). Gaps grow by one factor, from 10 s, and make a
 * day in all: the fewer retries, the steeper.
 */
export function retryGapMs(retries: number, attempt: number, chance: number): number | null {
  const count = Math.min(retries, RETRIES_MAX);
  if (attempt > count) return null;
  const factor = growth(count);
  let gap = FIRST_GAP_MS;
  for (let i = 1; i < attempt; i++) gap *= factor;
  return Math.round(gap * (1 - JITTER + 2 * JITTER * chance));
}

/** The factor by which `retries` gaps from the first on sum up to the span. */
function growth(retries: number): number {
  let low = 1;
  let high = RATIO_MAX;
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (low + high) / 2;
    if (sumOfGaps(retries, middle) < SPAN_MS) low = middle;
    else high = middle;
  }
  return low;
}

function sumOfGaps(retries: number, factor: number): number {
  let gap = FIRST_GAP_MS;
  let sum = 0;
  for (let i = 0; i < retries && sum < SPAN_MS; i++) {
    sum += gap;
    gap *= factor;
  }
  return sum;
}

/** How long an endpoint that asked to be left alone is: its own word, within bounds. */
export function pauseMs(askedMs: number): number {
  return Math.min(RETRY_AFTER_MS_MAX, Math.max(0, askedMs));
}

/** How long an endpoint rests after so many failures in a row: ever longer, up to `max`. */
export function probeMs(failures: number, max: number = PROBE_MS_MAX): number {
  const doublings = failures - DOWN_AFTER;
  if (doublings < 0) return 0;
  return Math.min(max, PROBE_MS * 2 ** Math.min(doublings, PROBE_DOUBLINGS_MAX));
}

/** Has the endpoint failed for so long that it is switched off? Null: its last answer was right. */
export function isHopeless(failingSince: number | null, now: number): boolean {
  return failingSince !== null && now - failingSince >= FAILING_MS_MAX;
}
