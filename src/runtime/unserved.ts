/** When nobody served a match, while others may have been served: charged to nobody in it (rule P6). */

import type { Downtime } from '../store/store.ts';
import { type Downtimes, merge } from './downtimes.ts';

/** Stretches that are kept of one match; beyond that the shortest is left out. */
const STRETCHES_MAX = 64;

/** Kept by session, as it may leave memory and come back before they are in its log. */
export interface Unserved {
  /** Nobody served the session between these times, ms since 1970. They may overlap with others. */
  add(session: string, stretch: Downtime): void;
  /** What was over by then is in its log, or was told to nobody; all by default. */
  drop(session: string, until?: number): void;
  /** Is anything kept of it? */
  has(session: string): boolean;
  /** Milliseconds between two times in which nobody served it, or the whole service was down. */
  lostBetween(session: string, from: number, to: number): number;
}

export function makeUnserved(downtimes: Pick<Downtimes, 'lostBetween'>): Unserved {
  /** Of each session in order, and apart from each other. */
  const kept = new Map<string, readonly Downtime[]>();
  const keep = (session: string, stretches: readonly Downtime[]): void => {
    if (stretches.length === 0) kept.delete(session);
    else kept.set(session, stretches);
  };
  return {
    add: (session, stretch) =>
      keep(session, atMost(STRETCHES_MAX, merge([...(kept.get(session) ?? []), stretch]))),
    drop(session, until = Infinity) {
      const stretches = kept.get(session);
      if (stretches === undefined) return;
      keep(
        session,
        stretches.filter(({ to }) => to > until),
      );
    },
    has: (session) => kept.has(session),
    lostBetween(session, from, to) {
      let lost = 0;
      let at = Math.min(from, to);
      for (const stretch of kept.get(session) ?? []) {
        const begin = Math.min(Math.max(at, stretch.from), to);
        const end = Math.min(Math.max(begin, stretch.to), to);
        lost += downtimes.lostBetween(at, begin) + (end - begin);
        at = end;
      }
      return lost + downtimes.lostBetween(at, to);
    },
  };
}

function atMost(max: number, stretches: readonly Downtime[]): readonly Downtime[] {
  if (stretches.length <= max) return stretches;
  const shortest = stretches.reduce((a, b) => (b.to - b.from < a.to - a.from ? b : a));
  return stretches.filter((each) => each !== shortest);
}
