/** News for every node: sent to each live node until it has confirmed it. */

import type { Clock } from '../runtime/ports.ts';
import type { ForAll, News } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface NewsDesk {
  tell(news: News): void;
  receive(from: string, item: Extract<ForAll, { t: 'news' | 'heard' }>): void;
  /** The link to a node broke: what it has not confirmed is sent again. */
  linkLost(node: string): void;
  /** A node is gone: it needs no news any more. */
  dead(node: string): void;
  /** To be called about once a second. */
  maintain(): void;
}

export interface NewsDeps {
  readonly outbox: Outbox;
  readonly clock: Pick<Clock, 'now'>;
  /** The other nodes that live. */
  others(): readonly string[];
  /** Another node's news. Must not throw. */
  onNews(from: string, news: News): void;
}

/** A node that has just joined gets the news of this long before. */
const RECENT_MS = 5_000;
/** Unconfirmed news of one node; above this the oldest is dropped, and the node learns it from the store. */
const UNHEARD_MAX = 10_000;

interface Said {
  readonly n: number;
  readonly at: number;
  readonly news: News;
}

export function makeNewsDesk(deps: NewsDeps): NewsDesk {
  const { outbox, clock } = deps;
  /** By node, then by number. */
  const unheard = new Map<string, Map<number, News>>();
  const broken = new Set<string>();
  let recent: Said[] = [];
  let last = 0;

  const say = (node: string, n: number, news: News): void => {
    const waiting = unheard.get(node) ?? new Map<number, News>();
    unheard.set(node, waiting);
    waiting.delete(n);
    waiting.set(n, news);
    if (waiting.size > UNHEARD_MAX) waiting.delete(waiting.keys().next().value!);
    outbox.put(node, { t: 'news', n, news });
  };
  const greet = (node: string): void => {
    if (unheard.has(node)) return;
    unheard.set(node, new Map());
    for (const { n, news } of recent) say(node, n, news);
  };

  return {
    tell(news) {
      last += 1;
      const others = deps.others();
      for (const node of others) greet(node);
      recent.push({ n: last, at: clock.now(), news });
      for (const node of others) say(node, last, news);
    },
    receive(from, item) {
      if (item.t === 'heard') unheard.get(from)?.delete(item.n);
      else {
        deps.onNews(from, item.news);
        outbox.put(from, { t: 'heard', n: item.n });
      }
    },
    linkLost: (node) => void broken.add(node),
    dead(node) {
      unheard.delete(node);
      broken.delete(node);
    },
    maintain() {
      const now = clock.now();
      recent = recent.filter(({ at }) => now - at <= RECENT_MS);
      for (const node of deps.others()) greet(node);
      // Not at once: a link to a node that is gone breaks on its next use.
      for (const node of broken) {
        for (const [n, news] of [...(unheard.get(node) ?? [])]) say(node, n, news);
      }
      broken.clear();
    },
  };
}
