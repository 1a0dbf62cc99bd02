/** Times and numbers as people read them. */

import { el, withAttributes } from './dom.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const numbers = new Intl.NumberFormat('en');

/** How long ago; the exact time is one hover or one look by a screen reader away. */
export function time(iso: string | null, never = 'never'): HTMLElement {
  if (iso === null) return el('span', 'muted', never);
  const at = Date.parse(iso);
  return withAttributes(el('time', '', ago(at - Date.now())), {
    datetime: iso,
    title: exact.format(at),
  });
}

/** Rows that did not change stay as they are; how long ago they were does not. */
export function refreshTimes(): void {
  for (const element of document.querySelectorAll<HTMLTimeElement>('time:not([data-live])')) {
    const words = ago(Date.parse(element.dateTime) - Date.now());
    if (element.textContent !== words) element.textContent = words;
  }
}

/** In words; `ms` is negative for what has passed. */
export function ago(ms: number): string {
  const size = Math.abs(ms);
  if (size < MINUTE_MS) return relative.format(Math.round(ms / 1_000), 'second');
  if (size < HOUR_MS) return relative.format(Math.round(ms / MINUTE_MS), 'minute');
  if (size < 2 * DAY_MS) return relative.format(Math.round(ms / HOUR_MS), 'hour');
  return relative.format(Math.round(ms / DAY_MS), 'day');
}

export function exactTime(iso: string): string {
  return exact.format(Date.parse(iso));
}

export function number(value: number): string {
  return numbers.format(value);
}
