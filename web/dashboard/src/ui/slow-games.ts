/** Games of the operator whose rules were slow within the last hour. */

import { fetchGames } from '../games.ts';
import type { Context } from '../page.ts';
import { el } from './dom.ts';
import { time } from './time.ts';

export interface SlowGames {
  readonly element: HTMLElement;
  refresh(): Promise<void>;
}

/** Empty as long as there are none. */
export function makeSlowGames(context: Pick<Context, 'api'>): SlowGames {
  const element = el('div', '');
  let shown = '';
  return {
    element,
    async refresh() {
      const slow = (await fetchGames(context)).flatMap(({ game, slowCalls }) =>
        slowCalls === null ? [] : [{ game, ...slowCalls }],
      );
      const text = JSON.stringify(slow);
      if (text === shown) return;
      shown = text;
      const items = slow.map(({ game, count, longestMs, lastAt }) => {
        const calls = count === 1 ? '1 call' : `${count} calls`;
        const words = `: ${calls} took longer than 50 ms, the longest ${longestMs} ms. Last `;
        return el('li', '', el('span', '', el('strong', '', game), words, time(lastAt)));
      });
      const list = el('ul', '', ...items);
      element.replaceChildren(
        ...(slow.length === 0
          ? []
          : [el('section', 'card alerts', el('h2', '', 'Games with slow rules'), list)]),
      );
    },
  };
}
