/** The events that the match sends to its host, newest first. */

import type { EmbedEvent } from '../../../sdk/src/embed/index.ts';
import { find, make } from './find.ts';

export interface EventLog {
  add(event: EmbedEvent): void;
  clear(): void;
}

const EVENTS_MAX = 60;

export function makeEventLog(): EventLog {
  const list = find<HTMLOListElement>('events');
  const outcome = find('outcome');
  // It scrolls, so it must be reachable by keyboard.
  list.tabIndex = 0;
  return {
    add(event) {
      const first = list.firstElementChild as HTMLElement | null;
      // A resized match reports its size many times a second: only the last one is listed.
      const isSame = event.type === 'resize' && first?.dataset['type'] === 'resize';
      const line = makeLine(event);
      if (isSame) first.replaceWith(line);
      else list.prepend(line);
      if (list.childElementCount > EVENTS_MAX) list.lastElementChild?.remove();
      if (event.type === 'ended') {
        outcome.textContent = `Over: ${describeResult(event.result)}. Your backend hears it by webhook, and believes only that.`;
        outcome.hidden = false;
      }
    },
    clear() {
      list.replaceChildren();
      outcome.hidden = true;
    },
  };
}

function makeLine(event: EmbedEvent): HTMLLIElement {
  const time = make('time', '', new Date().toTimeString().slice(0, 8));
  const line = make('li', '', time, make('code', '', event.type), ' ', describe(event));
  line.dataset['type'] = event.type;
  return line;
}

function describe(event: EmbedEvent): string {
  switch (event.type) {
    case 'ready':
      return 'the match is there and listens';
    case 'connection':
      return event.status;
    case 'state': {
      const turn = event.turn === null ? '' : `, seat ${event.turn} to move`;
      return event.status + turn;
    }
    case 'ended':
      return describeResult(event.result);
    case 'rematchAgreed':
      return 'all players want a rematch';
    case 'resize':
      return `${Math.round(event.height)} px high`;
    case 'error':
      return event.code;
  }
}

function describeResult(result: unknown): string {
  const { winner, reason } = result as { readonly winner: string | null; readonly reason: string };
  const by = reason.replaceAll('_', ' ');
  return winner === null ? `nobody won, by ${by}` : `${winner} won by ${by}`;
}
