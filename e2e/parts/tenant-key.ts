/** A tenant with one test key, created in a store before any node listens. */

import type { Store } from '../../src/store/whole-store.ts';
import { makeKeyText } from '../../src/tenancy/key-text.ts';
import type { PlanName } from '../../src/tenancy/tenant.ts';

export type KeyStore = Pick<Store, 'createTenant' | 'createKey'>;

/** Returns the key's text. The tenant is named after its slug. */
export async function makeTenantKey(
  store: KeyStore,
  slug: string,
  plan: PlanName,
): Promise<string> {
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
      scopes: null,
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
