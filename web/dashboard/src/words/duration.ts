/** Durations and rates for people: `4 ms`, `1.2 s`, `13 min`; `2.5 a minute`, `7 a day`. */

import { number } from './number.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** To a tenth below 10, otherwise whole. */
const short = (value: number): string =>
  number(value < 10 ? Math.round(value * 10) / 10 : Math.round(value));

export function duration(ms: number | null): string {
  if (ms === null) return '—';
  if (ms < SECOND_MS) return `${short(ms)} ms`;
  if (ms < MINUTE_MS) return `${number(Math.round(ms / 100) / 10)} s`;
  return ms < HOUR_MS ? `${short(ms / MINUTE_MS)} min` : `${short(ms / HOUR_MS)} h`;
}

const SPANS = [
  ['a minute', 1],
  ['an hour', 60],
  ['a day', 1_440],
] as const;

/** In the shortest span that has at least one of them. */
export function rate(count: number, minutes: number): string {
  if (count === 0) return '0 a minute';
  const each = count / minutes;
  const [span, length] = SPANS.find(([, minutesOf]) => each * minutesOf >= 1) ?? SPANS[2];
  return `${short(each * length)} ${span}`;
}
