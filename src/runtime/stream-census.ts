/** How many streams a tenant has open in each mode (rule H6): what a plan caps. */

import type { EventWorld } from '../events/event.ts';

export interface StreamCensus {
  /** Counts one more, unless `max` are open: then null. Answers how to uncount it. */
  open(world: EventWorld, max: number): (() => void) | null;
}

export function makeStreamCensus(): StreamCensus {
  const counts = new Map<string, number>();
  return {
    open({ tenant, mode }, max) {
      const name = `${mode} ${tenant}`;
      const count = counts.get(name) ?? 0;
      if (count >= max) return null;
      counts.set(name, count + 1);
      return () => {
        const left = counts.get(name)! - 1;
        if (left > 0) counts.set(name, left);
        else counts.delete(name);
      };
    },
  };
}
