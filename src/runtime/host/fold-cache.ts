/** Cached states of sleeping matches: folding a long log takes a while. */

import type { Games } from '../../games/games.ts';
import type { Entry } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';
import type { RunRules } from '../games/guard.ts';
import { foldLog } from './fold.ts';

/** Cached sessions; the least recently used one is dropped first. */
const STORED_MAX = 500;

/** The session at the end of its log. Logs only grow, so a log with the same end is the same log. */
export type FoldCache = (id: string, entries: readonly Entry[]) => Session;

export function makeFoldCache(games: Games, runRules: RunRules): FoldCache {
  const cached = new Map<string, Session>();
  return (id, entries) => {
    const found = cached.get(id);
    const session =
      found !== undefined && found.v === entries.at(-1)?.v
        ? found
        : foldLog(games, id, entries, runRules).session;
    cached.delete(id);
    cached.set(id, session);
    if (cached.size > STORED_MAX) cached.delete(cached.keys().next().value!);
    return session;
  };
}
