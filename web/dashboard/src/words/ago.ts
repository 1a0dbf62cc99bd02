/** How long ago something was, in words. */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });

/** `ms` is negative for the past. */
export function ago(ms: number): string {
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return relative.format(Math.round(ms / 1_000), 'second');
  if (size < HOUR_MS) return relative.format(Math.round(ms / MINUTE_MS), 'minute');
  if (size < 2 * DAY_MS) return relative.format(Math.round(ms / HOUR_MS), 'hour');
  return relative.format(Math.round(ms / DAY_MS), 'day');
}
