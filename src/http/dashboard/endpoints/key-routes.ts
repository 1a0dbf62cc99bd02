/** What a key was used for: the last request of each call. */

import { makeTime } from '../../../match/frames/frames.ts';
import type { JournalStore } from '../../../store/journal.ts';
import type { ApiKey } from '../../../tenancy/tenant.ts';

/** The newest requests of the key's mode, among which its own are found. */
const REQUESTS_MAX = 2_000;

export interface KeyRoutes {
  /** There are older requests that were not looked at. */
  readonly isPartial: boolean;
  /** Last used first. */
  readonly data: readonly {
    readonly method: string;
    readonly route: string;
    readonly lastAt: string;
    readonly lastStatus: number;
    readonly requests: number;
  }[];
}

export async function readKeyRoutes(
  journal: Pick<JournalStore, 'listRequests'>,
  { id, tenant, mode }: ApiKey,
): Promise<KeyRoutes> {
  const query = { tenant, mode, errorsOnly: false, before: null, limit: REQUESTS_MAX + 1 };
  const newest = await journal.listRequests(query);
  const routes = new Map<string, KeyRoutes['data'][number]>();
  for (const { keyId, method, route, at, status } of newest.slice(0, REQUESTS_MAX)) {
    if (keyId !== id) continue;
    const call = `${method} ${route}`;
    const known = routes.get(call);
    routes.set(call, {
      ...(known ?? { method, route, lastAt: makeTime(at), lastStatus: status }),
      requests: (known?.requests ?? 0) + 1,
    });
  }
  return { isPartial: newest.length > REQUESTS_MAX, data: [...routes.values()] };
}
