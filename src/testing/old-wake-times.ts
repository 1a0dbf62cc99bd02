/** Wake times and outages as databases stored them until wake times were clock times (decision 0039). */

import fc from 'fast-check';

export interface Outage {
  readonly from: number;
  readonly to: number;
}

/** `wakeAts` are in time that stopped during outages. All times are ms since 1970. */
export interface OldTimes {
  readonly outages: readonly Outage[];
  readonly wakeAts: readonly number[];
}

const HOUR_MS = 3_600_000;

/** Outages before, across and after each wake time, which overlap, touch and repeat; some end after `now`. */
export function anyOldTimes(now: number): fc.Arbitrary<OldTimes> {
  const at = fc.integer({ min: now - 10 * HOUR_MS, max: now + HOUR_MS });
  const outage = fc.record({ from: at, lengthMs: fc.integer({ min: 1, max: HOUR_MS }) });
  return fc.record({
    outages: fc
      .uniqueArray(outage, { maxLength: 40, selector: ({ from }) => from })
      .map((all) => all.map(({ from, lengthMs }) => ({ from, to: from + lengthMs }))),
    wakeAts: fc.array(fc.integer({ min: now - 20 * HOUR_MS, max: now + 20 * HOUR_MS }), {
      minLength: 1,
      maxLength: 20,
    }),
  });
}

/** When the previous version woke such a session: it skipped each outage that began by then. */
export function dueAt(wakeAt: number, outages: readonly Outage[], now: number): number {
  let due = wakeAt;
  let knownTo = -Infinity;
  for (const { from, to } of [...outages].sort((a, b) => a.from - b.from)) {
    const begin = Math.max(from, knownTo);
    const end = Math.min(to, now);
    if (end <= begin) continue;
    if (begin >= due) break;
    due += end - begin;
    knownTo = end;
  }
  return due;
}
