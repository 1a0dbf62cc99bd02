/** Converts rows of tenants and keys. */

import type { KeyScope } from '../../tenancy/key-scopes.ts';
import type { ApiKey, KeyMode, PlanName, Tenant } from '../../tenancy/tenant.ts';
import type { FoundKey, OldSecret } from '../store.ts';
import { numberOrNull, type Row } from './row.ts';

export function toTenant(row: Row): Tenant {
  return {
    id: String(row['id']),
    slug: String(row['slug']),
    name: String(row['name']),
    plan: row['plan'] as PlanName,
    active: Boolean(row['active']),
    limits: JSON.parse(String(row['limits'])) as Tenant['limits'],
    createdAt: Number(row['created_at']),
  };
}

export function toKey(row: Row): ApiKey {
  return {
    id: String(row['id']),
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    name: String(row['name']),
    scopes: row['scopes'] === null ? null : (JSON.parse(String(row['scopes'])) as KeyScope[]),
    origins: JSON.parse(String(row['origins'])) as string[],
    requireOrigin: Boolean(row['require_origin']),
    hint: String(row['hint']),
    createdAt: Number(row['created_at']),
    expiresAt: numberOrNull(row['expires_at']),
    revokedAt: numberOrNull(row['revoked_at']),
    lastUsedAt: numberOrNull(row['last_used_at']),
  };
}

/** A key's columns, and its tenant's and secret's under their names in `FOUND_COLUMNS`. */
export function toFoundKey(row: Row): FoundKey {
  const tenant = toTenant({
    ...row,
    id: row['tenant'],
    name: row['tenant_name'],
    created_at: row['tenant_created_at'],
  });
  return {
    key: toKey(row),
    tenant,
    secret: {
      id: String(row['secret_id']),
      hash: String(row['hash']),
      expiresAt: numberOrNull(row['secret_expires_at']),
      lastUsedAt: numberOrNull(row['secret_last_used_at']),
    },
  };
}

export function toOldSecret(row: Row): OldSecret {
  return {
    id: String(row['id']),
    key: String(row['key']),
    expiresAt: Number(row['expires_at']),
    lastUsedAt: numberOrNull(row['last_used_at']),
  };
}

export const FOUND_COLUMNS = `api_key.*, key_secret.id AS secret_id, key_secret.hash,
  key_secret.expires_at AS secret_expires_at, key_secret.last_used_at AS secret_last_used_at,
  tenant.slug, tenant.name AS tenant_name, tenant.plan, tenant.active, tenant.limits,
  tenant.created_at AS tenant_created_at`;
