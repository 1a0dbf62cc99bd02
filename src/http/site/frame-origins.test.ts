/** Which origins may frame a tenant's page of a match. */

import { expect, test } from 'bun:test';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';
import { makeFrameOrigins } from './frame-origins.ts';

const NOW = 1_000;
const tenant = (slug: string, active = true) => ({ id: `ten_${slug}`, slug, active }) as Tenant;
const key = (change: Partial<ApiKey>) =>
  ({ origins: [], expiresAt: null, revokedAt: null, ...change }) as ApiKey;

const KEYS = [
  key({ origins: ['https://a.example', 'https://*.b.example', 'null'] }),
  key({ origins: ['https://a.example', 'capacitor://localhost'] }),
  key({ origins: ['https://revoked.example'], revokedAt: NOW }),
  key({ origins: ['https://expired.example'], expiresAt: NOW }),
  key({ origins: ['https://soon.example'], expiresAt: NOW + 1 }),
];
const store = {
  revision: 1,
  reads: 0,
  tenants: [tenant('acme'), tenant('gone', false), tenant('bare')],
  tenancyRevision: () => Promise.resolve(store.revision),
  listTenants: () => {
    store.reads += 1;
    return Promise.resolve(store.tenants);
  },
  listKeys: (id: string) => {
    store.reads += 1;
    return Promise.resolve(id === 'ten_bare' ? [key({})] : KEYS);
  },
};
const clock = { now: () => NOW };

test('[W2] the origins of valid keys may frame, each listed once', async () => {
  expect(await makeFrameOrigins(store, clock, false)('acme')).toEqual([
    'https://a.example',
    'https://*.b.example',
    'capacitor://localhost',
    'https://soon.example',
  ]);
});

test('[W2] without origins no one may; in development the machine itself', async () => {
  expect(await makeFrameOrigins(store, clock, false)('bare')).toEqual([]);
  expect(await makeFrameOrigins(store, clock, true)('bare')).toEqual([
    'http://localhost:*',
    'http://127.0.0.1:*',
  ]);
});

test('[W2] an unknown or suspended tenant is like one without origins', async () => {
  for (const slug of ['nobody', 'gone', '__proto__']) {
    expect(await makeFrameOrigins(store, clock, false)(slug)).toEqual([]);
  }
});

test('[W2] a change applies at once; without one the store is not asked for lists again', async () => {
  const originsOf = makeFrameOrigins(store, clock, false);
  await originsOf('acme');
  const before = store.reads;
  for (let i = 0; i < 50; i++) await originsOf(i % 2 === 0 ? 'acme' : `stranger-${i}`);
  expect(store.reads).toBe(before);
  store.tenants = [tenant('acme', false)];
  store.revision += 1;
  expect(await originsOf('acme')).toEqual([]);
});
