/** Times and numbers as people read them. */

import { ago } from '../words/ago.ts';
import { el, withAttributes } from './dom.ts';

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
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

export function exactTime(iso: string): string {
  return exact.format(Date.parse(iso));
}

export function number(value: number): string {
  return numbers.format(value);
}
