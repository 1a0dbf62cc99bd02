/** The port to what nodes share: leases, session owners, and mail for when the bus is down. */

import type { KeyMode } from '../tenancy/tenant.ts';

/**
 * One run of one process, e.g. `nod_01h…`. The id is new at every start. Times are the store's, in
 * ms since 1970.
 */
export interface LeaseRow {
  readonly node: string;
  /** When the lease expires; other nodes do not take its sessions before. */
  readonly leaseUntil: number;
  /** Its last heartbeat. */
  readonly aliveAt: number;
  /** It takes no new sessions and is shutting down. */
  readonly isDraining: boolean;
  /** Whether its lease has not expired. */
  readonly isValid: boolean;
}

/**
 * `lost`: the lease had expired, so other nodes may own its sessions. A new lease has begun: the
 * node drops everything in memory, then claims what nobody else owns.
 */
export type Renewal = 'kept' | 'lost';

/** A message that one node left for another. */
export interface Mail {
  readonly from: string;
  readonly text: string;
}

export interface Claim {
  /** As `holderOf`. Also null when another node claimed it a moment earlier. */
  readonly holder: string | null;
  /** Whether the session was asleep before. */
  readonly isNew: boolean;
}

export interface MemberStore {
  /**
   * A heartbeat: the node's lease is valid for `ttlMs` from now on. The first one joins and returns
   * `kept`. With `isLostTimeDue` it does not update the last sign of life, because the sessions'
   * logs do not record their lost time yet.
   */
  renewLease(
    node: string,
    ttlMs: number,
    isDraining: boolean,
    isLostTimeDue?: boolean,
  ): Promise<Renewal>;
  /** All nodes that joined, including those that left or died recently, by id. */
  listLeases(): Promise<readonly LeaseRow[]>;
  /**
   * Ends a lease with no more than `leftMs` left: its node has missed heartbeats and does not
   * answer on the bus. False when more is left, or it has expired.
   */
  endLease(node: string, leftMs: number): Promise<boolean>;
  /** The node leaves: ends its lease and deletes its mail. No error for an unknown node. */
  removeNode(node: string): Promise<void>;
  /** The node that owns a session; null when it sleeps, has ended, or its owner's lease has expired. */
  holderOf(session: string): Promise<string | null>;
  /** Makes a node the owner of a sleeping session. Its due time stays in the row until the node writes. */
  claim(node: string, session: string): Promise<Claim>;
  /**
   * Those of these sessions that another node owns by now, or that have ended. The node must drop
   * them from memory.
   */
  listToRelease(node: string, sessions: readonly string[]): Promise<readonly string[]>;
  /** The sessions that a node owns by their rows, ordered by id, after `after`. */
  listHeld(node: string, after: string, limit: number): Promise<readonly string[]>;
}

export interface MailStore {
  /**
   * Leaves messages for a node, in order. They are dropped if the node's lease has expired. After
   * an error they may be stored nevertheless.
   */
  putMail(to: string, from: string, texts: readonly string[]): Promise<void>;
  /** Removes and returns stored messages, oldest first, at most `limit`. */
  takeMail(node: string, limit: number): Promise<readonly Mail[]>;
}

export interface ErasedSeat {
  readonly session: string;
  readonly seat: number;
  /** When it was requested, by the clock of the node that performed it; ms since 1970. */
  readonly at: number;
}

/** What nodes must forget of a player that another node has erased (rule R2). */
export interface ErasureStore {
  /** Rises with every erasure, on any node. */
  erasureRevision(): Promise<number>;
  /** Seats of these sessions whose players were erased. */
  listErased(sessions: readonly string[]): Promise<readonly ErasedSeat[]>;
  /**
   * Removes responses stored in the last minute that name this id if no player has it any more:
   * they were made while the player still existed. Does nothing if a player has the id.
   */
  forgetAnswers(tenant: string, world: KeyMode, playerId: string): Promise<void>;
}

/** What only a store shared by several nodes has. A store of a single process has none of it. */
export type ClusterStore = MemberStore & MailStore & ErasureStore;

/** A webhook that a node serves. */
export interface ServedWebhook {
  readonly tenant: string;
  readonly id: string;
  /** The webhook's epoch since this node serves it. A different epoch means that the node has lost it. */
  readonly epoch: number;
  /** Rises with every change by the tenant that does not change the epoch. */
  readonly revision: number;
}

export interface WebhookClaim {
  /** All webhooks that the node serves now, by id. */
  readonly served: readonly ServedWebhook[];
  /**
   * How many webhooks the node should serve: its share of all active ones. Other nodes may take
   * what it has above that.
   */
  readonly share: number;
}

/**
 * Which node delivers events to which webhook. A webhook belongs to a node while that node's lease
 * is valid. After a takeover, deliveries that the former node began do not count.
 */
export interface WebhookClaimStore {
  /**
   * Claims free active webhooks up to the node's share. A node without a lease gets none. One call
   * per node at a time.
   */
  claimWebhooks(node: string): Promise<WebhookClaim>;
  /**
   * The node stops serving these webhooks and others may claim them. No error for webhooks that it
   * does not serve.
   */
  releaseWebhooks(node: string, webhooks: readonly string[]): Promise<void>;
}
