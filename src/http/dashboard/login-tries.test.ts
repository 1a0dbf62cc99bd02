/**
 * Failed sign-ins are counted over all nodes, and sign-ins are refused where they cannot be
 * counted.
 */

import { expect, test } from 'bun:test';
import { StoreUnavailable } from '../../store/shared/store-unavailable.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import { makeBrowser, makeOwner, OWNER } from '../../testing/service/dashboard-browser.ts';
import { openHttpService } from '../../testing/service/http-service.ts';

test('[D2] two nodes of one store allow no more attempts than one, and none when attempts cannot be counted', async () => {
  const bare = openMemoryStore();
  let isAway = false;
  const store: typeof bare = {
    ...bare,
    // Both nodes close the store.
    close: async () => {},
    beginTry: (...args) =>
      isAway ? Promise.reject(new StoreUnavailable('connection refused')) : bare.beginTry(...args),
  };
  const key = new Uint8Array(32);
  const open = () => openHttpService({}, {}, {}, store, key);
  const nodes = [await open(), await open()];
  await makeOwner(nodes[0]!);
  const statuses: number[] = [];
  for (let n = 0; n < 8; n++) {
    const stranger = makeBrowser(nodes[n % 2]!, `192.0.2.${n}`);
    const body = { email: OWNER.email, password: 'a wrong but long one' };
    statuses.push((await stranger.ask('/login', { body })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
  isAway = true;
  nodes[0]!.clock.skip(60_000);
  const body = { email: OWNER.email, password: OWNER.password };
  const asked = await makeBrowser(nodes[0]!, '192.0.2.9').ask('/login', { body });
  expect([asked.status, asked.headers.get('set-cookie')]).toEqual([503, null]);
  for (const node of nodes) await node.close();
  await bare.close();
}, 60_000);
