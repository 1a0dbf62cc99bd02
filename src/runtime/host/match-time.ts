/** A match's own time, and what its next record gives back. */

import { heldMatches, type Match, type MatchTable } from './match-table.ts';
import { lostMs, wasInterrupted } from './time/lost-time.ts';

/** The match's present time, ms since 1970. */
export function timeOf({ deps }: MatchTable, { aheadMs }: Match): number {
  return deps.clock.now() + aheadMs;
}

/**
 * How long the match waited for the store, ms: 0 if the process was too busy meanwhile to take the answer
 * (decision 0039).
 */
export function waitedMs({ pulse }: MatchTable, since: number, now: number): number {
  return pulse.chargedUntil() > since ? 0 : now - since;
}

/** What the match's next record gives back, ms; 0 once it has ended. */
export function lostIn(table: MatchTable, match: Match): number {
  const { session, lost } = match;
  if (session.status === 'ended' || !wasInterrupted(table.downtime, lost)) return 0;
  return lostMs(table.downtime, lost, session, timeOf(table, match));
}

/**
 * Delay between two records that hold only lost time. A slow store loses time with each commit, and must not cause
 * one record after the other. Ms.
 */
export const PAUSE_AGAIN_MS = 2_000;

/** A session that has not been found for this long is lost for another reason. Ms. */
const LOOKED_FOR_MS = 60_000;

/** Has any session lost time that its log does not have yet? A crash would lose it. */
export function hasLostTime(table: MatchTable): boolean {
  const now = table.deps.clock.now();
  table.pulse.check(now);
  for (const match of heldMatches(table)) if (lostIn(table, match) > 0) return true;
  // For sessions that had to leave memory this is unknown until they are read again.
  for (const { isPutAway, since } of table.wanted.values()) {
    if (isPutAway && now - since < LOOKED_FOR_MS) return true;
  }
  return false;
}

/** Is lost time to be recorded although nothing else happens? The next owner may not know of it. */
export function isLostTimeDue(table: MatchTable, match: Match): boolean {
  return lostIn(table, match) > 0 && table.deps.clock.now() >= match.pauseFrom;
}
