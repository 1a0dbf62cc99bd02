/** A span of time as a span of ids, which begin with their time: so a list never walks past all it has. */

import { makeTimeDigits } from '../match/id-text.ts';
import type { SessionFilter } from '../store/store.ts';

/** An id is made within this of the time that is kept as its session's, which is read right after it. */
const SLACK_MS = 5_000;

/** The same sessions, looked for among fewer. */
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
