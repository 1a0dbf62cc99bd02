/**
 * The tenants of a run, put into the store before any node listens: wide limits, and one narrow
 * one.
 */

import { type KeyStore, makeTenantKey } from '../parts/tenant-key.ts';

export interface TenantKeys {
  /** No limit that the run comes near. */
  readonly wide: string;
  /** A plan's own limit of requests a minute, which is used up. */
  readonly narrow: string;
  /** That limit. */
  readonly narrowLimit: number;
}

const GROWTH_REQUESTS_A_MINUTE = 300;

export async function makeTenant(store: KeyStore): Promise<TenantKeys> {
  return {
    wide: await makeTenantKey(store, 'faults', 'enterprise'),
    narrow: await makeTenantKey(store, 'narrow', 'growth'),
    narrowLimit: GROWTH_REQUESTS_A_MINUTE,
  };
}
