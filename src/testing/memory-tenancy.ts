/** Tenants and keys in memory: the part of the memory store that changes rarely. */

import type { AuditRow, FoundKey, TenancyStore } from '../store/store.ts';
import type { ApiKey, Tenant } from '../tenancy/tenant.ts';

interface KeptSecret {
  readonly key: string;
  readonly hash: string;
  expiresAt: number | null;
}

/** `audit` is for tests to look at: the port has no way to read it yet. */
export function makeMemoryTenancy(audit: AuditRow[] = []): TenancyStore {
  const tenants = new Map<string, Tenant>();
  const keys = new Map<string, ApiKey>();
  const secrets = new Map<string, KeptSecret>();
  let revision = 0;
  const note = (row: AuditRow): void => {
    audit.push(row);
    revision += 1;
  };
  /** Replaces what is there; false when there is none. */
  const change = <T extends object>(
    map: Map<string, T>,
    id: string,
    fields: object,
    row: AuditRow,
  ): boolean => {
    const known = map.get(id);
    if (known === undefined) return false;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    map.set(id, { ...known, ...Object.fromEntries(given) });
    note(row);
    return true;
  };
  return {
    async createTenant(tenant, row) {
      const isTaken = [...tenants.values()].some(
        ({ id, slug }) => id === tenant.id || slug === tenant.slug,
      );
      if (isTaken) throw new Error('There is such a tenant');
      tenants.set(tenant.id, tenant);
      note(row);
    },
    updateTenant: async (id, fields, row) => change(tenants, id, fields, row),
    findTenant: async (id) => tenants.get(id) ?? null,
    listTenants: async () => [...tenants.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    async createKey(key, secret, row, keysMax = null) {
      const kept = [...keys.values()].filter((each) => each.tenant === key.tenant);
      const held = kept.filter(({ revokedAt }) => revokedAt === null).length;
      if (keysMax !== null && held >= keysMax) return 'full';
      if (keys.has(key.id) || secrets.has(secret.id)) throw new Error('There is such a key');
      keys.set(key.id, key);
      secrets.set(secret.id, { key: key.id, hash: secret.hash, expiresAt: null });
      note(row);
      return 'created';
    },
    async rotateKey(id, secret, hint, overlapUntil, row) {
      if (secrets.has(secret.id)) throw new Error('There is such a secret');
      const isRestricted = (keys.get(id)?.scopes ?? null) !== null;
      if (isRestricted && !hint.startsWith('mrk_')) throw new Error('The key is restricted');
      if (!change(keys, id, { hint }, row)) return false;
      for (const each of secrets.values()) {
        if (each.key === id) each.expiresAt = Math.min(each.expiresAt ?? Infinity, overlapUntil);
      }
      secrets.set(secret.id, { key: id, hash: secret.hash, expiresAt: null });
      return true;
    },
    updateKey: async (id, fields, row) => change(keys, id, fields, row),
    findKey: async (id) => keys.get(id) ?? null,
    async listKeys(tenant) {
      const own = [...keys.values()].filter((key) => key.tenant === tenant);
      return own.sort((a, b) => (a.id < b.id ? 1 : -1));
    },
    async findKeyBySecret(secretId): Promise<FoundKey | null> {
      const secret = secrets.get(secretId);
      const key = secret && keys.get(secret.key);
      const tenant = key && tenants.get(key.tenant);
      if (!secret || !key || !tenant) return null;
      return { key, tenant, secret: { hash: secret.hash, expiresAt: secret.expiresAt } };
    },
    async touchKeys(used) {
      for (const { id, at } of used) {
        const key = keys.get(id);
        if (key !== undefined) keys.set(id, { ...key, lastUsedAt: at });
      }
    },
    tenancyRevision: async () => revision,
  };
}
