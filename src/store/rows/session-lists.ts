/** Lists of sessions as queries that an index answers in order, whatever filters are set. */

import { MODES, type Mode } from '../../match/record.ts';
import type { SessionFilter, SessionRow } from '../store.ts';
import { WORLDS } from '../world.ts';

/** A filter with its mode set. */
export type ModeFilter = SessionFilter & { readonly mode: Mode };

/** One query per mode, as the indexes are built: sorting all sessions of a tenant takes too long. */
export function modeFilters(filter: SessionFilter): readonly ModeFilter[] {
  const modes = filter.mode === null ? MODES : [filter.mode];
  return modes.flatMap((mode): ModeFilter[] => {
    const isOfBoth = mode === 'training' && filter.playerId !== null && filter.world === undefined;
    // The same id is a different player in the other mode.
    return (isOfBoth ? WORLDS : [filter.world]).map((world) => ({
      ...filter,
      mode,
      ...(world && { world }),
    }));
  });
}

/** A pair that more sessions have counts as common; up to this many rows are read at once. */
export const RARE_MAX = 1_000;

/**
 * Whether the index of pairs drives the query. Otherwise the player's seats or the open sessions do
 * (a plan caps both), and each session's pair is looked up.
 */
export function leadsByPair({ playerId, status }: SessionFilter, isRare: boolean): boolean {
  const isOpen = status === 'pending' || status === 'active';
  return isRare || (playerId === null && !isOpen);
}

/** A common pair is read game by game, in index order. */
export function isReadByGame(filter: ModeFilter, isRare: boolean): boolean {
  const hasPair = filter.metadata !== undefined && filter.game === null;
  return hasPair && !isRare && leadsByPair(filter, isRare);
}

/** The newest of all results. */
export function newestSessions(found: readonly SessionRow[], limit: number): readonly SessionRow[] {
  return [...found].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit);
}
