/** The verdicts that a session keeps, as one JSON text in its row: the first is the session's own. */

import type { Verdict } from './verdict.ts';

/** The check of one seat's player. It names the seat, so that an erased player is named nowhere. */
export interface SeatCheck {
  readonly seat: number;
  readonly verdict: Verdict;
}

/** How long the verdict of a lobby token counts for a player who is added to a ticket, ms (rule I3d). */
export const LOBBY_CHECK_MS = 60 * 60_000;

/** `kept` are the session's checks so far; null or absent for none. */
export function addCheck(kept: string | null | undefined, check: SeatCheck): string {
  return JSON.stringify([...readChecks(kept), check]);
}

export function readChecks(kept: string | null | undefined): readonly SeatCheck[] {
  return kept === null || kept === undefined ? [] : (JSON.parse(kept) as SeatCheck[]);
}

/**
 * A session's checks after players have left their seats: the verdicts do not apply to the next
 * players. Nothing if there are none.
 */
export function checksWithout(
  { integrity }: { readonly integrity?: string },
  seats: readonly number[],
): { readonly integrity: string } | null {
  if (integrity === undefined) return null;
  const left = readChecks(integrity).filter(({ seat }) => !seats.includes(seat));
  return { integrity: JSON.stringify(left) };
}

/** What a change adds; `after` is absent if the checks stay unchanged. */
export function addedChecks(
  before: string | undefined,
  after: string | undefined,
): readonly SeatCheck[] {
  return after === undefined ? [] : readChecks(after).slice(readChecks(before).length);
}
