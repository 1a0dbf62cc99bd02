/** Durations of decisions: counts by size, small enough to be stored for every round. */

/** A size and how many there were of it. Sizes are steps of `STEP` from `LEAST_MS` on. */
export type Times = readonly (readonly [number, number])[];

const LEAST_MS = 0.001;
/** Sizes are true to half of this: 2.5 %. */
const STEP = 1.05;

export function sizeOf(ms: number): number {
  return ms <= LEAST_MS ? 0 : Math.round(Math.log(ms / LEAST_MS) / Math.log(STEP));
}

function msOf(size: number): number {
  return LEAST_MS * STEP ** size;
}

export function mergeTimes(...all: readonly Times[]): Times {
  const counts = new Map<number, number>();
  for (const [size, count] of all.flat()) counts.set(size, (counts.get(size) ?? 0) + count);
  return [...counts].sort(([a], [b]) => a - b);
}

export function countTimes(times: Times): number {
  return times.reduce((sum, [, count]) => sum + count, 0);
}

/** The time in ms that this share, 0 to 1, does not exceed; 0 when there are none. */
export function quantile(times: Times, part: number): number {
  const rank = Math.ceil(part * countTimes(times));
  let below = 0;
  for (const [size, count] of times) {
    below += count;
    if (below >= rank) return msOf(size);
  }
  return 0;
}
