/** Notices changes of tenants or keys, by any process. */

import type { TenancyStore } from '../../store/store.ts';

/** A cache of tenants or keys. */
export interface TenancyMemory {
  /** Drops everything cached, and what is being read at the moment. */
  forget(): void;
}

export interface TenancyWatch {
  /**
   * Drops the caches after a change. To be called every second: that is what makes revoking quick (rule K2).
   * Rejects when the store fails.
   */
  look(): Promise<void>;
}

export function makeTenancyWatch(
  store: Pick<TenancyStore, 'tenancyRevision'>,
  memories: readonly TenancyMemory[],
): TenancyWatch {
  let seen: number | null = null;
  return {
    async look() {
      const revision = await store.tenancyRevision();
      if (revision !== seen) for (const memory of memories) memory.forget();
      seen = revision;
    },
  };
}
