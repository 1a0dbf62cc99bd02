/** The time by which a match goes, and what its next record gives back. */

import { lostMs, wasInterrupted } from './lost-time.ts';
import { heldMatches, type Match, type MatchTable } from './match-table.ts';

/** Now, as the match goes by it, ms since 1970. */
export function timeOf({ deps }: MatchTable, { aheadMs }: Match): number {
  return deps.clock.now() + aheadMs;
}

/**
 * How long the store has been waited for, ms: none of it where the process was so busy meanwhile that it had no time
 * for the answer (decision 0039).
 */
export function waitedMs({ pulse }: MatchTable, since: number, now: number): number {
  return pulse.chargedUntil() > since ? 0 : now - since;
}

/** What the match's next record gives back, ms; none once it has ended. */
export function lostIn(table: MatchTable, match: Match): number {
  const { session, lost } = match;
  if (session.status === 'ended' || !wasInterrupted(table.service, lost)) return 0;
  return lostMs(table.service, lost, session, timeOf(table, match));
}

/**
 * A second record of nothing but lost time waits for so long. A slow store, which loses time with each commit, is not
 * to have one after the other. Ms.
 */
export const PAUSE_AGAIN_MS = 2_000;

/** A session that is looked for without success for so long is lost for a reason of its own. Ms. */
const LOOKED_FOR_MS = 60_000;

/** Has any session lost time that its log does not have yet? A crash would lose it. */
export function hasLostTime(table: MatchTable): boolean {
  const now = table.deps.clock.now();
  table.pulse.check(now);
  for (const match of heldMatches(table)) if (lostIn(table, match) > 0) return true;
  // Of those that had to leave memory nothing is known until they are read again.
  for (const { isPutAway, since } of table.wanted.values()) {
    if (isPutAway && now - since < LOOKED_FOR_MS) return true;
  }
  return false;
}

/** Is lost time to be recorded although nothing else happens? The next holder may not know of it. */
export function isLostTimeDue(table: MatchTable, match: Match): boolean {
  return lostIn(table, match) > 0 && table.deps.clock.now() >= match.pauseFrom;
}
