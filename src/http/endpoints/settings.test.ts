/** A tenant's settings, through the whole HTTP side on a real store (rule K9). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

let http: HttpService;
let live: Asking;
let testing: Asking;

beforeAll(async () => {
  http = await openHttpService();
  const tenant = await http.makeTenant();
  live = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  testing = makeAsking(http.app, await http.makeKey(tenant, 'test'));
});
afterAll(() => http.close());

const set = (ask: Asking, body: object) => ask('/v1/settings', { method: 'PATCH', body });

test('[K9] settings are those of the mode of the key, and a field that is absent stays', async () => {
  expect((await live('/v1/settings')).json).toEqual({ rematch: 'announce' });
  const changed = await set(live, { rematch: 'create' });
  expect([changed.status, changed.json]).toEqual([200, { rematch: 'create' }]);
  expect((await set(live, {})).json).toEqual({ rematch: 'create' });
  expect((await live('/v1/settings')).json).toEqual({ rematch: 'create' });
  expect((await testing('/v1/settings')).json).toEqual({ rematch: 'announce' });
});

test('[K9] an invalid setting is refused, and changes nothing', async () => {
  const before = (await testing('/v1/settings')).json;
  const { status, json } = await set(testing, { rematch: 'sometimes' });
  expect([status, json.error]).toEqual([400, 'Invalid rematch. Valid: announce, create, off']);
  expect((await set(testing, { rematch: 7 })).status).toBe(400);
  expect((await testing('/v1/settings')).json).toEqual(before);
});
