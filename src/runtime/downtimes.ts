/** When the service could not commit: time that no player is charged for (rule P6). */

import type { Downtime } from '../store/store.ts';

export interface Downtimes {
  add(downtime: Downtime): void;
  /** Milliseconds of downtime between two times. */
  lostBetween(from: number, to: number): number;
  /** Service time is time without downtime: what sleeping sessions' deadlines are kept in. */
  serviceTime(now: number): number;
}

export function makeDowntimes(known: readonly Downtime[]): Downtimes {
  let stretches = merge(known);
  return {
    add(downtime) {
      // Several nodes are told of the same ones again and again.
      if (!isKnown(stretches, downtime)) stretches = merge([...stretches, downtime]);
    },
    lostBetween(from, to) {
      let lost = 0;
      // The latest come last, and most questions are about the latest.
      for (let i = stretches.length - 1; i >= 0; i--) {
        const stretch = stretches[i]!;
        if (stretch.to <= from) break;
        lost += Math.max(0, Math.min(to, stretch.to) - Math.max(from, stretch.from));
      }
      return lost;
    },
    serviceTime(now) {
      return (
        now -
        stretches.reduce((sum, { from, to }) => sum + Math.max(0, Math.min(now, to) - from), 0)
      );
    },
  };
}

/**
 * Of one node among others: the time of its own stalls is charged to none of its players, and goes on
 * for everybody else. `shared` is when no node could commit.
 */
export function makeNodeDowntimes(shared: Downtimes): Downtimes {
  const own = makeDowntimes([]);
  return {
    add: own.add,
    lostBetween: (from, to) => Math.max(shared.lostBetween(from, to), own.lostBetween(from, to)),
    serviceTime: shared.serviceTime,
  };
}

/** `stretches` are in order and do not touch. */
function isKnown(stretches: readonly Downtime[], { from, to }: Downtime): boolean {
  let low = 0;
  for (let high = stretches.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (stretches[middle]!.from <= from) low = middle + 1;
    else high = middle;
  }
  const last = stretches[low - 1];
  return last !== undefined && to <= last.to;
}

function merge(stretches: readonly Downtime[]): Downtime[] {
  const merged: Downtime[] = [];
  for (const next of [...stretches].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && next.from <= last.to) {
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
    } else if (next.to > next.from) {
      merged.push(next);
    }
  }
  return merged;
}
