/** A create's verdict on its way into the session's row, by the seat of the player it is about. */

import { addCheck } from '../integrity/checks.ts';
import type { Roster } from '../match/session.ts';
import type { SessionRequest } from './session-service.ts';

/**
 * The row's verdicts with this create's; nothing when it was not checked. The device is that of
 * the first player the request names, and `roster` is as it will be with them in it.
 */
export function keptCheck(
  kept: string | undefined,
  roster: Roster,
  { verdict, players }: Pick<SessionRequest, 'verdict' | 'players'>,
): { readonly integrity: string } | null {
  if (verdict === undefined) return null;
  const seat = Math.max(
    0,
    roster.findIndex((player) => player !== null && player.id === players[0]?.id),
  );
  return { integrity: addCheck(kept, { seat, verdict }) };
}
