/** Watchers of a session on other nodes: each node sends changes once a second. */

import type { ForAll } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface WatchCounts {
  /** Watchers of a session on the other nodes, as last reported. */
  elsewhere(session: string): number;
  receive(from: string, item: Extract<ForAll, { t: 'watched' }>): void;
  /** The link to a node broke: it gets all counts again. */
  linkLost(node: string): void;
  dead(node: string): void;
  maintain(): void;
}

export interface WatchCountDeps {
  readonly outbox: Outbox;
  others(): readonly string[];
  /** Watchers here, by session; none when nobody watches. */
  here(): ReadonlyMap<string, number>;
}

type Counts = Map<string, number>;

export function makeWatchCounts({ outbox, others, here }: WatchCountDeps): WatchCounts {
  /** What each node reported, and what it was sent. */
  const said = new Map<string, Counts>();
  const told = new Map<string, Counts>();
  return {
    elsewhere(session) {
      let sum = 0;
      for (const counts of said.values()) sum += counts.get(session) ?? 0;
      return sum;
    },
    receive(from, { isAll, counts }) {
      const known = isAll ? new Map<string, number>() : (said.get(from) ?? new Map());
      said.set(from, known);
      for (const [session, count] of Object.entries(counts)) {
        if (count === 0) known.delete(session);
        else known.set(session, count);
      }
    },
    linkLost: (node) => void told.delete(node),
    dead(node) {
      said.delete(node);
      told.delete(node);
    },
    maintain() {
      const now = here();
      for (const node of others()) {
        const before = told.get(node);
        const counts = changesFrom(before ?? new Map(), now);
        if (before !== undefined && Object.keys(counts).length === 0) continue;
        told.set(node, new Map(now));
        outbox.put(node, { t: 'watched', isAll: before === undefined, counts });
      }
    },
  };
}

/** Changed counts; 0 for sessions without watchers any more. */
function changesFrom(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): Record<string, number> {
  const changes: Record<string, number> = {};
  for (const [session, count] of now) {
    if (before.get(session) !== count) changes[session] = count;
  }
  for (const session of before.keys()) if (!now.has(session)) changes[session] = 0;
  return changes;
}
