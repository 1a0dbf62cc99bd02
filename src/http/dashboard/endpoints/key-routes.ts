/** What a key was used for: the last request of each call. */

import { makeTime } from '../../../match/frames/frames.ts';
import type { JournalStore, RequestRow } from '../../../store/journal.ts';
import type { ApiKey } from '../../../tenancy/tenant.ts';

/** The newest requests of a mode in which a key's are sought. */
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
  { id, tenant, mode }: Pick<ApiKey, 'id' | 'tenant' | 'mode'>,
): Promise<KeyRoutes> {
  const filter = { tenant, mode, errorsOnly: false, before: null };
  const rows = await journal.listRequests({ ...filter, limit: REQUESTS_MAX + 1 });
  return keyRoutes(rows.slice(0, REQUESTS_MAX), id, rows.length > REQUESTS_MAX);
}

/** `rows` are the newest first. */
function keyRoutes(rows: readonly RequestRow[], key: string, isPartial: boolean): KeyRoutes {
  const routes = new Map<string, KeyRoutes['data'][number]>();
  for (const { keyId, method, route, at, status } of rows) {
    if (keyId !== key) continue;
    const call = `${method} ${route}`;
    const known = routes.get(call);
    routes.set(call, {
      ...(known ?? { method, route, lastAt: makeTime(at), lastStatus: status }),
      requests: (known?.requests ?? 0) + 1,
    });
  }
  return { isPartial, data: [...routes.values()] };
}
