/** Counts sockets by address, player and tenant (rule P5), and knows each player's sockets. */

import type { TokenClaims } from '../../runtime/access/tokens.ts';
import { type Backlogs, makeBacklogs } from '../connection/backlogs.ts';
import type { Bucket } from '../connection/buckets.ts';
import type { Connection } from '../connection/connection.ts';
import type { ReplayReads } from '../replays.ts';

/** Sockets from one address, and those without a token yet. */
const ADDRESS_SOCKETS_MAX = 200;
const ADDRESS_GREETING_MAX = 20;
export const PLAYER_SOCKETS_MAX = 5;
/** Watchers of one session (rule S10). */
export const SESSION_WATCHERS_MAX = 500;

/** A counter that drops zero entries. */
interface Tally {
  of(key: string): number;
  /** The entries above zero. */
  all(): ReadonlyMap<string, number>;
  add(key: string, by: 1 | -1): void;
}

function makeTally(): Tally {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    all: () => counts,
    add(key, by) {
      const count = (counts.get(key) ?? 0) + by;
      if (count <= 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

/** A player with open sockets here. */
export interface Present {
  sockets: number;
  /** Resolves when the store has recorded them; null afterwards. */
  told: Promise<void> | null;
}

export interface Census {
  readonly all: Set<Connection>;
  readonly byAddress: Tally;
  readonly greeting: Tally;
  readonly byPlayer: Tally;
  /** By tenant and mode. */
  readonly byTenant: Tally;
  /** Watchers, by session. */
  readonly watchersBySession: Tally;
  /** How many players are connected here, by `worldKey`. */
  readonly presentByWorld: Tally;
  /** Players who are connected here, by `playerKey`. */
  readonly present: Map<string, Present>;
  /** Players whose departure could not be stored yet, by `playerKey`. None of them is connected. */
  readonly unreported: Map<string, TokenClaims>;
  /**
   * A player's sockets for a session, or their lobbies, oldest first: one, and sockets that replace each other.
   */
  readonly byPlace: Map<string, readonly Connection[]>;
  readonly replayReads: ReplayReads;
  readonly backlogs: Backlogs;
  /** How often addresses may open sockets, by `addressKey`: recent addresses only. */
  readonly handshakes: Map<string, Bucket>;
  /** How often players may connect, by `playerKey`: recent players only. */
  readonly arrivals: Map<string, Bucket>;
}

export function makeCensus(): Census {
  return {
    all: new Set(),
    byAddress: makeTally(),
    greeting: makeTally(),
    byPlayer: makeTally(),
    byTenant: makeTally(),
    watchersBySession: makeTally(),
    presentByWorld: makeTally(),
    present: new Map(),
    unreported: new Map(),
    byPlace: new Map(),
    replayReads: new Map(),
    backlogs: makeBacklogs(),
    handshakes: new Map(),
    arrivals: new Map(),
  };
}

/** May another socket be opened from this address, with or without a token? */
export function hasRoomFor(census: Census, address: string, hasToken: boolean): boolean {
  if (census.byAddress.of(address) >= ADDRESS_SOCKETS_MAX) return false;
  return hasToken || census.greeting.of(address) < ADDRESS_GREETING_MAX;
}

/** Adds a socket as the newest of its slot. */
export function addSocket({ byPlace }: Census, key: string, connection: Connection): void {
  byPlace.set(key, [...(byPlace.get(key) ?? []), connection]);
}

export function removeSocket({ byPlace }: Census, key: string, connection: Connection): void {
  const others = byPlace.get(key)?.filter((each) => each !== connection) ?? [];
  if (others.length > 0) byPlace.set(key, others);
  else byPlace.delete(key);
}

/** The older sockets of the same slot. */
export function olderThan({ byPlace }: Census, key: string, connection: Connection): Connection[] {
  const there = byPlace.get(key) ?? [];
  return there.slice(0, Math.max(0, there.indexOf(connection)));
}

/** No tenant's id has a colon. */
export function worldKey(tenant: string, mode: string): string {
  return `${tenant}:${mode}`;
}

/** Keys by player. JSON keeps apart parts that would be ambiguous when joined. */
export function playerKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player]);
}

export function lobbyKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player, 'lobby']);
}

/** A bot's socket carries all its sessions, as a player's lobby does. */
export function botKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player, 'bot']);
}

export function placeKey(tenant: string, mode: string, player: string, session: string): string {
  return JSON.stringify([tenant, mode, player, session]);
}
