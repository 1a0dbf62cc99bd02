/** The tenants of a run, put into the store before anything listens: wide limits, and one narrow one. */

import type { Store } from '../../src/store/whole-store.ts';
import { makeKeyText } from '../../src/tenancy/key-text.ts';
import type { PlanName } from '../../src/tenancy/tenant.ts';

export interface TenantKeys {
  /** No limit that the run comes near. */
  readonly wide: string;
  /** A plan's own limit of requests a minute, which is asked to its end. */
  readonly narrow: string;
  /** That limit. */
  readonly narrowLimit: number;
}

const GROWTH_REQUESTS_A_MINUTE = 300;

type KeyStore = Pick<Store, 'createTenant' | 'createKey'>;

export async function makeTenant(store: KeyStore): Promise<TenantKeys> {
  return {
    wide: await makeKey(store, 'faults', 'enterprise'),
    narrow: await makeKey(store, 'narrow', 'growth'),
    narrowLimit: GROWTH_REQUESTS_A_MINUTE,
  };
}

async function makeKey(store: KeyStore, slug: string, plan: PlanName): Promise<string> {
  const key = makeKeyText('test', (count) => crypto.getRandomValues(new Uint8Array(count)));
  const at = Date.now();
  const tenant = `ten_${slug}`;
  const audit = { tenant, actor: 'test', act: 'made', object: tenant, at };
  const row = { id: tenant, slug, name: slug, plan, active: true, limits: {}, createdAt: at };
  await store.createTenant(row, audit);
  await store.createKey(
    {
      id: `key_${slug}`,
      tenant,
      mode: 'test',
      name: slug,
      origins: [],
      requireOrigin: false,
      hint: key.hint,
      createdAt: at,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    },
    { id: key.id, hash: key.hash },
    audit,
  );
  return key.text;
}
