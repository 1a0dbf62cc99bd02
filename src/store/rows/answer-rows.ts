/** Answers that are kept for repeats. */

import type { IdempotencyRow } from '../store.ts';

/** Does a kept answer name a player? So it goes when they are erased (rule R2); the databases say the same in SQL. */
export function namesPlayer(
  { body, mint }: Pick<IdempotencyRow, 'body' | 'mint'>,
  playerId: string,
): boolean {
  const name = JSON.stringify(playerId);
  // With a colon it is the name of a property.
  const isIn = (text: string): boolean => text.replaceAll(`${name}:`, '').includes(name);
  // At the end of a message: `Player is not connected: ann`.
  return isIn(body) || isIn(mint ?? '') || body.includes(JSON.stringify(`: ${playerId}`).slice(1));
}
