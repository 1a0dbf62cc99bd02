/** Whether a key that was found may act now (rules H4, K1, K2). */

import type { ApiKey, Tenant } from './tenant.ts';

/** Why a key is not valid. The caller gets the same 401 for all; the log distinguishes them. */
export type KeyRefusal = 'revoked' | 'expired' | 'secret_expired' | 'tenant_inactive';

/** A key, its owner, and the end of the secret it was found by. */
export interface HeldKey {
  readonly key: Pick<ApiKey, 'revokedAt' | 'expiresAt'>;
  readonly tenant: Pick<Tenant, 'active'>;
  readonly secret: { readonly expiresAt: number | null };
}

/** Null when the key may act at `now`. A time of expiry is the first moment that is too late. */
export function refuseKey({ key, tenant, secret }: HeldKey, now: number): KeyRefusal | null {
  if (key.revokedAt !== null) return 'revoked';
  if (isOver(key.expiresAt, now)) return 'expired';
  if (isOver(secret.expiresAt, now)) return 'secret_expired';
  return tenant.active ? null : 'tenant_inactive';
}

function isOver(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}
