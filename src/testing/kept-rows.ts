/** What stores of rows in memory have in common: which rows go, by the rules that the databases keep in SQL. */

import type { Mode } from '../match/record.ts';
import { namesPlayer } from '../store/rows/answer-rows.ts';
import { removedTogether } from '../store/rows/session-rows.ts';
import type { IdempotencyRow, SessionRow } from '../store/store.ts';
import { worldOfAnswer } from '../store/world.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

export interface PastSessions {
  readonly tenant: string;
  readonly mode: Mode;
  readonly endedBefore: number;
  readonly limit: number;
}

/** The sessions that are removed in one step. */
export function listRemoved<T extends { readonly row: SessionRow }>(
  sessions: Iterable<T>,
  { tenant, mode, endedBefore, limit }: PastSessions,
  recordsOf: (session: T) => readonly unknown[],
): readonly T[] {
  const past = [...sessions]
    .filter(({ row }) => row.tenant === tenant && row.mode === mode)
    .filter(({ row }) => row.endedAt !== null && row.endedAt < endedBefore)
    .sort((a, b) => a.row.endedAt! - b.row.endedAt!)
    .slice(0, limit);
  const few = removedTogether(
    past.map((session) => ({ id: session.row.id, v: recordsOf(session).length - 1 })),
  );
  return past.filter(({ row }) => few.includes(row.id));
}

/** Does a kept answer go when a player is erased in these worlds? `isKnown`: there is a row of him. */
export function goesWith(
  row: IdempotencyRow,
  { worlds, playerId }: { readonly worlds: readonly KeyMode[]; readonly playerId: string },
  isKnown: boolean,
): boolean {
  if (!worlds.includes(worldOfAnswer(row))) return false;
  if (isKnown) return namesPlayer(row, playerId) || row.path.includes('/players/');
  // Who was handed a token for the lobby has no row by that.
  return row.path.startsWith('/v1/players/') && (row.mint ?? '').includes(JSON.stringify(playerId));
}
