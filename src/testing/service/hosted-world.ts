/** Hosted matchmaking as a tenant and its players see it: HTTP, real sockets and a real store. */

import { shippedGames } from '../../games/registry.ts';
import { makeKeyRing } from '../../runtime/access/key-ring.ts';
import { makeEventFeed } from '../../runtime/events/event-feed.ts';
import { makeIds } from '../../runtime/ids.ts';
import { makeHostedService } from '../../runtime/matchmaking/hosted.ts';
import { systemRandomness } from '../../runtime/system.ts';
import { makeKeyText } from '../../tenancy/key-text.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { SocketClient } from '../sockets/socket-client.ts';
import type { Issuer, SocketWorld, WorldWish } from '../sockets/socket-world.ts';
import { openSocketWorld } from '../sockets/socket-world.ts';
import { type Asking, makeAsking } from './asking.ts';
import { type HostedAsking, makeHostedAsking } from './hosted-asking.ts';
import { openHttpService } from './http-service.ts';

export interface HostedWorld extends SocketWorld {
  readonly issuer: Issuer;
  readonly ask: Asking;
  readonly hosted: HostedAsking;
  /** A player's lobby, welcomed. */
  lobby(player: string): Promise<SocketClient>;
}

export interface HostedWish extends WorldWish {
  readonly mode?: 'live' | 'test';
  readonly tenant?: Partial<Tenant>;
}

/** A world with one tenant and one key; an existing `database` needs its tenant's id. */
export async function openHostedWorld(wish: HostedWish = {}): Promise<HostedWorld> {
  const { mode = 'test', tenant: tenantWish } = wish;
  const world = await openSocketWorld(wish);
  const { store, clock } = world;
  const made = makeKeyText(mode, (count) => systemRandomness.bytes(count));
  const { tenant, key } = await world.makeIssuer(tenantWish, { mode });
  const textKey = { ...key, id: `${key.id.slice(0, -4)}text` };
  const audit = { tenant: tenant.id, actor: 'cli', act: 'test', object: '', at: 0 };
  await store.createKey(textKey, { id: made.id, hash: made.hash }, audit);
  const makeId = makeIds(clock, systemRandomness);
  const { node } = world;
  const http = await openHttpService({
    service: world.sessions,
    hosted: makeHostedService({
      store,
      games: shippedGames,
      host: world.host,
      clock,
      randomness: systemRandomness,
      makeId,
      node,
      isInLobby: world.sockets.isInLobby,
      isElsewhere: () => false,
    }),
    keys: makeKeyRing({ store, clock }),
    tokens: world.tokens,
    events: makeEventFeed(store),
    store,
    clock,
    makeId,
  });
  const issuer = { tenant, key };
  const lobby = async (player: string): Promise<SocketClient> => {
    const client = await world.open({ token: world.lobbyToken(issuer, player) });
    await client.next('welcome');
    return client;
  };
  const ask = makeAsking(http.app, made.text);
  const leave = async (): Promise<void> => {
    await world.leave();
    await http.close();
  };
  return {
    ...world,
    issuer,
    ask,
    hosted: makeHostedAsking(ask, async (player) => void (await lobby(player))),
    lobby,
    leave,
    async close() {
      await world.close();
      await http.close();
    },
  };
}
