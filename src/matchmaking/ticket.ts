/**
 * Hosted matchmaking: the states of a ticket, and the effect of each call on it (rules M1 to M6).
 */

import type { GameId } from '../../game/src/game.ts';
import type { Verdict } from '../integrity/verdict.ts';
import type { Mode } from '../match/record.ts';

/** A player of a ticket. An erased one is all null (rule R2). */
export interface TicketPlayer {
  readonly id: string | null;
  readonly displayName: string | null;
  /** The device's verdict; absent when it was not checked (rules I3c, I3d). */
  readonly integrity?: Verdict;
}

interface TicketBase {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  /** The maximum number of players. */
  readonly capacity: number;
  /** In the order in which they were added. */
  readonly players: readonly TicketPlayer[];
  /** This and the other times: ms since 1970. */
  readonly createdAt: number;
}

export interface FormingTicket extends TicketBase {
  readonly status: 'forming';
}

interface GroupBase extends TicketBase {
  /** The id of the group it has become. */
  readonly group: string;
  readonly promotedAt: number;
}

/** A group that waits in the pool. */
export interface PromotedTicket extends GroupBase {
  readonly status: 'promoted';
  /** Groups are promoted one after another: the lower place came first. */
  readonly poolPlace: number;
}

export interface StartedTicket extends GroupBase {
  readonly status: 'started';
  readonly session: string;
  /** How many groups were started together. */
  readonly startedWith: number;
  readonly endedAt: number;
}

export interface CancelledTicket extends TicketBase {
  readonly status: 'cancelled';
  /** Null when it was cancelled before it was promoted. */
  readonly group: string | null;
  readonly promotedAt: number | null;
  readonly endedAt: number;
}

export type Ticket = FormingTicket | PromotedTicket | StartedTicket | CancelledTicket;
export type TicketStatus = Ticket['status'];
export const TICKET_STATUSES = [
  'forming',
  'promoted',
  'started',
  'cancelled',
] as const satisfies readonly TicketStatus[];

/** A ticket that is, or was, a group. */
export type Group = Extract<Ticket, { readonly promotedAt: number }>;

/** How many may play a game. */
export interface SeatRange {
  readonly min: number;
  readonly max: number;
}

/** Why a call had no effect, with what its message names. A closed list. */
export type HostedRefusal =
  | {
      readonly code:
        | 'ticket_not_found'
        | 'player_not_in_ticket'
        | 'ticket_not_forming'
        | 'player_not_connected'
        | 'ticket_full'
        | 'player_in_session'
        | 'open_tickets_exceeded';
    }
  | { readonly code: 'player_in_ticket'; readonly ticket: string }
  | { readonly code: 'group_not_found' | 'group_started'; readonly group: string }
  | ({ readonly code: 'player_count'; readonly count: number } & SeatRange)
  | { readonly code: 'player_absent'; readonly player: string };

export interface Refused {
  readonly kind: 'refused';
  readonly refusal: HostedRefusal;
}

export function refuse(refusal: HostedRefusal): Refused {
  return { kind: 'refused', refusal };
}

/** What has to be known of a ticket to decide about one of its players. */
export interface TicketFacts {
  readonly status: TicketStatus;
  readonly capacity: number;
  /** The maximum number of players. */
  readonly taken: number;
}

export interface PlayerFacts {
  /** Are they in this very ticket? */
  readonly isInside: boolean;
  /** Is a socket of theirs open now, on any node? */
  readonly isConnected: boolean;
  /** Another forming ticket of the game that they are in; null for none. */
  readonly elsewhere: string | null;
}

/** Rule M2, in its order. A ticket that is not there is null. */
export function decideAdd(
  ticket: TicketFacts | null,
  player: PlayerFacts,
): { readonly kind: 'add' } | { readonly kind: 'again' } | Refused {
  if (ticket === null) return refuse({ code: 'ticket_not_found' });
  if (player.isInside) return { kind: 'again' };
  if (ticket.status !== 'forming') return refuse({ code: 'ticket_not_forming' });
  if (!player.isConnected) return refuse({ code: 'player_not_connected' });
  if (player.elsewhere !== null) {
    return refuse({ code: 'player_in_ticket', ticket: player.elsewhere });
  }
  if (ticket.taken >= ticket.capacity) return refuse({ code: 'ticket_full' });
  return { kind: 'add' };
}

export function decideRemove(
  ticket: Pick<TicketFacts, 'status'> | null,
  isInside: boolean,
): { readonly kind: 'remove' } | Refused {
  if (ticket === null) return refuse({ code: 'ticket_not_found' });
  if (!isInside) return refuse({ code: 'player_not_in_ticket' });
  if (ticket.status !== 'forming') return refuse({ code: 'ticket_not_forming' });
  return { kind: 'remove' };
}

/** Rule M3: a second call answers with the same group, whatever has become of it but its end. */
export function decidePromote(
  ticket: Ticket | null,
): { readonly kind: 'promote' } | { readonly kind: 'again'; readonly group: Group } | Refused {
  if (ticket === null) return refuse({ code: 'ticket_not_found' });
  switch (ticket.status) {
    case 'forming':
      return { kind: 'promote' };
    case 'promoted':
    case 'started':
      return { kind: 'again', group: ticket };
    case 'cancelled':
      return refuse({ code: 'ticket_not_forming' });
  }
}

/** Only while it is forming; afterwards it is its group that can be cancelled. */
export function decideCancelTicket(
  ticket: Pick<TicketFacts, 'status'> | null,
): { readonly kind: 'cancel' } | { readonly kind: 'again' } | Refused {
  if (ticket === null) return refuse({ code: 'ticket_not_found' });
  switch (ticket.status) {
    case 'forming':
      return { kind: 'cancel' };
    case 'cancelled':
      return { kind: 'again' };
    case 'promoted':
    case 'started':
      return refuse({ code: 'ticket_not_forming' });
  }
}

/** `ticket` is the one that has become the group with that id. */
export function decideCancelGroup(
  group: string,
  ticket: Pick<TicketFacts, 'status'> | null,
): { readonly kind: 'cancel' } | { readonly kind: 'again' } | Refused {
  switch (ticket?.status) {
    case 'promoted':
      return { kind: 'cancel' };
    case 'cancelled':
      return { kind: 'again' };
    case 'started':
      return refuse({ code: 'group_started', group });
    case 'forming':
    case undefined:
      return refuse({ code: 'group_not_found', group });
  }
}

/** Groups to be started together, as they are found. */
export interface StartFacts {
  /** The requested ids, each once. */
  readonly ids: readonly string[];
  /** The ticket of each id; null for none. */
  readonly groups: readonly (Ticket | null)[];
  readonly seats: SeatRange;
  /** Players who have to be connected; null for none. */
  readonly isConnected: ((player: string) => boolean) | null;
}

export type StartDecision =
  /** The players by seat. */
  | { readonly kind: 'start'; readonly players: readonly StartPlayer[] }
  /** This very set was started before. */
  | { readonly kind: 'again'; readonly session: string }
  | Refused;

export type StartPlayer = TicketPlayer & { readonly id: string };

/** Rule M5: all of them or none. Erased players take no seat. */
export function decideStart({ ids, groups, seats, isConnected }: StartFacts): StartDecision {
  const missing = groups.findIndex((group) => group === null || group.status === 'cancelled');
  if (missing !== -1) return refuse({ code: 'group_not_found', group: ids[missing]! });
  const session = sessionOfSet(groups);
  if (session !== null) return { kind: 'again', session };
  const started = groups.findIndex((group) => group?.status === 'started');
  if (started !== -1) return refuse({ code: 'group_started', group: ids[started]! });
  const players = groups
    .flatMap((group) => group?.players ?? [])
    .filter((player): player is StartPlayer => player.id !== null);
  const count = players.length;
  const { min, max } = seats;
  if (count < min || count > max) return refuse({ code: 'player_count', count, min, max });
  if (new Set(players.map(({ id }) => id)).size < count) {
    return refuse({ code: 'player_in_session' });
  }
  const absent = isConnected && players.find(({ id }) => !isConnected(id));
  if (absent) return refuse({ code: 'player_absent', player: absent.id });
  return { kind: 'start', players };
}

/** The session that exactly these groups were started in, in any order; null for none. */
function sessionOfSet(groups: readonly (Ticket | null)[]): string | null {
  const [first] = groups;
  if (first?.status !== 'started' || first.startedWith !== groups.length) return null;
  const isSame = groups.every(
    (each) => each?.status === 'started' && each.session === first.session,
  );
  return isSame ? first.session : null;
}
