/** Values that a record drew from the match's seed, in words (rule S9). */

import type { Chance } from '../types.ts';

type Draws = Chance['draws'];

/** More are counted, not listed: a rack or a deck. */
const LISTED_MAX = 6;

/** `6, 3`: ludo draws a number below 6 for each roll. */
export function diceWords(draws: Draws): string {
  return draws.map(([, value]) => value + 1).join(', ');
}

/** `; random value 3 of 0 to 9`, after the event; empty if nothing was drawn. */
export function chanceWords(draws: Draws): string {
  const [first] = draws;
  if (first === undefined) return '';
  if (draws.length > LISTED_MAX) return `; ${draws.length} random values`;
  const [range] = first;
  if (draws.every(([below]) => below === range)) {
    const values = draws.map(([, value]) => value).join(', ');
    return `; random ${draws.length === 1 ? 'value' : 'values'} ${values} of 0 to ${range - 1}`;
  }
  return `; random values ${draws.map(([below, value]) => `${value} of 0 to ${below - 1}`).join(', ')}`;
}
