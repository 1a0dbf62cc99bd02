/** A create's verdict for the session's row, by its player's seat. */

import { addCheck } from '../../integrity/checks.ts';
import type { Roster } from '../../match/session.ts';
import type { SessionRequest } from './session-service.ts';

/**
 * The row's verdicts with this create's; nothing when it was not checked. The device belongs to the first player
 * of the request, and `roster` already includes them.
 */
export function storedCheck(
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
