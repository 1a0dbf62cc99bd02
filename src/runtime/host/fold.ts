/** Logs that today's engines cannot fold to the end: what can still be shown of them. */

import { findStandIn, type Games } from '../../games/games.ts';
import { BrokenLogError, evolve, type FindRules, openSession } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';
import type { StoredSession } from '../../store/store.ts';
import { type RunRules, runUnguarded } from '../games/guard.ts';

export interface Folded {
  /** The session at the end of its log, its game as far as it could be followed. */
  readonly session: Session;
  /** Why it could not be followed to the end; null when it could. */
  readonly error: unknown;
}

/** Throws when not even the first record can be read, or the rules of a match that goes on are not loaded. */
export function foldLog(
  games: Games,
  id: string,
  entries: readonly Entry[],
  runRules: RunRules = runUnguarded,
): Folded {
  const [first, ...rest] = entries;
  if (first === undefined) throw new BrokenLogError(id, 0, 'empty log');
  const last = entries.at(-1)!;
  let session: Session = openSession(rulesFor(games, last), id, first);
  for (const entry of rest) {
    try {
      const before: Session = session;
      session = runRules(before.rules, 'load', () => evolve(before, entry));
    } catch (error) {
      return { session: atTheEnd(session, last), error };
    }
  }
  return { session, error: null };
}

/** An ended match may be shown by other rules than its own, as far as they can fold it. */
function rulesFor(games: Games, last: Entry): FindRules {
  if (last.record.k !== 'ended') return games.findPlayed;
  return (ref) => findStandIn(games, ref);
}

function atTheEnd(session: Session, last: Entry): Session {
  if (last.record.k !== 'ended') return { ...session, v: last.v, at: last.at };
  // Such a match is shown as aborted, without asking the engine.
  const { outcome } = last.record;
  const record = { ...last.record, outcome: { ...outcome, reason: 'aborted' } };
  const ended = evolve({ ...session, v: last.v - 1 }, { ...last, record });
  return ended.status === 'ended' ? { ...ended, outcome } : ended;
}

/** A log of a running match with hidden information: only its own players may see what their seats see. */
export function isSecret(
  games: Games,
  { row, entries }: Pick<StoredSession, 'row' | 'entries'>,
): boolean {
  const [first] = entries;
  if (row.status === 'ended' || first?.record.k !== 'created') return false;
  const rules = findStandIn(games, first.record.setup);
  return rules !== null && !rules.game.openInformation;
}
