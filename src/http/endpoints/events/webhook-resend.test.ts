/** Resending an event to a webhook: by a key, and by a member in the dashboard. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import {
  type DashboardBrowser,
  makeMember,
  makeOwner,
} from '../../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';
import { openReceiver, type Receiver } from '../../../testing/webhooks/webhook-receiver.ts';

let world: HttpService;
let tenant: Tenant;
let receiver: Receiver;
let owner: DashboardBrowser;
let testing: Asking;
let live: Asking;

const NO_EVENT = [404, { error: 'Event not found, or no longer kept' }];
const NO_WEBHOOK = [404, { error: 'Webhook not found' }];

beforeAll(async () => {
  receiver = await openReceiver(() => ({ status: 500 }));
  const policy = { allowLocal: true };
  world = await openHttpService({}, {}, { policy, resolve: async () => ['127.0.0.1'] });
  tenant = await world.makeTenant({ slug: 'acme' });
  owner = await makeOwner(world);
  testing = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  live = makeAsking(world.app, await world.makeKey(tenant, 'live'));
}, 60_000);
afterAll(async () => {
  await world.close();
  await receiver.close();
});

async function makeWebhook(ask: Asking, fields: object = {}): Promise<string> {
  const made = await ask('/v1/webhooks', { body: { url: receiver.url, ...fields } });
  expect(made.status).toBe(201);
  return made.json.id as string;
}

/** The id of the `session.created` of a new session. */
async function makeEvent(ask: Asking): Promise<string> {
  const body = { game: 'tictactoe', players: [{ id: 'ann' }] };
  const { sessionId } = (await ask('/v1/sessions', { body })).json;
  const { data } = (await ask(`/v1/events?sessionId=${sessionId}&types=session.created`)).json;
  return data[0].id as string;
}

async function resend(ask: Asking, webhook: string, event: string) {
  const path = `/v1/webhooks/${webhook}/deliveries/${event}/resend`;
  const { status, json } = await ask(path, { method: 'POST' });
  return [status, json] as const;
}

const attemptsOf = async (ask: Asking, webhook: string) =>
  (await ask(`/v1/webhooks/${webhook}/deliveries`)).json.data as Record<string, unknown>[];

test('[E2] an event is resent with its own id, signed, and the attempt is listed', async () => {
  const eventId = await makeEvent(testing);
  // Neither the webhook's types nor its being disabled prevent a requested resend.
  const id = await makeWebhook(testing, { events: ['session.ended'] });
  await testing(`/v1/webhooks/${id}`, { method: 'PATCH', body: { active: false } });
  receiver.answer(() => ({ status: 500 }));
  expect(await resend(testing, id, eventId)).toEqual([
    200,
    {
      eventId,
      delivered: false,
      status: 500,
      error: 'status_not_2xx',
      durationMs: expect.any(Number),
    },
  ]);
  receiver.answer(() => ({ status: 204 }));
  expect(await resend(testing, id, eventId)).toMatchObject([
    200,
    { eventId, delivered: true, status: 204, error: null },
  ]);
  const last = receiver.received.at(-1)!;
  expect(last.id).toBe(eventId);
  expect(last.headers['webhook-signature']).toMatch(/^v1,/);
  expect(JSON.parse(last.body)).toMatchObject({ id: eventId, type: 'session.created' });
  expect(await attemptsOf(testing, id)).toMatchObject([
    { eventId, attempt: 2, status: 204, outcome: 'delivered', nextAttemptAt: null },
    { eventId, attempt: 1, status: 500, outcome: 'given_up', nextAttemptAt: null },
  ]);
  // The resend neither enables the webhook nor marks it as failing.
  const { json } = await testing(`/v1/webhooks/${id}`);
  expect(json).toMatchObject({ active: false, disabledReason: 'paused', failingSince: null });
});

test('[E2] an event that is not in the log, or is of the other mode, is not sent', async () => {
  const id = await makeWebhook(testing);
  const before = receiver.received.length;
  const ofLive = await makeEvent(live);
  for (const event of ['evt_nothing', `evt_${'0'.repeat(26)}`, 'x', ofLive]) {
    expect([event, ...(await resend(testing, id, event))]).toEqual([event, ...NO_EVENT]);
  }
  // A test event is in no log.
  const tested = await testing(`/v1/webhooks/${id}/test`, { method: 'POST' });
  expect(await resend(testing, id, tested.json.eventId)).toEqual(NO_EVENT as never);
  expect(receiver.received.length).toBe(before + 1);
  expect(await attemptsOf(testing, id)).toHaveLength(1);
});

test('[E2][K3] a key can use only the webhooks of its tenant and modes, and needs the scope admin', async () => {
  const [eventId, ofLive] = [await makeEvent(testing), await makeEvent(live)];
  const [id, liveId] = [await makeWebhook(testing), await makeWebhook(live)];
  const before = receiver.received.length;
  const other = await world.makeTenant({ slug: 'other' });
  for (const mode of ['live', 'test'] as const) {
    const stranger = makeAsking(world.app, await world.makeKey(other, mode));
    expect(await resend(stranger, id, eventId)).toEqual(NO_WEBHOOK as never);
  }
  expect(await resend(testing, liveId, ofLive)).toEqual(NO_WEBHOOK as never);
  for (const wrong of ['x', id.toUpperCase(), `whk_${'0'.repeat(26)}`]) {
    expect(await resend(testing, wrong, eventId)).toEqual(NO_WEBHOOK as never);
  }
  const scopes = ['read', 'sessions', 'matchmaking', 'players'] as const;
  const scoped = makeAsking(world.app, await world.makeKey(tenant, 'test', { scopes }));
  expect(await resend(scoped, id, eventId)).toMatchObject([403, {}]);
  expect(receiver.received.length).toBe(before);
  // A live key sees both modes; each webhook gets events of its own mode.
  expect(await resend(live, id, eventId)).toMatchObject([200, { delivered: true }]);
  expect(await resend(live, liveId, ofLive)).toMatchObject([200, { delivered: true }]);
  expect(await resend(live, liveId, eventId)).toEqual(NO_EVENT as never);
});

test('[E2] a tenant has at most 4 tests and resends running at once', async () => {
  const [id, eventId] = [await makeWebhook(testing), await makeEvent(testing)];
  receiver.answer(() => ({ status: 200, delayMs: 100 }));
  const asked = Array.from({ length: 6 }, (_, i) =>
    i === 0
      ? testing(`/v1/webhooks/${id}/test`, { method: 'POST' }).then(({ status }) => status)
      : resend(testing, id, eventId).then(([status]) => status),
  );
  expect((await Promise.all(asked)).sort()).toEqual([200, 200, 200, 200, 503, 503]);
  receiver.answer(() => ({ status: 204 }));
  expect(await resend(testing, id, eventId)).toMatchObject([200, { delivered: true }]);
});

test('[E2][R1] an event removed with its session is not found, and no other is sent instead', async () => {
  const id = await makeWebhook(testing);
  const body = { game: 'tictactoe', players: [{ id: 'cid' }, { id: 'dan' }] };
  const { sessionId } = (await testing('/v1/sessions', { body })).json;
  const connected = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => {
    world.host.attach(sessionId, connected, () => resolve());
  });
  await testing(`/v1/sessions/${sessionId}/end`, { method: 'POST' });
  const { data } = (await testing(`/v1/events?sessionId=${sessionId}`)).json;
  const { id: eventId } = data.find(({ type }: { type: string }) => type === 'player.connected');
  const ended = { mode: 'test', endedBefore: world.clock.now() + 1, limit: 10 } as const;
  await world.store.removeSessions({ tenant: tenant.id, ...ended });
  expect(await resend(testing, id, eventId)).toEqual(NO_EVENT as never);
  expect(await attemptsOf(testing, id)).toEqual([]);
});

test("[D11][E2] in the dashboard owners and developers resend events, in the page's mode only", async () => {
  const [id, eventId] = [await makeWebhook(testing), await makeEvent(testing)];
  const path = `/t/acme/test/v1/webhooks/${id}/deliveries/${eventId}/resend`;
  const statusOf = async (browser: DashboardBrowser, at = path) =>
    (await browser.ask(at, { body: {} })).status;
  const member = (role: 'developer' | 'support' | 'viewer') =>
    makeMember(world, owner, 'acme', role, `${role}@acme.example`);
  const developer = await member('developer');
  expect(await statusOf(developer)).toBe(200);
  expect(await statusOf(developer, path.replace('/test/', '/live/'))).toBe(404);
  expect(await statusOf(await member('support'))).toBe(403);
  expect(await statusOf(await member('viewer'))).toBe(403);
  expect(await attemptsOf(testing, id)).toHaveLength(1);
}, 60_000);
