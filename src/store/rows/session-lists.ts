/** Lists of sessions as queries that an index answers in their order, whatever they leave open. */

import { GAME_IDS } from '../../games/game.ts';
import { MODES, type Mode } from '../../match/record.ts';
import type { SessionFilter, SessionRow } from '../store.ts';

/** A filter that names its mode. */
export type ModeFilter = SessionFilter & { readonly mode: Mode };

/** Mode by mode, as the indexes have them: sorting all that a tenant has takes too long. */
export function modeFilters(filter: SessionFilter): readonly ModeFilter[] {
  const modes = filter.mode === null ? MODES : [filter.mode];
  return modes.map((mode) => ({ ...filter, mode }));
}

/** So many sessions with one pair are looked through at once; where there are more, the pair is common. */
export const RARE_MAX = 1_000;

/**
 * Does the list go through the sessions with the pair? Else through those of the player or those under
 * way, which a plan caps, and looks for the pair of each.
 */
export function leadsByPair({ playerId, status }: SessionFilter, isRare: boolean): boolean {
  const isOpen = status === 'pending' || status === 'active';
  return isRare || (playerId === null && !isOpen);
}

/** Those with a common pair game by game, as its index has them. */
export function gameFilters(filter: ModeFilter, isRare: boolean): readonly ModeFilter[] {
  const isSplit =
    filter.metadata !== undefined && filter.game === null && !isRare && leadsByPair(filter, isRare);
  return isSplit ? GAME_IDS.map((game) => ({ ...filter, game })) : [filter];
}

/** The newest of what the queries found. */
export function newestSessions(found: readonly SessionRow[], limit: number): readonly SessionRow[] {
  return [...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
