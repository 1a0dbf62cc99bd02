/** The demo tenant of development mode: made on the first run, its keys kept beside the data. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEV_KEYS_FILE } from '../config.ts';
import type { MakeId } from '../runtime/ids.ts';
import type { Clock, Randomness } from '../runtime/ports.ts';
import type { CoreStore } from '../store/store.ts';
import { makeKeyText } from '../tenancy/key-text.ts';
import type { KeyMode, Tenant } from '../tenancy/tenant.ts';

/** What `dev-keys.json` holds. Its presence marks a data directory as a development one. */
export interface DevKeys {
  readonly tenant: string;
  readonly liveKey: string;
  readonly testKey: string;
}

const FILE_MODE = 0o600;

export function devKeysFile(dataDir: string): string {
  return join(dataDir, DEV_KEYS_FILE);
}

interface DevDeps {
  readonly store: CoreStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly makeId: MakeId;
}

/** The demo tenant's keys: those of the file, or new ones with a new tenant. */
export async function openDevTenant(deps: DevDeps, dataDir: string): Promise<DevKeys> {
  const file = devKeysFile(dataDir);
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as DevKeys;
  const now = deps.clock.now();
  const tenant: Tenant = {
    id: deps.makeId('ten'),
    slug: 'demo',
    name: 'Demo',
    plan: 'pro',
    active: true,
    limits: {},
    createdAt: now,
  };
  const audit = { tenant: tenant.id, actor: 'dev', object: tenant.id, at: now };
  await deps.store.createTenant(tenant, { ...audit, act: 'tenant.created' });
  const liveKey = await createKey(deps, tenant.id, 'live');
  const testKey = await createKey(deps, tenant.id, 'test');
  const keys: DevKeys = { tenant: tenant.id, liveKey, testKey };
  writeFileSync(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: FILE_MODE });
  return keys;
}

async function createKey(deps: DevDeps, tenant: string, mode: KeyMode): Promise<string> {
  const { text, id, hash, hint } = makeKeyText(mode, (count) => deps.randomness.bytes(count));
  const now = deps.clock.now();
  const key = {
    id: deps.makeId('key'),
    tenant,
    mode,
    name: `demo ${mode}`,
    origins: [],
    requireOrigin: false,
    hint,
    createdAt: now,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
  };
  const audit = { tenant, actor: 'dev', act: 'key.created', object: key.id, at: now };
  await deps.store.createKey(key, { id, hash }, audit);
  return text;
}
