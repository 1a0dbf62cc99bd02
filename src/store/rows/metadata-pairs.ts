/** A session's metadata as index rows: one for each key and value, by a digest of both. */

import { sha256Hex } from '../../../game/src/random.ts';
import type { SessionRow } from '../store.ts';

/** 128 bits in hex: collisions within a tenant do not occur. */
const PAIR_CHARS = 32;

/** The digest of a key and its value. Any text is allowed, lone surrogates and NUL included. */
export function pairOf(key: string, value: string): string {
  return sha256Hex(JSON.stringify([key, value])).slice(0, PAIR_CHARS);
}

/** The index row of one pair of one session. */
export interface PairRow extends Pick<SessionRow, 'tenant' | 'mode' | 'game'> {
  readonly pair: string;
  readonly session: string;
}

/** The rows of a session; none without metadata. */
export function pairsOf(
  row: Pick<SessionRow, 'id' | 'tenant' | 'mode' | 'game' | 'metadata'>,
): PairRow[] {
  if (row.metadata === null) return [];
  const { id: session, tenant, mode, game } = row;
  return Object.entries(JSON.parse(row.metadata) as Record<string, unknown>).flatMap(
    ([key, value]) =>
      typeof value === 'string' ? [{ tenant, mode, game, session, pair: pairOf(key, value) }] : [],
  );
}
