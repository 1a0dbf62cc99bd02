/** Logs that the engines of today cannot follow to the end: what can still be said of them. */

import { BrokenLogError, evolve } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';

export interface Folded {
  /** The session at the end of its log, its game as far as it could be followed. */
  readonly session: Session;
  /** Why it could not be followed to the end; null when it could. */
  readonly error: unknown;
}

/** Throws when not even the first record can be read. */
export function foldLog(id: string, entries: readonly Entry[]): Folded {
  let session: Session | null = null;
  for (const entry of entries) {
    try {
      session = evolve(id, session, entry);
    } catch (error) {
      if (session === null) throw error;
      return { session: atTheEnd(id, session, entries.at(-1)!), error };
    }
  }
  if (session === null) throw new BrokenLogError(id, 0, 'empty log');
  return { session, error: null };
}

function atTheEnd(id: string, session: Session, last: Entry): Session {
  if (last.record.k !== 'ended') return { ...session, v: last.v, at: last.at };
  // However it ended, it ends here as one that was aborted does: without asking the engine.
  const { outcome } = last.record;
  const record = { ...last.record, outcome: { ...outcome, reason: 'aborted' } };
  const ended = evolve(id, { ...session, v: last.v - 1 }, { ...last, record });
  return ended.status === 'ended' ? { ...ended, outcome } : ended;
}
