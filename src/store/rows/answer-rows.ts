/** Responses stored for repeated requests. */

import type { IdempotencyRow } from '../store.ts';

/**
 * Whether a stored response names a player, and so goes when they are erased (rule R2). The
 * databases repeat this condition in SQL.
 */
export function namesPlayer(
  { body, mint }: Pick<IdempotencyRow, 'body' | 'mint'>,
  playerId: string,
): boolean {
  const name = JSON.stringify(playerId);
  // With a colon it is a property name.
  const isIn = (text: string): boolean => text.replaceAll(`${name}:`, '').includes(name);
  // At the end of a message: `Player is not connected: ann`.
  return isIn(body) || isIn(mint ?? '') || body.includes(JSON.stringify(`: ${playerId}`).slice(1));
}
