/** A time range as a range of ids, which begin with their time: so a list scans only its range. */

import { makeTimeDigits } from '../../match/id-text.ts';
import type { SessionFilter } from '../../store/store.ts';

/** An id is made at most this long before or after its session's stored time, which is read right after it. */
const SLACK_MS = 5_000;

/** The same sessions from a smaller range. */
export function withSpan(filter: SessionFilter): SessionFilter {
  const { createdFrom, createdTo, before } = filter;
  const latest = createdTo === null ? null : idAt(createdTo + SLACK_MS);
  const isEarlier = latest !== null && (before === null || latest < before);
  return {
    ...filter,
    before: isEarlier ? latest : before,
    ...(createdFrom === null ? null : { notBefore: idAt(createdFrom - SLACK_MS) }),
  };
}

/** Sorts before every id that is made from then on. */
function idAt(ms: number): string {
  return `ses_${makeTimeDigits(Math.max(0, ms))}`;
}
