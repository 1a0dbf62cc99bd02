/** When the service could not commit: time that no player is charged for (rule P6). */

import type { Downtime } from '../store/store.ts';

export interface Downtimes {
  add(downtime: Downtime): void;
  /** Milliseconds of downtime between two times. */
  lostBetween(from: number, to: number): number;
  /** Service time is time without downtime: what sleeping sessions' deadlines are kept in. */
  serviceTime(now: number): number;
  /** The first moment that has this service time; both in ms since 1970. */
  timeOf(serviceTime: number): number;
}

export function makeDowntimes(known: readonly Downtime[]): Downtimes {
  return downtimesOf(makeStretches(known));
}

/** Stretches in order, and apart from each other. */
interface Stretches {
  add(downtime: Downtime): void;
  /** Those between two times, the latest first, without what is before or after. */
  between(from: number, to: number): readonly Downtime[];
  all(): readonly Downtime[];
}

function makeStretches(known: readonly Downtime[]): Stretches {
  let stretches = merge(known);
  return {
    all: () => stretches,
    add(downtime) {
      // Several nodes are told of the same ones again and again.
      if (!isKnown(stretches, downtime)) stretches = merge([...stretches, downtime]);
    },
    between(from, to) {
      const found: Downtime[] = [];
      // The latest come last, and most questions are about the latest.
      for (let i = stretches.length - 1; i >= 0; i--) {
        const stretch = stretches[i]!;
        if (stretch.to <= from) break;
        const part = { from: Math.max(from, stretch.from), to: Math.min(to, stretch.to) };
        if (part.to > part.from) found.push(part);
      }
      return found;
    },
  };
}

function downtimesOf({ add, between, all }: Stretches): Downtimes {
  return {
    add,
    lostBetween: (from, to) => lengthOf(between(from, to)),
    serviceTime: (now) =>
      now - all().reduce((sum, { from, to }) => sum + Math.max(0, Math.min(now, to) - from), 0),
    timeOf(serviceTime) {
      let time = serviceTime;
      for (const { from, to } of all()) if (from < time) time += to - from;
      return time;
    },
  };
}

function lengthOf(stretches: readonly Downtime[]): number {
  return stretches.reduce((sum, { from, to }) => sum + (to - from), 0);
}

/**
 * Of one node among others: the time of its own stalls is charged to none of its players, and goes on
 * for everybody else. `shared` is when no node could commit.
 */
export function makeNodeDowntimes(shared: Downtimes): Downtimes {
  const own = makeStretches([]);
  return {
    add: own.add,
    lostBetween: (from, to) =>
      own
        .between(from, to)
        .reduce(
          (sum, each) => sum + (each.to - each.from) - shared.lostBetween(each.from, each.to),
          shared.lostBetween(from, to),
        ),
    serviceTime: shared.serviceTime,
    timeOf: shared.timeOf,
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

/** The same stretches in order, and apart from each other. */
export function merge(stretches: readonly Downtime[]): Downtime[] {
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
