/** Tests of who may frame a tenant's page of a match. */

import { expect, test } from 'bun:test';
import type { ApiKey, Tenant } from '../tenancy/tenant.ts';
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
  listTenants: () => Promise.resolve([tenant('acme'), tenant('gone', false), tenant('bare')]),
  listKeys: (id: string) => Promise.resolve(id === 'ten_acme' ? KEYS : [key({})]),
};
const clock = { now: () => NOW };

test('[H7][H10] the web origins of keys that are good may frame, each once', async () => {
  expect(await makeFrameOrigins(store, clock, false)('acme')).toEqual([
    'https://a.example',
    'https://*.b.example',
    'https://soon.example',
  ]);
});

test('[H7][H10] without origins nobody may; in development the machine itself', async () => {
  expect(await makeFrameOrigins(store, clock, false)('bare')).toEqual([]);
  expect(await makeFrameOrigins(store, clock, true)('bare')).toEqual([
    'http://localhost:*',
    'http://127.0.0.1:*',
  ]);
});

test('[H10] a tenant that is not there, or suspended, has no page', async () => {
  expect(await makeFrameOrigins(store, clock, false)('nobody')).toBeNull();
  expect(await makeFrameOrigins(store, clock, false)('gone')).toBeNull();
});
