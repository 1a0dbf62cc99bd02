/** The port to what nodes know of each other: leases, who holds a session, mail for when the bus is down. */

import type { KeyMode } from '../tenancy/tenant.ts';

/**
 * One process's life, e.g. `nod_01h…`: a new one at every start, never used again. Times are the
 * store's, in ms since 1970.
 */
export interface LeaseRow {
  readonly node: string;
  /** Until then it is polite to leave its sessions to it. */
  readonly leaseUntil: number;
  /** Its last heartbeat. */
  readonly aliveAt: number;
  /** It takes no new sessions and is about to leave. */
  readonly isDraining: boolean;
  /** Its lease is not over. */
  readonly isValid: boolean;
}

/**
 * `lost`: the lease had been over, and others may hold what was this node's. A new one has begun:
 * the node drops all it had in memory, then takes back what nobody else has.
 */
export type Renewal = 'kept' | 'lost';

/** A text that one node left for another. */
export interface Mail {
  readonly from: string;
  readonly text: string;
}

export interface Claim {
  /** As `holderOf`; null also when another node was faster by a moment. */
  readonly holder: string | null;
  /** It slept until now, and no longer does. */
  readonly isNew: boolean;
}

export interface MemberStore {
  /**
   * A heartbeat: the node's lease holds for `ttlMs` from now on. The first one joins, and is `kept`.
   * `isLostTimeDue`: it is no sign of life, as the node's sessions have lost time that their logs do not say yet.
   */
  renewLease(
    node: string,
    ttlMs: number,
    isDraining: boolean,
    isLostTimeDue?: boolean,
  ): Promise<Renewal>;
  /** All that joined, those that left or died not long ago among them, by node. */
  listLeases(): Promise<readonly LeaseRow[]>;
  /**
   * Ends a lease that holds for no more than `leftMs`: its node has not renewed it lately, and the bus
   * finds nobody there. False when it holds for longer, or is over.
   */
  endLease(node: string, leftMs: number): Promise<boolean>;
  /** The node leaves: its lease is over, its mail is thrown away. Harmless for one that is not there. */
  removeNode(node: string): Promise<void>;
  /** The node that holds a session; null when it sleeps, has ended, or its holder's lease is over. */
  holderOf(session: string): Promise<string | null>;
  /** Has a session that sleeps be held by a node from now on. When it was due stays in its row until the node writes. */
  claim(node: string, session: string): Promise<Claim>;
  /**
   * Those of these sessions that are another node's by now, or have ended: a node that has them in
   * memory as if they went on does so without success.
   */
  listStrays(node: string, sessions: readonly string[]): Promise<readonly string[]>;
  /** Sessions that a node holds by their rows, in order of their ids, from the first after `after` on. */
  listHeld(node: string, after: string, limit: number): Promise<readonly string[]>;
}

export interface MailStore {
  /**
   * Leaves texts for a node, in order; for one whose lease is over they are thrown away. Of a call that
   * fails they may be there all the same.
   */
  putMail(to: string, from: string, texts: readonly string[]): Promise<void>;
  /** Takes away what is there, oldest first, at most `limit` texts. */
  takeMail(node: string, limit: number): Promise<readonly Mail[]>;
}

export interface ErasedSeat {
  readonly session: string;
  readonly seat: number;
  /** When that was asked for, by the clock of the node that did it; ms since 1970. */
  readonly at: number;
}

/** What is left to forget of a player whom another node has erased (rule R2). */
export interface ErasureStore {
  /** Rises with every erasure, by whichever node. */
  erasureRevision(): Promise<number>;
  /** Seats of these sessions whose players were erased. */
  listErased(sessions: readonly string[]): Promise<readonly ErasedSeat[]>;
  /**
   * Removes what answers of the last minute, kept for repeats, name somebody who is nobody's player
   * any more: they were made where they were still known. Nothing where somebody is called so.
   */
  forgetAnswers(tenant: string, world: KeyMode, playerId: string): Promise<void>;
}

/** What a store has that several nodes share; one that a single process uses has none of it. */
export type ClusterStore = MemberStore & MailStore & ErasureStore;

/** A webhook that a node serves. */
export interface ServedWebhook {
  readonly tenant: string;
  readonly id: string;
  /** The webhook's, as it is since this node serves it: another one means that it does not any more. */
  readonly epoch: number;
  /** Rises with every change by the tenant that is none of the epoch. */
  readonly revision: number;
}

export interface WebhookClaim {
  /** All that the node serves now, by id. */
  readonly served: readonly ServedWebhook[];
  /** How many it should: its part of all that are active. What it has above it others would take. */
  readonly share: number;
}

/**
 * Which node sends which webhook its events. A webhook belongs to a node for as long as that node's
 * lease is valid; what the node before began counts for nothing from the moment it is taken over.
 */
export interface WebhookClaimStore {
  /**
   * Takes, up to the node's share, what is active and nobody's. A node without a lease has nothing. A
   * node asks once at a time.
   */
  claimWebhooks(node: string): Promise<WebhookClaim>;
  /** The node serves these no more, others may. Harmless for those that it does not serve. */
  releaseWebhooks(node: string, webhooks: readonly string[]): Promise<void>;
}
