/** Calls hosted matchmaking concisely. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Ask, Asked, Asking } from './asking.ts';

export const HOSTED = '/matchmaking/hosted';

export interface HostedAsking {
  ticket(query?: string): Promise<string>;
  add(ticket: string, playerId: string, ask?: Ask): Promise<Asked>;
  /** The id of the group. */
  promote(ticket: string): Promise<string>;
  /** A group of these players, who are connected first. */
  group(...players: readonly string[]): Promise<string>;
  start(groupIds: readonly string[], more?: object, query?: string): Promise<Asked>;
  pool(query?: string): Promise<Asked>;
  /** Any call: the path below `/matchmaking/hosted`, the game in the query. */
  call(method: string, path: string, ask?: Ask, query?: string): Promise<Asked>;
}

/** `connect` connects a player in the test's own way. */
export function makeHostedAsking(
  ask: Asking,
  connect: (playerId: string) => Promise<void>,
  game = 'tictactoe',
): HostedAsking {
  const call: HostedAsking['call'] = (method, path, asked = {}, query = '') =>
    ask(`${HOSTED}${path}?game=${game}${query}`, { method, ...asked });
  const hosted: HostedAsking = {
    call,
    async ticket(query) {
      const made = await call('POST', '/ticket', {}, query);
      if (made.status !== 201) throw new Error(made.text);
      return made.json.ticketId;
    },
    add: (ticket, playerId, asked = {}) =>
      call('POST', `/ticket/${ticket}/players`, { body: { playerId }, ...asked }),
    async promote(ticket) {
      const promoted = await call('POST', `/ticket/${ticket}/promote`);
      if (promoted.status !== 200) throw new Error(promoted.text);
      return promoted.json.group.id;
    },
    async group(...players) {
      const ticket = await hosted.ticket();
      for (const player of players) {
        await connect(player);
        const added = await hosted.add(ticket, player);
        if (added.status !== 200) throw new Error(added.text);
      }
      return hosted.promote(ticket);
    },
    start: (groupIds, more = {}, query = '') =>
      call('POST', '/start-match', { body: { groupIds, ...more } }, query),
    pool: (query) => call('GET', '/pool', {}, query),
  };
  return hosted;
}

/** A player's presence, as reported by a socket service. */
export function presenceOf(tenant: string, mode: KeyMode, playerId: string, isConnected = true) {
  return { tenant, mode, playerId, node: 'nod_test', isConnected };
}
