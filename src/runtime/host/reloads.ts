/** Sessions that are to be loaded again. `match-recovery.ts` loads them every second. */

import type { MatchTable } from './match-table.ts';

/** A store that refused nothing for this long was available. Ms. */
const UNREAD_AGAIN_MS = 10_000;
/** At most this many sessions are read again unasked, once the store answers. */
const UNREAD_MAX = 10_000;
/** A write without an answer is done within this time, or never will be. Ms. */
const DOUBT_MS = 10_000;

/** The session had to leave memory although no other node owns it. */
export function reloadLater({ wanted, deps: { clock } }: MatchTable, session: string): void {
  const { madeBefore = null, since = clock.now() } = wanted.get(session) ?? {};
  wanted.set(session, { isPutAway: true, madeBefore, since });
}

/** The store may have created the session, or may still do so. */
export function probeLater({ wanted, deps: { clock } }: MatchTable, session: string): void {
  const now = clock.now();
  wanted.set(session, { isPutAway: true, madeBefore: now + DOUBT_MS, since: now });
}

/** A read of a session or of its owner failed. It is retried each second. */
export function noteReadFailure(table: MatchTable, session: string, error: unknown): void {
  const { deps, wanted, downtime } = table;
  const now = deps.clock.now();
  if (now - downtime.troubleAt() >= UNREAD_AGAIN_MS) deps.onUnread?.(session, error);
  downtime.noteTrouble(now);
  if (wanted.size < UNREAD_MAX) reloadLater(table, session);
}
