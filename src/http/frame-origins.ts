/** Who may frame a tenant's page of a match: the origins of its keys (rule H7). */

import type { TenancyStore } from '../store/store.ts';

/** In development pages of the machine itself may, on every port. */
const LOCAL_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];
/** What a policy of contents can name as a source. */
const WEB_ORIGIN = /^https?:\/\//;

/**
 * By the slug of the tenant; null for one that does not exist or is suspended. A key without origins
 * adds none: whoever may call the service may not for that show its page in theirs.
 */
export function makeFrameOrigins(
  store: Pick<TenancyStore, 'listTenants' | 'listKeys'>,
  clock: { readonly now: () => number },
  allowLocal: boolean,
): (slug: string) => Promise<readonly string[] | null> {
  return async (slug) => {
    const tenant = (await store.listTenants()).find((each) => each.slug === slug);
    if (tenant === undefined || !tenant.active) return null;
    const now = clock.now();
    const keys = (await store.listKeys(tenant.id)).filter(
      ({ expiresAt, revokedAt }) =>
        (expiresAt === null || expiresAt > now) && (revokedAt === null || revokedAt > now),
    );
    const origins = keys.flatMap((key) => key.origins).filter((each) => WEB_ORIGIN.test(each));
    return [...new Set([...(allowLocal ? LOCAL_ORIGINS : []), ...origins])];
  };
}
