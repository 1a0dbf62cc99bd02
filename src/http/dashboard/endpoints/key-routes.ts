/** What a key was used for: the last request of each call. */

import { makeTime } from '../../../match/frames/frames.ts';
import type { RequestRow } from '../../../store/journal.ts';

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

/** `rows` are the newest first. */
export function keyRoutes(rows: readonly RequestRow[], key: string, isPartial: boolean): KeyRoutes {
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
