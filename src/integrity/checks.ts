/** The verdicts that a session keeps, as one JSON text in its row: the first is the session's own. */

import type { Verdict } from './verdict.ts';

/** One create's check. A seat names whose it was, so that an erased player is named nowhere. */
export interface SeatCheck {
  readonly seat: number;
  readonly verdict: Verdict;
}

/** `kept` is what the session has so far; null or absent for nothing. */
export function addCheck(kept: string | null | undefined, check: SeatCheck): string {
  return JSON.stringify([...readChecks(kept), check]);
}

export function readChecks(kept: string | null | undefined): readonly SeatCheck[] {
  return kept === null || kept === undefined ? [] : (JSON.parse(kept) as SeatCheck[]);
}
