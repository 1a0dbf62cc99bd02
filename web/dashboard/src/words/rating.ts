/** What matches did to a rating, in words. */

import type { RatedMatch } from '../types.ts';

const OUTCOMES: Readonly<Record<RatedMatch['outcome'], string>> = {
  win: 'Won',
  loss: 'Lost',
  draw: 'Drawn',
};

export function outcomeWords(outcome: RatedMatch['outcome']): string {
  return OUTCOMES[outcome];
}

/** With its sign, to a tenth: `+12.5`, `−3.0`, `0.0`. */
export function changeWords({ before, after }: Pick<RatedMatch, 'before' | 'after'>): string {
  const tenths = Math.round((after - before) * 10);
  const sign = tenths > 0 ? '+' : tenths < 0 ? '−' : '';
  return `${sign}${(Math.abs(tenths) / 10).toFixed(1)}`;
}

/** `matches` are the newest, the newest first, one at least; `hasOlder`: there are others. */
export function historyWords(matches: readonly RatedMatch[], hasOlder: boolean): string {
  const points = matches.flatMap(({ before, after }) => [before, after]).map(Math.round);
  const from = Math.round(matches.at(-1)!.before);
  const to = Math.round(matches[0]!.after);
  const lowest = points.reduce((a, b) => Math.min(a, b));
  const highest = points.reduce((a, b) => Math.max(a, b));
  return `from ${from} to ${to} in ${countWords(matches.length, hasOlder)}, between ${lowest} and ${highest}`;
}

function countWords(matches: number, hasOlder: boolean): string {
  if (matches === 1) return hasOlder ? 'the newest match' : '1 match';
  return `${hasOlder ? 'the newest ' : ''}${matches} matches`;
}
