/** What whoever looks at a match in memory is shown, beside what it is sent as it happens. */

import type { Viewer } from '../match/frames.ts';
import { makeState } from '../match/frames.ts';
import { restOf } from './audience.ts';
import { breakMatch, next } from './mailbox.ts';
import type { MatchTable } from './match-table.ts';

/** Those calls of the host, as its interface describes them. */
export function makeShowing(table: MatchTable) {
  const { matches } = table;
  return {
    stateFor: (session: string, viewer: Viewer, seen?: number) =>
      stateFor(table, session, viewer, seen),
    askState: () => false,
    noteSeen: (session: string, seen: number) => noteSeen(table, session, seen),
    watchers(session: string): number {
      const shown = matches.get(session)?.subscribers ?? [];
      return [...shown].filter(({ viewer }) => viewer === null).length;
    },
    relay(session: string, makeText: (v: number) => string): void {
      const match = matches.get(session);
      if (match === undefined || match.subscribers.size === 0) return;
      const texts = [makeText(match.session.v)];
      for (const subscriber of match.subscribers) subscriber.send(texts);
    },
  };
}

function stateFor(
  table: MatchTable,
  session: string,
  viewer: Viewer,
  seen: number | undefined,
): readonly string[] {
  const match = table.matches.get(session);
  // Ticks are shown without a version: whoever comes back to them is told all.
  if (match === undefined || (match.session.v === seen && match.room === null)) return [];
  try {
    const zeroAt = match.room?.zeroAt;
    const state = makeState(match.session, match.roster, viewer, match.shown, zeroAt);
    const rest = restOf(match);
    return rest === null ? [state] : [state, rest];
  } catch (error) {
    if (!match.isBroken) breakMatch(table, match, error);
    next(table, match);
    return [];
  }
}

/** Nothing is shown that is not committed, so this is a lie or a commit that is missing. */
function noteSeen({ matches, stats, deps }: MatchTable, session: string, seen: number): void {
  const v = matches.get(session)?.session.v;
  if (v === undefined || seen <= v) return;
  stats.ahead++;
  deps.onAhead?.(session, seen, v);
}
