/** Announces events to screen readers: one polite region and one assertive. */

import { h } from './dom.ts';

/** Sentences within this time are announced together. Milliseconds. */
const GATHER_MS = 120;

export interface Announcer {
  readonly element: HTMLElement;
  announce(text: string): void;
  /** At once, interrupting the current announcement. */
  interrupt(text: string): void;
  /** The assertive text is outdated: it must not be read later. */
  withdraw(): void;
}

export function makeAnnouncer(): Announcer {
  const polite = h('div', { 'aria-live': 'polite', role: 'status' });
  const urgent = h('div', { 'aria-live': 'assertive', role: 'alert' });
  let gathered: string[] = [];
  return {
    element: h('div', { class: 'only-heard' }, polite, urgent),
    announce(text) {
      if (gathered.length === 0) {
        setTimeout(() => {
          polite.textContent = gathered.join(' ');
          gathered = [];
        }, GATHER_MS);
      }
      gathered.push(/[.!?…।]$/.test(text) ? text : `${text}.`);
    },
    interrupt(text) {
      // A repeated sentence has to differ from the previous text to be announced again.
      urgent.textContent = urgent.textContent === text ? `${text}\u00a0` : text;
    },
    withdraw() {
      urgent.textContent = '';
    },
  };
}
