/** What the simulated database holds: rows that are replaced and never changed in place. */

import type { KeptEvent } from '../../src/events/event.ts';
import type { GameId } from '../../src/games/game.ts';
import type { Mode } from '../../src/match/record.ts';
import type { Standing } from '../../src/matchmaking/rating.ts';
import type { TicketStatus } from '../../src/matchmaking/ticket.ts';
import type { IdempotencyRow, SessionRow, SigningSecret } from '../../src/store/store.ts';
import type { KeptAttempt, Webhook } from '../../src/store/webhooks.ts';
import type { KeyMode } from '../../src/tenancy/tenant.ts';
import type { Outstanding } from '../../src/webhooks/parcel.ts';

export interface PlayerTableRow {
  readonly ref: string;
  readonly tenant: string;
  readonly world: KeyMode;
  /** Null once he was erased. */
  playerId: string | null;
  displayName: string | null;
  /** Of the device, by lobby tokens: the newest verdict as JSON; null for none. */
  check: { readonly verdict: string; readonly at: number } | null;
  /** By mode and game; those without a rated match are left out. */
  readonly standings: Map<string, Standing>;
  readonly createdAt: number;
  erasedAt?: number;
}

/** Who wrote a record, beside the record itself: for the checks alone. */
export interface KeptRecord {
  /** An `Entry` as JSON. */
  readonly text: string;
  /** The node whose commit it was. */
  readonly by: string;
  /** When the database took it, by the true time; ms since 1970. */
  readonly writtenAt: number;
  /** That node had read the session since the record before: it may have loaded it. */
  readonly isLoaded: boolean;
  /** Nodes that had claimed the session since then, or were given it as a dead node's. */
  readonly takers: readonly string[];
  /** Nobody had held the session until then, or until that node claimed it. */
  readonly slept: boolean;
}

export interface SessionTableRow {
  row: SessionRow;
  readonly seats: (PlayerTableRow | undefined)[];
  readonly bots: Set<number>;
  /** Who left their seats, by the version of the record that says so. */
  readonly former: Map<
    number,
    { readonly seat: number; readonly player: PlayerTableRow; readonly isBot: boolean }
  >;
  readonly log: KeptRecord[];
  /** The node that holds it; null when it sleeps or has ended. */
  holder: string | null;
  /** When it is due while it sleeps, ms since 1970. */
  wakeAt: number | null;
  /** The node that it was listed for as it was due. */
  dueNode: string | null;
  /** The node that claimed it as it slept, and holds it since. */
  claimedBy: string | null;
  /** Since its last record, for the checks alone: the nodes that read it, and those that took it. */
  readonly readers: Set<string>;
  readonly takers: Set<string>;
}

export interface TicketTableRow {
  readonly id: string;
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  readonly capacity: number;
  readonly createdAt: number;
  status: TicketStatus;
  players: PlayerTableRow[];
  /** What was found of their devices: JSON. */
  readonly checks: Map<PlayerTableRow, string>;
  group: string | null;
  promotedAt: number | null;
  poolPlace: number | null;
  session: string | null;
  startedWith: number | null;
  endedAt: number | null;
}

/** An event of the log: whole, or the place of the record that tells it. */
export type EventTableRow =
  | Omit<KeptEvent, 'seq'>
  | { readonly session: string; readonly v: number; readonly at: number };

export interface EventTable {
  /** The place of the last event that was removed. */
  removed: number;
  readonly rows: EventTableRow[];
}

export interface WaitingTableRow {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  readonly pairing: string;
  readonly session: string;
  readonly player: PlayerTableRow;
  /** As of the moment at which the player began to wait. */
  readonly rating: number;
  readonly since: number;
}

export interface WebhookTableRow {
  webhook: Webhook;
  readonly outstanding: Map<number, Outstanding>;
  attempts: KeptAttempt[];
  /** The node that serves it in a cluster. */
  server: string | null;
  revision: number;
}

export interface Tables {
  readonly sessions: Map<string, SessionTableRow>;
  /** By tenant and player id; erased players are under no name. */
  readonly players: Map<string, PlayerTableRow>;
  readonly refs: Map<string, PlayerTableRow>;
  readonly roomCodes: Map<string, { readonly session: string; readonly expiresAt: number }>;
  readonly counters: Map<string, number>;
  readonly answers: Map<string, IdempotencyRow>;
  /** How many players were erased. */
  erasures: number;
  readonly tickets: Map<string, TicketTableRow>;
  /** By player, the nodes on which he is connected. */
  readonly presence: Map<string, Set<string>>;
  /** By world. */
  readonly events: Map<string, EventTable>;
  readonly waiting: Set<WaitingTableRow>;
  readonly webhooks: Map<string, WebhookTableRow>;
  readonly heartbeats: Map<string, number>;
  signing: SigningSecret | null;
  /** Do several nodes share it? Alone, one process serves from it at a time. */
  readonly isCluster: boolean;
  /** Does a node's hold on sessions count? */
  isNodeValid(node: string): boolean;
  /** Does it count who is connected there? */
  isPresenceValid(node: string): boolean;
  /** Told of every player who is taken into a ticket; for the checks alone. */
  onAdded(playerId: string): void;
  /** The true time, ms since 1970; for the checks alone. */
  now(): number;
  /**
   * Told when a node becomes a session's owner by its log, and who held it until then: null for nobody, and for one
   * that has claimed it and written nothing. For the checks alone.
   */
  onOwned(session: string, node: string, holder: string | null): void;
}

export function makeTables(isCluster = false): Tables {
  return {
    sessions: new Map(),
    players: new Map(),
    refs: new Map(),
    roomCodes: new Map(),
    counters: new Map(),
    answers: new Map(),
    erasures: 0,
    tickets: new Map(),
    presence: new Map(),
    events: new Map(),
    waiting: new Set(),
    webhooks: new Map(),
    heartbeats: new Map(),
    signing: null,
    isCluster,
    isNodeValid: () => true,
    isPresenceValid: () => true,
    onAdded() {},
    now: () => 0,
    onOwned() {},
  };
}

/** Names of rows are made of their keys; no key holds this character. */
export function rowName(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** Counts one more, unless `max` are counted: then it answers false. */
export function count(tables: Tables, name: string, max: number | null): boolean {
  const n = tables.counters.get(name) ?? 0;
  if (max !== null && n >= max) return false;
  tables.counters.set(name, n + 1);
  return true;
}

export function uncount(tables: Tables, name: string): void {
  tables.counters.set(name, (tables.counters.get(name) ?? 0) - 1);
}
