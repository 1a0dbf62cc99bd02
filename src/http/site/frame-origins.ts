/** Which origins may frame a tenant's match page: those of its keys (rule W2). */

import type { TenancyStore } from '../../store/store.ts';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';

/** In development pages of the local machine may, on every port. */
const LOCAL_ORIGINS = ['http://localhost:*', 'http://127.0.0.1:*'];
/** A page without an origin of its own cannot be named in a policy. */
const OPAQUE = 'null';

/** The cache of all tenants at one revision. */
interface Book {
  readonly revision: number;
  readonly tenants: ReadonlyMap<string, Tenant>;
  /** By tenant; filled on demand. */
  readonly keys: Map<string, readonly ApiKey[]>;
}

/**
 * By a tenant's slug: an unknown or suspended tenant is answered like one without origins, so that the page does
 * not reveal which slugs are taken. A key without origins adds none: permission to call the service is not
 * permission to frame its page.
 */
export function makeFrameOrigins(
  store: Pick<TenancyStore, 'listTenants' | 'listKeys' | 'tenancyRevision'>,
  clock: { readonly now: () => number },
  allowLocal: boolean,
): (slug: string) => Promise<readonly string[]> {
  let book: Book = { revision: -1, tenants: new Map(), keys: new Map() };
  /** Anybody may request a page at any rate: each costs the store one short read. */
  const open = async (): Promise<Book> => {
    const revision = await store.tenancyRevision();
    if (book.revision !== revision) {
      const tenants = new Map((await store.listTenants()).map((each) => [each.slug, each]));
      book = { revision, tenants, keys: new Map() };
    }
    return book;
  };
  return async (slug) => {
    const { tenants, keys } = await open();
    const tenant = tenants.get(slug);
    const local = allowLocal ? LOCAL_ORIGINS : [];
    if (!tenant?.active) return local;
    const own = keys.get(tenant.id) ?? (await store.listKeys(tenant.id));
    keys.set(tenant.id, own);
    const now = clock.now();
    const good = own.filter(
      ({ expiresAt, revokedAt }) =>
        (expiresAt === null || expiresAt > now) && (revokedAt === null || revokedAt > now),
    );
    const origins = good.flatMap((key) => key.origins).filter((each) => each !== OPAQUE);
    return [...new Set([...local, ...origins])];
  };
}
