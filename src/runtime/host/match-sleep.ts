/** Matches without connections leave memory, and the store keeps their deadlines. */

import { nextDeadline } from '../../match/deadline.ts';
import { serviceSeatToMove } from '../../match/session.ts';
import { evict } from './match-leave.ts';
import { isQuiet, type Match, type MatchTable } from './match-table.ts';

/** A session without connections leaves memory after this time. */
export const IDLE_MS = 10_000;
/** Sessions put to sleep in one transaction: players' moves wait behind it. */
export const SLEEP_STEP = 250;

/** May the match leave memory? */
export function isIdle(match: Match, now: number): boolean {
  if (match.subscribers.length > 0 || now - match.touchedAt < IDLE_MS || !isQuiet(match))
    return false;
  // Only this process knows how far play is ahead of the log: a load would begin the turn again.
  if (match.aheadMs > 0 && match.session.status !== 'ended') return false;
  // A bot that is about to move needs no connected player.
  return serviceSeatToMove(match.session) === null;
}

/** Writes the deadlines first; matches that are still idle then leave memory. */
export async function putToSleep(table: MatchTable, idle: readonly Match[]): Promise<void> {
  await handOver(table, idle);
  const now = table.deps.clock.now();
  for (const match of idle) {
    const isSettled = match.phase === 'asleep' || match.session.status === 'ended';
    if (isSettled && isIdle(match, now)) evict(table, match);
  }
}

/**
 * Gives the deadlines of these matches to the store. The next commit takes them back, also when this fails: then
 * it is unknown which side holds them.
 */
export async function handOver(table: MatchTable, matches: readonly Match[]): Promise<void> {
  const open = matches.filter(({ session }) => session.status !== 'ended');
  for (let i = 0; i < open.length; i += SLEEP_STEP) {
    // Meanwhile some matches may be in use again, or gone.
    const step = open.slice(i, i + SLEEP_STEP).filter(isQuiet);
    for (const match of step) match.phase = 'asleep';
    await table.deps.store.sleep(
      step.map((match) => ({ id: match.row.id, wakeAt: wakeAt(table, match) })),
    );
  }
}

/** When a match is due without any input, ms since 1970; null for never. */
export function wakeAt(
  { deps }: MatchTable,
  { session, aheadMs }: Pick<Match, 'session' | 'aheadMs'>,
): number | null {
  if (serviceSeatToMove(session) !== null) return deps.clock.now();
  const deadline = nextDeadline(session);
  return deadline === null ? null : deadline - aheadMs;
}
