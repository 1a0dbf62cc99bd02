/** An event sent to a webhook once more, as the dashboard asks for it. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../tenancy/tenant.ts';
import { makeAsking } from '../../testing/asking.ts';
import { type DashboardBrowser, makeMember, makeOwner } from '../../testing/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/http-service.ts';
import { openReceiver, type Receiver } from '../../testing/webhook-receiver.ts';

let world: HttpService;
let tenant: Tenant;
let receiver: Receiver;
let developer: DashboardBrowser;

beforeAll(async () => {
  receiver = await openReceiver(() => ({ status: 500 }));
  const policy = { allowLocal: true };
  world = await openHttpService({}, {}, { policy, resolve: async () => ['127.0.0.1'] });
  tenant = await world.makeTenant({ slug: 'acme' });
  const owner = await makeOwner(world);
  developer = await makeMember(world, owner, 'acme', 'developer');
}, 60_000);
afterAll(async () => {
  await world.close();
  await receiver.close();
});

test('[D11][E2] an event is sent again under its own id, signed, and the try stands in the list', async () => {
  const made = await developer.ask('/t/acme/test/v1/webhooks', {
    body: { url: receiver.url, events: ['session.created'] },
  });
  const path = `/t/acme/test/webhooks/${made.json['id']}/resend`;
  const ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  await ask('/v1/sessions', { body: { game: 'tictactoe', players: [{ id: 'ann' }] } });
  const events = (await ask('/v1/events')).json.data as { id: string; type: string }[];
  const { id: eventId } = events.find(({ type }) => type === 'session.created')!;

  const failed = await developer.ask(path, { body: { eventId } });
  expect([failed.status, failed.json]).toMatchObject([200, { delivered: false, status: 500 }]);
  receiver.answer(() => ({ status: 204 }));
  const sent = await developer.ask(path, { body: { eventId } });
  expect(sent.json).toMatchObject({ eventId, delivered: true, status: 204, error: null });
  const last = receiver.received.at(-1)!;
  expect(last.id).toBe(eventId);
  expect(last.headers['webhook-signature']).toMatch(/^v1,/);
  expect(JSON.parse(last.body)).toMatchObject({ id: eventId, type: 'session.created' });
  const deliveries = `/t/acme/test/v1/webhooks/${made.json['id']}/deliveries`;
  const tries = (await developer.ask(deliveries)).json['data'] as Record<string, unknown>[];
  expect(tries.map(({ attempt, status }) => [attempt, status])).toEqual([
    [2, 204],
    [1, 500],
  ]);

  const wrong = async (eventIdAsked: string, at = path) =>
    (await developer.ask(at, { body: { eventId: eventIdAsked } })).status;
  expect(await wrong('evt_nothing')).toBe(404);
  expect(await wrong(`evt_${'0'.repeat(26)}`)).toBe(404);
  // Of the other world there is neither the webhook nor the event.
  expect(await wrong(eventId, path.replace('/test/', '/live/'))).toBe(404);
});

test('[D11][R1] an event that went with its session is not found, and no other is sent for it', async () => {
  const made = await developer.ask('/t/acme/test/v1/webhooks', { body: { url: receiver.url } });
  const ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  const body = { game: 'tictactoe', players: [{ id: 'cid' }, { id: 'dan' }] };
  const { sessionId } = (await ask('/v1/sessions', { body })).json;
  const connected = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => {
    world.host.attach(sessionId, connected, () => resolve());
  });
  await ask(`/v1/sessions/${sessionId}/end`, { method: 'POST' });
  const { data } = (await ask(`/v1/events?sessionId=${sessionId}`)).json;
  const { id: eventId } = data.find(({ type }: { type: string }) => type === 'player.connected');
  const ended = { mode: 'test', endedBefore: world.clock.now() + 1, limit: 10 } as const;
  await world.store.removeSessions({ tenant: tenant.id, ...ended });
  const path = `/t/acme/test/webhooks/${made.json['id']}`;
  expect((await developer.ask(`${path}/resend`, { body: { eventId } })).status).toBe(404);
  const tries = await developer.ask(`/t/acme/test/v1/webhooks/${made.json['id']}/deliveries`);
  expect(tries.json['data']).toEqual([]);
});
