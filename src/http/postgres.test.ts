/**
 * Inputs that PostgreSQL rejects and SQLite accepts: through the whole HTTP side they cause no 500
 * (rule H3).
 */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { openPostgresStore } from '../store/postgres/postgres-store.ts';
import { migratedDatabase } from '../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../testing/servers/postgres.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import { makeOwner } from '../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService, PUBLIC_URL } from '../testing/service/http-service.ts';

setDefaultTimeout(60_000);

/** No text of PostgreSQL can contain it. */
const NUL = '\u0000';
const HOSTED = '/matchmaking/hosted';

describe.skipIf(!isPostgresHere())('on PostgreSQL', () => {
  let http: HttpService;
  let ask: Asking;
  let authorization: string;

  beforeAll(async () => {
    const store = await openPostgresStore({ url: await migratedDatabase(), node: 'nod_test' });
    http = await openHttpService({}, {}, { resolve: async () => ['93.184.216.34'] }, store);
    const tenant = await http.makeTenant({ slug: 'acme' });
    const key = await http.makeKey(tenant, 'test');
    authorization = `Bearer ${key}`;
    ask = makeAsking(http.app, key);
  });
  afterAll(() => http.close());

  const outcome = async (...request: Parameters<Asking>) => {
    const { status, json } = await ask(...request);
    return [status, json.error];
  };

  test.each([
    ['GET', '/ticket/%00', undefined],
    ['DELETE', '/ticket/%00', undefined],
    ['POST', '/ticket/%00/players', { playerId: 'ann' }],
    ['DELETE', '/ticket/a%00/players/ann', undefined],
    ['POST', '/ticket/%00/promote', undefined],
  ] as const)('[H3][M1] NUL in a ticket’s id: %s %s', async (method, path, body) => {
    const asked = { method, ...(body && { body }) };
    const headers = method === 'GET' ? {} : { 'idempotency-key': 'k' };
    const answer = await outcome(`${HOSTED}${path}?game=ludo`, { ...asked, headers });
    expect(answer).toEqual([404, 'Ticket not found']);
  });

  test('[H3][M5] NUL in a group’s id', async () => {
    const gone = await outcome(`${HOSTED}/groups/%00?game=ludo`, { method: 'DELETE' });
    expect(gone).toEqual([404, 'Group not found: \uFFFD']);
    const body = { groupIds: [NUL] };
    const started = await outcome(`${HOSTED}/start-match?game=ludo`, { body });
    expect(started).toEqual([404, 'Group not found: \uFFFD']);
  });

  test('[H3][S3] NUL in a room code', async () => {
    const body = { roomCode: `ABCDE${NUL}`, game: 'ludo', player: { id: 'ann' } };
    expect((await ask('/v1/sessions/join', { body })).status).toBe(404);
  });

  test('[H3][E2] NUL in a webhook’s description', async () => {
    const url = 'https://hooks.example.test/';
    const wrong = [400, 'Invalid description'];
    expect(await outcome('/v1/webhooks', { body: { url, description: NUL } })).toEqual(wrong);
    const { json } = await ask('/v1/webhooks', { body: { url, description: 'for Ann & Ben' } });
    const path = `/v1/webhooks/${json.id}`;
    const changed = await outcome(path, { method: 'PATCH', body: { description: `a${NUL}` } });
    expect(changed).toEqual(wrong);
  });

  test('[H3][L3] NUL in the cursor of a board', async () => {
    const cursor = Buffer.from(JSON.stringify([1_500, NUL, 1])).toString('base64url');
    const answer = await outcome(`/v1/leaderboards?game=ludo&cursor=${cursor}`);
    expect(answer).toEqual([400, 'Invalid cursor']);
  });

  test('[H3] NUL in a query of the dashboard', async () => {
    const owner = await makeOwner(http);
    const found = await owner.ask('/t/acme/test/players?find=%00');
    expect([found.status, found.json]).toMatchObject([400, { error: 'Invalid find' }]);
    const body = { email: `a${NUL}@example.test`, role: 'owner' };
    const invited = await owner.ask('/t/acme/invitations', { body });
    expect([invited.status, invited.json]).toMatchObject([400, { error: 'Invalid email' }]);
  });

  test('[H3][H8] an Idempotency-Key for a path that is longer than an index allows', async () => {
    const bytes = crypto.getRandomValues(new Uint8Array(4_000));
    const path = `/v1/sessions/${Buffer.from(bytes).toString('base64url')}/end`;
    const request = { method: 'POST', headers: { 'idempotency-key': 'k' } };
    expect((await ask(path, request)).status).toBe(404);
    const again = await ask(path, request);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([404, 'true']);
    const other = await ask(`${path.slice(0, -5)}x/end`, request);
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([404, null]);
  });

  test('[E2] a stream whose last event was removed waits, and gets new events', async () => {
    const trigger = async () =>
      (await ask('/v1/events/trigger', { body: { type: 'session.started' } })).json.eventId;
    const { tenant } = (await ask('/v1/whoami')).json;
    const gone = await trigger();
    const inWorld = { tenant: tenant.id, mode: 'test' } as const;
    await http.store.removeEvents(inWorld, http.clock.now() + 1, 100);
    const { readEvents } = http.store;
    let reads = 0;
    http.store.readEvents = (...args) => {
      reads += 1;
      return readEvents(...args);
    };
    const opened = await http.app.fetch(
      new Request(`${PUBLIC_URL}/v1/events/stream?after=${gone}`, { headers: { authorization } }),
      { address: '203.0.113.7' },
    );
    const reader = opened.body!.getReader();
    await reader.read();
    const next = reader.read();
    await Bun.sleep(300);
    http.store.readEvents = readEvents;
    expect(reads).toBeLessThan(5);
    const id = await trigger();
    expect(new TextDecoder().decode((await next).value)).toStartWith(`id: ${id}\n`);
    await reader.cancel();
  });
});
