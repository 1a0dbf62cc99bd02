/** Issuers whose tokens opened many sockets, looked up with a slow store. */

import { expect, test } from 'bun:test';
import type { TokenClaims } from '../runtime/access/tokens.ts';
import { type Connection, PlacesById } from './connection/connection.ts';
import type { SocketDeps } from './connection/deps.ts';
import { makeCensus } from './presence/census.ts';
import { closeRevoked } from './presence/revoked.ts';

test('[K2] many issuers are looked up together, and one failed look-up does not delay the others', async () => {
  const census = makeCensus();
  const closed: string[] = [];
  for (let n = 0; n < 100; n++) {
    const claims = { tenant: `ten_${n}`, mode: 'live', key: `key_${n}`, scope: 'lobby' };
    census.all.add({
      origin: null,
      state: { kind: 'open', claims, places: new PlacesById() },
      socket: { close: () => void closed.push(claims.tenant) },
    } as unknown as Connection);
  }
  const underWay = { now: 0, most: 0 };
  const accessOf = async ({ tenant }: TokenClaims) => {
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    await Bun.sleep(1);
    underWay.now -= 1;
    if (tenant === 'ten_3') throw new Error('the store is away');
    return () => ({ ok: false, reason: 'token' }) as const;
  };
  const failed = closeRevoked({ accessOf } as unknown as SocketDeps, census).catch(String);
  expect(await failed).toBe('Error: the store is away');
  expect(closed.length).toBe(99);
  expect(underWay.most).toBe(32);
});
