/** What the writer is asked to do with tickets and presence beside the scripts, and what it answers. */

import type { GroupsStart, PlayerPresence, StartOutcome } from '../tickets.ts';

export type TicketOp =
  | { readonly op: 'setPresence'; readonly presence: PlayerPresence }
  | { readonly op: 'startGroups'; readonly start: GroupsStart };

/** What each operation answers. */
export interface TicketAnswers {
  setPresence: null;
  startGroups: StartOutcome;
}
