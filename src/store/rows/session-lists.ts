/** Lists of sessions as queries that an index answers in their order, whatever they leave open. */

import { MODES, type Mode } from '../../match/record.ts';
import type { SessionFilter, SessionRow } from '../store.ts';
import { WORLDS } from '../world.ts';

/** A filter that names its mode. */
export type ModeFilter = SessionFilter & { readonly mode: Mode };

/** Mode by mode, as the indexes have them: sorting all that a tenant has takes too long. */
export function modeFilters(filter: SessionFilter): readonly ModeFilter[] {
  const modes = filter.mode === null ? MODES : [filter.mode];
  return modes.flatMap((mode): ModeFilter[] => {
    const isOfBoth = mode === 'training' && filter.playerId !== null && filter.world === undefined;
    // The same id is another player in the other world.
    return (isOfBoth ? WORLDS : [filter.world]).map((world) => ({
      ...filter,
      mode,
      ...(world && { world }),
    }));
  });
}

/** A pair that more sessions have is common; up to so many rows are read at once. */
export const RARE_MAX = 1_000;

/**
 * Whether the index of pairs leads. Otherwise the player's seats or the open sessions lead, whose number
 * a plan caps, and the pair of each is looked up.
 */
export function leadsByPair({ playerId, status }: SessionFilter, isRare: boolean): boolean {
  const isOpen = status === 'pending' || status === 'active';
  return isRare || (playerId === null && !isOpen);
}

/** A common pair is read game by game, in the order of its index. */
export function isReadByGame(filter: ModeFilter, isRare: boolean): boolean {
  const hasPair = filter.metadata !== undefined && filter.game === null;
  return hasPair && !isRare && leadsByPair(filter, isRare);
}

/** The newest of what the queries found. */
export function newestSessions(found: readonly SessionRow[], limit: number): readonly SessionRow[] {
  return [...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
