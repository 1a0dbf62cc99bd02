/** The two worlds of a tenant (rule K3): each has players, names and erasures of its own. */

import type { Mode } from '../match/record.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { IdempotencyRow } from './store.ts';

export const WORLDS: readonly KeyMode[] = ['live', 'test'];

/** The world of a session. `world`: of training, the world of the key that made it. */
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
 * The world that an answer kept for repeats tells of: a live key may ask for something in test mode.
 * The databases say the same in SQL.
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
