/** Limits that all nodes share, in memory: every call is one step. */

import type { LimitStore, PlaceAsk } from '../store/limits.ts';
import { grantOf } from '../store/limits.ts';

/** `isAlive`: does the node's lease hold? Places of others are free. */
export function makeMemoryLimits(isAlive: (node: string) => boolean = () => true): LimitStore {
  const windows = new Map<string, { readonly endsAt: number; used: number }>();
  const places = new Map<string, Map<string, number>>();
  const othersOf = ({ key, node }: PlaceAsk): number =>
    [...(places.get(key) ?? [])]
      .filter(([other]) => other !== node && isAlive(other))
      .reduce((sum, [, count]) => sum + count, 0);
  return {
    async takeTokens(ask) {
      const name = `${ask.key}@${ask.endsAt}`;
      const window = windows.get(name) ?? { endsAt: ask.endsAt, used: 0 };
      windows.set(name, window);
      const granted = grantOf(ask, window.used);
      window.used += granted;
      return { granted, left: Math.max(0, ask.limit - window.used) };
    },
    async returnTokens({ key, endsAt }, count) {
      const window = windows.get(`${key}@${endsAt}`);
      if (window !== undefined) window.used = Math.max(0, window.used - count);
    },
    async holdPlaces(ask) {
      const held = Math.max(ask.taken, Math.min(ask.wanted, ask.max - othersOf(ask)));
      const nodes = places.get(ask.key) ?? new Map<string, number>();
      places.set(ask.key, nodes);
      if (held === 0) nodes.delete(ask.node);
      else nodes.set(ask.node, held);
      return held;
    },
    async removeLeftovers(endedBefore) {
      let removed = 0;
      for (const [name, { endsAt }] of windows) {
        if (endsAt < endedBefore && windows.delete(name)) removed += 1;
      }
      for (const nodes of places.values()) {
        for (const node of nodes.keys()) if (!isAlive(node) && nodes.delete(node)) removed += 1;
      }
      return removed;
    },
  };
}
