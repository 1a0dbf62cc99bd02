/** Who has how many sockets: by address, player and tenant (rule P5), and which is whose. */

import type { TokenClaims } from '../runtime/tokens.ts';
import { type Backlogs, makeBacklogs } from './backlogs.ts';
import type { Bucket } from './buckets.ts';
import type { Connection } from './connection.ts';
import type { ReplayReads } from './replays.ts';

/** Sockets from one address, and those of them that have not shown a token yet. */
const ADDRESS_SOCKETS_MAX = 200;
const ADDRESS_GREETING_MAX = 20;
export const PLAYER_SOCKETS_MAX = 5;
/** Watchers of one session (rule S10). */
export const SESSION_WATCHERS_MAX = 500;

/** A counter that forgets what is at zero. */
interface Tally {
  of(key: string): number;
  /** What is not at zero. */
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

/** A player who has sockets open here. */
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
  /** Players whose departure could not be stored yet, by `playerKey`. None is present. */
  readonly unreported: Map<string, TokenClaims>;
  /**
   * A player's sockets for a session, or their lobbies, oldest first: one, and those it is about to
   * replace or to be replaced by.
   */
  readonly byPlace: Map<string, readonly Connection[]>;
  readonly replayReads: ReplayReads;
  readonly backlogs: Backlogs;
  /** How often addresses may open sockets, by `addressKey`: of those from which some came of late. */
  readonly handshakes: Map<string, Bucket>;
  /** How often players may come, by `playerKey`: of those who came of late. */
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

/** May another socket come from this address, with or without a token? */
export function hasRoomFor(census: Census, address: string, hasToken: boolean): boolean {
  if (census.byAddress.of(address) >= ADDRESS_SOCKETS_MAX) return false;
  return hasToken || census.greeting.of(address) < ADDRESS_GREETING_MAX;
}

/** Takes a socket in as the newest of its place. */
export function addSocket({ byPlace }: Census, key: string, connection: Connection): void {
  byPlace.set(key, [...(byPlace.get(key) ?? []), connection]);
}

export function removeSocket({ byPlace }: Census, key: string, connection: Connection): void {
  const others = byPlace.get(key)?.filter((each) => each !== connection) ?? [];
  if (others.length > 0) byPlace.set(key, others);
  else byPlace.delete(key);
}

/** The sockets of a place that are older than this one. */
export function olderThan({ byPlace }: Census, key: string, connection: Connection): Connection[] {
  const there = byPlace.get(key) ?? [];
  return there.slice(0, Math.max(0, there.indexOf(connection)));
}

/** No tenant's id has a colon. */
export function worldKey(tenant: string, mode: string): string {
  return `${tenant}:${mode}`;
}

/** Names of what is counted and kept by player. JSON keeps apart what only looks alike. */
export function playerKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player]);
}

export function lobbyKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player, 'lobby']);
}

/** A bot's socket carries all its sessions, as a lobby does a player's. */
export function botKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player, 'bot']);
}

export function placeKey(tenant: string, mode: string, player: string, session: string): string {
  return JSON.stringify([tenant, mode, player, session]);
}
