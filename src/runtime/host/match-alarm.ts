/** The effect of time on a match in memory: warnings and expired deadlines. */

import { nextDeadline, turnDeadline, warningTime } from '../../match/deadline.ts';
import { makeWarning } from '../../match/frames/frames.ts';
import { breakMatch, next } from './mailbox.ts';
import type { Match, MatchTable } from './match-table.ts';
import { isReady } from './match-table.ts';
import { lostIn, timeOf } from './match-time.ts';
import { TICK } from './work.ts';

/** A match's alarm rang: warn, end what has expired, or wait on. */
export function ringAlarm(table: MatchTable, match: Match): void {
  table.pulse.check(table.deps.clock.now());
  // After a commit in flight everything is checked again.
  if (!isReady(match)) return;
  try {
    const deadline = nextDeadline(match.session) ?? Infinity;
    // Lost time moves all deadlines: it is recorded, and shown, before anybody is warned of them.
    if (lostIn(table, match) > 0 || deadline <= timeOf(table, match)) match.mailbox.push(TICK);
    else warn(table, match);
  } catch (error) {
    breakMatch(table, match, error);
  }
  next(table, match);
}

function warn(table: MatchTable, match: Match): void {
  const { session } = match;
  if (session.status !== 'active' || match.warned === session.turnStartedAt) return;
  const at = warningTime(session);
  if (at === null || timeOf(table, match) < at) return;
  match.warned = session.turnStartedAt;
  const endsAt = turnDeadline(session)!.at;
  const texts = session.play.acting.map((seat) => makeWarning(session, seat, endsAt));
  for (const subscriber of match.subscribers) subscriber.send(texts);
}
