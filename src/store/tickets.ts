/** The port to tickets, groups and presence: each call is one atomic step (section 5). */

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

/** Where tickets live. They are separate for each tenant, mode and game. */
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

/** What every change needs. */
export interface TicketWrite {
  /** When it happens, ms since 1970. */
  readonly at: number;
  /** The id of its event. */
  readonly eventId: string;
  /** The response to store if the change has an effect; null when the request has no key. */
  readonly idempotency: IdempotencyRow | null;
}

export interface NewTicket extends TicketRef, TicketWrite {
  readonly capacity: number;
  /** The plan's cap on open tickets and groups. */
  readonly openTicketsMax: number;
}

export interface PlayerAdd extends TicketRef, TicketWrite {
  readonly playerId: string;
  /** The pseudonym for the player if they are new to the tenant. */
  readonly newRef: string;
  /**
   * The device's `Verdict` as JSON. If absent, the check of the player's lobby token counts, if it
   * is younger than `LOBBY_CHECK_MS`.
   */
  readonly integrity?: string;
}

export interface PlayerRemove extends TicketRef, TicketWrite {
  readonly playerId: string;
}

/** The store fills in the body of `idempotency`: only it knows who is in the group. */
export interface Promotion extends TicketRef, TicketWrite {
  /** The id for the group, unless it has one. */
  readonly group: string;
}

export type TicketCancel = TicketRef & TicketWrite;
export type GroupCancel = GroupRef & TicketWrite;

/** A session that is active from the start. */
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
  /** Without duplicates. */
  readonly groups: readonly string[];
  readonly seats: SeatRange;
  readonly requireConnected: boolean;
  readonly session: StartedSession;
  /** The id of each group's event. */
  readonly eventIds: readonly string[];
}

/** Which tickets of one game and mode to list; null: any. */
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
/** `again`: it was done before, and nothing changed. */
export type AddOutcome = { readonly kind: 'added' | 'again' } | Refused;
export type RemoveOutcome = { readonly kind: 'removed' } | Refused;
export type PromoteOutcome =
  | { readonly kind: 'promoted' | 'again'; readonly group: Group }
  | Refused;
export type CancelOutcome = { readonly kind: 'cancelled' | 'again' } | Refused;
export type StartOutcome =
  | { readonly kind: 'started' }
  | { readonly kind: 'again'; readonly session: string }
  /** The session's players have changed meanwhile: retry. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'month_full' | 'open_full' }
  | Refused;

/** Whether a player is connected, as one process knows it. */
export interface PlayerPresence {
  readonly tenant: string;
  readonly mode: Mode;
  readonly playerId: string;
  /** The process. What a dead process reported does not count. */
  readonly node: string;
  /** Whether they have a socket open there. */
  readonly isConnected: boolean;
}

export interface PresenceStore {
  /**
   * Called when a player's first socket in a process opens and when their last one closes. Calls
   * about one player take effect in order; once this resolves, every later call sees it.
   */
  setPresence(presence: PlayerPresence): Promise<void>;
}

/** For a store that nodes share. */
export interface SharedPresenceStore extends PresenceStore {
  /** Whether the player is connected to any node, or to any except one. */
  isPresent(tenant: string, mode: Mode, playerId: string, besides?: string): Promise<boolean>;
  /**
   * Writes again which players are connected to this process, and retries until it succeeds: the
   * rows of a node whose lease was expired for long are gone. Erased players are left out.
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
  /** Starts all the groups in one session, or changes nothing. */
  startGroups(start: GroupsStart): Promise<StartOutcome>;
  findTicket(ref: TicketRef): Promise<Ticket | null>;
  /** What each id is, all as of one moment. */
  findGroups(world: TicketWorld, groups: readonly string[]): Promise<readonly (Ticket | null)[]>;
  /** The newest first. */
  listTickets(filter: TicketFilter): Promise<readonly Ticket[]>;
  /** Waiting groups, oldest first, after a position in the pool. */
  listPool(
    world: TicketWorld,
    afterPlace: number,
    limit: number,
  ): Promise<readonly PromotedTicket[]>;
  /**
   * Stored tickets of a player in these modes, by game, oldest first, after one of them. Fewer than
   * `limit`: there are no more.
   */
  listTicketsOf(
    of: PlayerTickets,
    after: Pick<Ticket, 'game' | 'id'> | null,
    limit: number,
  ): Promise<readonly Ticket[]>;
  /** Removes tickets that ended before. Returns how many. Small steps of `limit`. */
  removeTickets(endedBefore: number, limit: number): Promise<number>;
}
