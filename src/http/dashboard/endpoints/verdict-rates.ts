/** Results of device checks, by day and platform, and the reasons of failures. */

import { readChecks, type SeatCheck } from '../../../integrity/checks.ts';
import type { Platform, VerdictStatus } from '../../../integrity/verdict.ts';
import { makeDay } from '../../../match/frames/frames.ts';
import type { CheckedSession } from '../../../store/journal.ts';

type Counts = Readonly<Record<VerdictStatus, number>>;

export interface VerdictRates {
  /** There are older checks that were not counted. */
  readonly isPartial: boolean;
  /** UTC days, newest first; days without a check are left out. */
  readonly days: readonly (Counts & { readonly day: string; readonly platform: Platform })[];
  /** Most frequent first; a check may have several reasons. */
  readonly reasons: readonly { readonly reason: string; readonly count: number }[];
}

const NONE: Counts = { passed: 0, failed: 0, error: 0, skipped: 0 };

export function verdictRates(rows: readonly CheckedSession[], isPartial: boolean): VerdictRates {
  const days = new Map<string, VerdictRates['days'][number]>();
  const reasons = new Map<string, number>();
  const count = (createdAt: number, { verdict }: SeatCheck): void => {
    const { platform, status } = verdict;
    const day = makeDay(createdAt);
    const key = `${day} ${platform}`;
    const known = days.get(key) ?? { day, platform, ...NONE };
    days.set(key, { ...known, [status]: known[status] + 1 });
    for (const reason of verdict.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  };
  for (const { createdAt, integrity } of rows) {
    for (const check of readChecks(integrity)) count(createdAt, check);
  }
  return {
    isPartial,
    days: [...days.values()].toSorted((a, b) => b.day.localeCompare(a.day)),
    reasons: Array.from(reasons, ([reason, times]) => ({ reason, count: times })).toSorted(
      (a, b) => b.count - a.count || a.reason.localeCompare(b.reason),
    ),
  };
}
