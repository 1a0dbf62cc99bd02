/** Notices that tenants or keys have changed, by whichever process it was done. */

import type { TenancyStore } from '../store/store.ts';

/** What remembers things it read of tenants and keys. */
export interface TenancyMemory {
  /** What was read is not believed any more, nor what is being read just now. */
  forget(): void;
}

export interface TenancyWatch {
  /**
   * Has everything forgotten if there was a change. To be called every second: that is what makes
   * revoking quick (rule K2). Rejects when the store fails.
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
