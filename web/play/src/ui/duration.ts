/** Times as people read them off a clock. */

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;
const DAY_S = 24 * HOUR_S;

/** `0:09`, `12:30`, `1:02:03`, `2 d 4 h`. What has begun counts as a whole second. */
export function printCountdown(ms: number): string {
  return printSeconds(Math.max(0, Math.ceil(ms / SECOND_MS)));
}

/** The same for time that has passed. */
export function printElapsed(ms: number): string {
  return printSeconds(Math.max(0, Math.round(ms / SECOND_MS)));
}

function printSeconds(seconds: number): string {
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor(seconds / MINUTE_S) % MINUTE_S;
  if (seconds >= DAY_S) return `${Math.floor(seconds / DAY_S)} d ${hours % 24} h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % MINUTE_S)}`;
  return `${minutes}:${two(seconds % MINUTE_S)}`;
}
