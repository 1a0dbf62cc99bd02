/** The port to tickets, groups and who is connected: each call is one atomic step (section 5). */

import type { GameId } from '../../game/src/game.ts';
import type { Entry, Mode } from '../match/record.ts';
import type {
  Group,
  PromotedTicket,
  Refused,
  SeatRange,
  Ticket,
  TicketStatus,
} from '../matchmaking/ticket.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import type { IdempotencyRow, NewSession, SeatedRow, SessionQuota, SessionRow } from './store.ts';

/** Where tickets live: nothing crosses from one such world to another. */
export interface TicketWorld {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
}

export interface TicketRef extends TicketWorld {
  readonly ticket: string;
}

export interface GroupRef extends TicketWorld {
  readonly group: string;
}

/** What every change brings along. */
export interface TicketWrite {
  /** When it happens, ms since 1970. */
  readonly at: number;
  /** The id of the event that tells it. */
  readonly eventId: string;
  /** The answer to keep if it has an effect; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
}

export interface NewTicket extends TicketRef, TicketWrite {
  readonly capacity: number;
  /** The plan's cap of tickets and groups that have not ended. */
  readonly openTicketsMax: number;
}

export interface PlayerAdd extends TicketRef, TicketWrite {
  readonly playerId: string;
  /** The pseudonym to keep the player under, if it is new to the tenant. */
  readonly newRef: string;
  /**
   * What was found of the device, JSON of a `Verdict`. Where it is absent, the check of the player's lobby
   * token counts, if it is younger than `LOBBY_CHECK_MS`.
   */
  readonly integrity?: string;
}

export interface PlayerRemove extends TicketRef, TicketWrite {
  readonly playerId: string;
}

/** The body of `idempotency` is filled in: only the store knows who is in the group. */
export interface Promotion extends TicketRef, TicketWrite {
  /** The id of the group, unless it has one. */
  readonly group: string;
}

export type TicketCancel = TicketRef & TicketWrite;
export type GroupCancel = GroupRef & TicketWrite;

/** A session that is active from its first moment. */
export interface StartedSession {
  readonly row: SessionRow;
  readonly seats: readonly SeatedRow[];
  /** The first records of its log. */
  readonly entries: readonly Entry[];
  /** As in `NewSession`. */
  readonly wakeAt: number | null;
  readonly quota: SessionQuota;
  readonly events: NonNullable<NewSession['events']>;
}

export interface GroupsStart extends TicketWorld, Omit<TicketWrite, 'eventId'> {
  /** Each once. */
  readonly groups: readonly string[];
  readonly seats: SeatRange;
  readonly requireConnected: boolean;
  readonly session: StartedSession;
  /** The id of each group's event. */
  readonly eventIds: readonly string[];
}

/** Which tickets of a world a list has; null: whichever. */
export interface TicketFilter extends TicketWorld {
  readonly status: TicketStatus | null;
  /** A player who is in the ticket now. */
  readonly playerId: string | null;
  /** Only tickets older than this id. */
  readonly before: string | null;
  readonly limit: number;
}

export interface PlayerTickets {
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
}

export type CreateTicketOutcome = { readonly kind: 'created' } | Refused;
/** `again`: it was so before, and nothing changed. */
export type AddOutcome = { readonly kind: 'added' | 'again' } | Refused;
export type RemoveOutcome = { readonly kind: 'removed' } | Refused;
export type PromoteOutcome =
  | { readonly kind: 'promoted' | 'again'; readonly group: Group }
  | Refused;
export type CancelOutcome = { readonly kind: 'cancelled' | 'again' } | Refused;
export type StartOutcome =
  | { readonly kind: 'started' }
  | { readonly kind: 'again'; readonly session: string }
  /** The players are not those of the session any more: look again. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'month_full' | 'open_full' }
  | Refused;

/** Whether a player is there, as one process of the service knows it. */
export interface PlayerPresence {
  readonly tenant: string;
  readonly mode: Mode;
  readonly playerId: string;
  /** The process. What one said that has died does not count. */
  readonly node: string;
  /** Have they any socket open there? */
  readonly isConnected: boolean;
}

export interface PresenceStore {
  /**
   * Told when a player's first socket in a process opens and when their last one goes. Calls about
   * one player take effect in their order; when this resolves, every later call sees it.
   */
  setPresence(presence: PlayerPresence): Promise<void>;
}

/** Of a store that nodes share. */
export interface SharedPresenceStore extends PresenceStore {
  /** Is the player connected to any node, or to any but one? */
  isPresent(tenant: string, mode: Mode, playerId: string, besides?: string): Promise<boolean>;
  /**
   * Writes down again who this process has said is connected, and tries until it is done: of a node
   * whose lease was over for long nothing is kept. Players who were erased stay out.
   */
  renewPresence(): void;
}

export interface TicketStore {
  createTicket(ticket: NewTicket): Promise<CreateTicketOutcome>;
  addToTicket(add: PlayerAdd): Promise<AddOutcome>;
  removeFromTicket(remove: PlayerRemove): Promise<RemoveOutcome>;
  promoteTicket(promotion: Promotion): Promise<PromoteOutcome>;
  cancelTicket(cancel: TicketCancel): Promise<CancelOutcome>;
  cancelGroup(cancel: GroupCancel): Promise<CancelOutcome>;
  /** Starts all the groups in the one session, or changes nothing. */
  startGroups(start: GroupsStart): Promise<StartOutcome>;
  findTicket(ref: TicketRef): Promise<Ticket | null>;
  /** What is under each id, all as of one moment. */
  findGroups(world: TicketWorld, groups: readonly string[]): Promise<readonly (Ticket | null)[]>;
  /** The newest first. */
  listTickets(filter: TicketFilter): Promise<readonly Ticket[]>;
  /** Groups that wait, the oldest first, from behind a place in the pool. */
  listPool(
    world: TicketWorld,
    afterPlace: number,
    limit: number,
  ): Promise<readonly PromotedTicket[]>;
  /**
   * Tickets that are kept of a player of one of these worlds, by game, the oldest first, from behind one of them.
   * Fewer than `limit`: there are no more.
   */
  listTicketsOf(
    of: PlayerTickets,
    after: Pick<Ticket, 'game' | 'id'> | null,
    limit: number,
  ): Promise<readonly Ticket[]>;
  /** Removes tickets that ended before; answers how many. Small steps by `limit`. */
  removeTickets(endedBefore: number, limit: number): Promise<number>;
}
