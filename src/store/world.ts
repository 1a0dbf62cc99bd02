/** The two modes of a tenant (rule K3): each has its own players, names and erasures. */

import type { Mode } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { IdempotencyRow } from './store.ts';

export const WORLDS: readonly KeyMode[] = ['live', 'test'];

/** The mode of a session. `world`, for training: the mode of the key that created it. */
export function worldOf({
  mode,
  world,
}: {
  readonly mode: Mode;
  readonly world?: KeyMode | undefined;
}): KeyMode {
  if (mode !== 'training') return mode;
  return world ?? 'live';
}

/**
 * The mode that a stored response is about: a live key may act in test mode. The databases repeat
 * this in SQL.
 */
export function worldOfAnswer({
  mode,
  body,
  mint,
}: Pick<IdempotencyRow, 'mode' | 'body' | 'mint'>): KeyMode {
  const { mode: of, session } = JSON.parse(body) as { mode?: unknown; session?: unknown };
  const { mode: minted } = JSON.parse(mint ?? '{}') as { mode?: unknown };
  const within = (session as { mode?: unknown } | null | undefined)?.mode;
  return [mode, minted, of, within].includes('test') ? 'test' : 'live';
}
