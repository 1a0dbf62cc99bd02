/** Who has how many sockets: by address, player and tenant (rule P5), and which is whose. */

import { addressKey } from '../tenancy/address.ts';
import type { Connection } from './connection.ts';

/** Sockets from one address, and those of them that have not shown a token yet. */
export const ADDRESS_SOCKETS_MAX = 200;
export const ADDRESS_GREETING_MAX = 20;
export const PLAYER_SOCKETS_MAX = 5;

/** A counter that forgets what is at zero. */
interface Tally {
  of(key: string): number;
  add(key: string, by: 1 | -1): void;
}

function makeTally(): Tally {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, by) {
      const count = (counts.get(key) ?? 0) + by;
      if (count <= 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

export interface Census {
  readonly all: Set<Connection>;
  readonly byAddress: Tally;
  readonly greeting: Tally;
  readonly byPlayer: Tally;
  /** By tenant and mode. */
  readonly byTenant: Tally;
  /** The one socket of a player for a session, or his lobby. */
  readonly current: Map<string, Connection>;
}

export function makeCensus(): Census {
  return {
    all: new Set(),
    byAddress: makeTally(),
    greeting: makeTally(),
    byPlayer: makeTally(),
    byTenant: makeTally(),
    current: new Map(),
  };
}

/** May another socket come from this address, with or without a token? */
export function hasRoomFor(census: Census, address: string, hasToken: boolean): boolean {
  const key = addressKey(address);
  if (census.byAddress.of(key) >= ADDRESS_SOCKETS_MAX) return false;
  return hasToken || census.greeting.of(key) < ADDRESS_GREETING_MAX;
}

/** Names of what is counted and kept by player. JSON keeps apart what only looks alike. */
export function playerKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player]);
}

export function lobbyKey(tenant: string, mode: string, player: string): string {
  return JSON.stringify([tenant, mode, player, 'lobby']);
}

export function placeKey(tenant: string, mode: string, player: string, session: string): string {
  return JSON.stringify([tenant, mode, player, session]);
}
