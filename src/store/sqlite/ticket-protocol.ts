/** What the writer is asked to do with tickets, groups and presence, and what it answers. */

import type {
  AddOutcome,
  CancelOutcome,
  CreateTicketOutcome,
  GroupCancel,
  GroupsStart,
  NewTicket,
  PlayerAdd,
  PlayerPresence,
  PlayerRemove,
  PromoteOutcome,
  Promotion,
  RemoveOutcome,
  StartOutcome,
  TicketCancel,
} from '../tickets.ts';

export type TicketOp =
  | { readonly op: 'setPresence'; readonly presence: PlayerPresence }
  | { readonly op: 'createTicket'; readonly ticket: NewTicket }
  | { readonly op: 'addToTicket'; readonly add: PlayerAdd }
  | { readonly op: 'removeFromTicket'; readonly remove: PlayerRemove }
  | { readonly op: 'promoteTicket'; readonly promotion: Promotion }
  | { readonly op: 'cancelTicket'; readonly cancel: TicketCancel }
  | { readonly op: 'cancelGroup'; readonly cancel: GroupCancel }
  | { readonly op: 'startGroups'; readonly start: GroupsStart }
  | { readonly op: 'removeTickets'; readonly endedBefore: number; readonly limit: number };

/** What each operation answers. */
export interface TicketAnswers {
  setPresence: null;
  createTicket: CreateTicketOutcome;
  addToTicket: AddOutcome;
  removeFromTicket: RemoveOutcome;
  promoteTicket: PromoteOutcome;
  cancelTicket: CancelOutcome;
  cancelGroup: CancelOutcome;
  startGroups: StartOutcome;
  removeTickets: number;
}
