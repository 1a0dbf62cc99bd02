/** Faults of a run and their times, as the checks of clocks (P6) need them. Times are ms since 1970. */

import type { Deeds, Stretch, Trouble } from '../world/nemesis.ts';

/** When processes began and died, by id. Those that handed over their sessions did not die. */
export interface Lives {
  /** The place that each has, or had. */
  readonly places: ReadonlyMap<string, number>;
  readonly births: ReadonlyMap<string, number>;
  readonly deaths: ReadonlyMap<string, number>;
  /** When each began to serve, and when it ended, however. */
  readonly ups: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
  /** When the last heartbeat of each was written: as far as others know it died after that. */
  readonly signs: ReadonlyMap<string, number>;
}

export interface Past extends Lives, Deeds {
  /** When the run was over. */
  readonly endedAt: number;
}

/**
 * All that may have interrupted the service, with the ends of processes and the time without any
 * process.
 */
export function listTroubles(past: Past): readonly Trouble[] {
  const { troubles, ends, places } = past;
  const deaths = [...ends].map(
    ([node, at]): Trouble => ({ fault: 'crash', place: places.get(node)!, from: at, to: at }),
  );
  const gaps = nobodyServes(past).map((gap): Trouble => ({ fault: 'crash', place: null, ...gap }));
  return [...troubles, ...deaths, ...gaps].sort((a, b) => a.from - b.from);
}

function nobodyServes({ ups, ends, endedAt }: Past): readonly Stretch[] {
  const gaps: Stretch[] = [];
  let servedTo = -Infinity;
  for (const [node, from] of [...ups].sort(([, a], [, b]) => a - b)) {
    if (from > servedTo) gaps.push({ from: servedTo, to: from });
    servedTo = Math.max(servedTo, ends.get(node) ?? endedAt);
  }
  return servedTo < endedAt ? [...gaps, { from: servedTo, to: endedAt }] : gaps;
}

/** Those that affect one of these nodes; any of them if nobody owned the session all the time. */
export function troublesOf(
  { places }: Lives,
  troubles: readonly Trouble[],
  nodes: ReadonlySet<string> | null,
): readonly Trouble[] {
  if (nodes === null) return troubles;
  const touched = new Set([...nodes].map((node) => places.get(node)));
  return troubles.filter(({ place }) => place === null || touched.has(place));
}

/** The parts of `stretches` that lie in `within`. */
export function partsIn({ from, to }: Stretch, stretches: readonly Stretch[]): Stretch[] {
  return stretches
    .map((each) => ({ from: Math.max(from, each.from), to: Math.min(to, each.to) }))
    .filter((each) => each.to > each.from);
}

/** Their total length, ms; overlapping parts count once. */
export function lengthOf(stretches: readonly Stretch[]): number {
  let sum = 0;
  let countedTo = -Infinity;
  for (const { from, to } of stretches.toSorted((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, countedTo));
    countedTo = Math.max(countedTo, to);
  }
  return sum;
}
