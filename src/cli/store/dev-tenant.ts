/**
 * The demo tenant of development mode: created on the first run, its keys stored beside the data.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEV_KEYS_FILE } from '../../config.ts';
import type { MakeId } from '../../runtime/ids.ts';
import type { Clock, Randomness } from '../../runtime/ports.ts';
import { createFile } from '../../runtime/whole-file.ts';
import type { TenancyStore } from '../../store/store.ts';
import { makeKeyText, parseKeyText } from '../../tenancy/key-text.ts';
import type { KeyMode, Tenant } from '../../tenancy/tenant.ts';

/** The content of `dev-keys.json`. Its presence marks a data directory as a development one. */
export interface DevKeys {
  readonly tenant: string;
  readonly liveKey: string;
  readonly testKey: string;
}

/** The demo tenant. */
export const SLUG = 'demo';

export function devKeysFile(dataDir: string): string {
  return join(dataDir, DEV_KEYS_FILE);
}

export interface DevDeps {
  readonly store: Pick<
    TenancyStore,
    'findTenant' | 'listTenants' | 'createTenant' | 'listKeys' | 'createKey'
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly randomness: Pick<Randomness, 'bytes'>;
  readonly makeId: MakeId;
}

/**
 * The demo tenant's keys: those of the file, or new ones. The file comes first, and the store gets
 * the missing ones at every start: a first run that was killed leaves nothing half made. Throws,
 * and changes nothing, when another file's demo tenant is in the store.
 */
export async function openDevTenant(deps: DevDeps, dataDir: string): Promise<DevKeys> {
  const file = devKeysFile(dataDir);
  if (!existsSync(file)) {
    await checkFree(deps, file);
    createFile(file, `${JSON.stringify(drawKeys(deps), null, 2)}\n`);
  }
  const keys = readKeys(file);
  if ((await deps.store.findTenant(keys.tenant)) === null) {
    const created = await makeTenant(deps, keys.tenant);
    if (created === 'slug_taken') throw slugTaken(file);
  }
  await makeKeys(deps, keys);
  return keys;
}

/** The keys of a tenant cannot be read from its store, which has only their hashes. */
async function checkFree({ store }: DevDeps, file: string): Promise<void> {
  if ((await store.listTenants()).some(({ slug }) => slug === SLUG)) throw slugTaken(file);
}

function slugTaken(file: string): Error {
  return new Error(
    `tenant "${SLUG}" already exists, and its keys are not in ${file}: restore that file, ` +
      'start with an empty --data, or run `matchd serve`, which needs no demo tenant',
  );
}

function drawKeys({ makeId, randomness }: DevDeps): DevKeys {
  const draw = (mode: KeyMode) => makeKeyText(mode, (count) => randomness.bytes(count)).text;
  return { tenant: makeId('ten'), liveKey: draw('live'), testKey: draw('test') };
}

/** Throws, naming the file, when it is not what `drawKeys` wrote. */
function readKeys(file: string): DevKeys {
  const text = readFileSync(file, 'utf8');
  try {
    const { tenant, liveKey, testKey } = JSON.parse(text) as DevKeys;
    const modes = [liveKey, testKey].map((key) => parseKeyText(key)?.mode);
    if (typeof tenant === 'string' && modes.join() === 'live,test') {
      return { tenant, liveKey, testKey };
    }
  } catch {
    // Said below.
  }
  throw new Error(`${file} contains no keys of a demo tenant`);
}

function makeTenant({ store, clock }: DevDeps, id: string): Promise<'created' | 'slug_taken'> {
  const now = clock.now();
  const tenant: Tenant = {
    id,
    slug: SLUG,
    name: 'Demo',
    plan: 'pro',
    active: true,
    limits: {},
    createdAt: now,
  };
  const audit = { tenant: id, actor: 'dev', act: 'tenant.created', object: id, at: now } as const;
  return store.createTenant(tenant, audit);
}

/** Those that were rotated or revoked since stay as they are. */
async function makeKeys(deps: DevDeps, { tenant, liveKey, testKey }: DevKeys): Promise<void> {
  const kept = await deps.store.listKeys(tenant);
  const modes = new Set(kept.map(({ mode }) => mode));
  for (const text of [liveKey, testKey]) {
    const { mode, id, hash } = parseKeyText(text)!;
    if (modes.has(mode)) continue;
    const now = deps.clock.now();
    const key = {
      id: deps.makeId('key'),
      tenant,
      mode,
      name: `demo ${mode}`,
      origins: [],
      scopes: null,
      requireOrigin: false,
      hint: `mk_${mode}_${id}`,
      createdAt: now,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    };
    const audit = { tenant, actor: 'dev', act: 'key.created', object: key.id, at: now } as const;
    await deps.store.createKey(key, { id, hash }, audit);
  }
}
