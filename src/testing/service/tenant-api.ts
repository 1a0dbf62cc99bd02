/** A service with one tenant, who calls its API in either mode. */

import { makeAsking } from './asking.ts';
import { openHttpService } from './http-service.ts';

/** `ask` uses the key of `mode`, unless it is given another. */
export async function openTenantApi(mode: 'test' | 'live') {
  const http = await openHttpService();
  const tenant = await http.makeTenant();
  const testKey = await http.makeKey(tenant, 'test');
  const liveKey = await http.makeKey(tenant, 'live');
  const ask = makeAsking(http.app, mode === 'test' ? testKey : liveKey);
  return { http, tenant, testKey, liveKey, ask };
}
