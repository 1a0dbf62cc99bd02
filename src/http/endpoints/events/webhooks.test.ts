/** Webhooks over HTTP: who may create which, what is refused, what is shown, and the limits. */

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { EVENT_DATA } from '../../../contract/answers/event-answers.ts';
import { EVENT_TYPES } from '../../../events/event.ts';
import { makeSampleData } from '../../../events/samples.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';
import { openReceiver } from '../../../testing/webhooks/webhook-receiver.ts';

let http: HttpService;
let tenant: Tenant;
let live: Asking;
let testing: Asking;

async function open(change: Parameters<typeof openHttpService>[2] = {}): Promise<void> {
  http = await openHttpService({}, {}, { resolve: async () => ['93.184.216.34'], ...change });
  tenant = await http.makeTenant();
  live = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  testing = makeAsking(http.app, await http.makeKey(tenant, 'test'));
}

beforeEach(() => open());
afterEach(() => http.close());

const URL_RIGHT = 'https://hooks.example.com/matchd';
const VALID = 'Invalid url. Valid: an https URL on port 443 or 8443 of a public host';

async function makeWebhook(ask: Asking, fields: object = {}): Promise<string> {
  const made = await ask('/v1/webhooks', { body: { url: URL_RIGHT, ...fields } });
  expect(made.status).toBe(201);
  return made.json.id as string;
}

describe('creating one', () => {
  test('[E2] the secret is shown once', async () => {
    const made = await live('/v1/webhooks', {
      body: { url: URL_RIGHT, events: ['session.ended'] },
    });
    expect(made.status).toBe(201);
    expect(made.json).toEqual({
      id: expect.stringMatching(/^whk_/),
      mode: 'live',
      url: URL_RIGHT,
      events: ['session.ended'],
      description: '',
      active: true,
      disabledReason: null,
      failingSince: null,
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    const { secret, ...rest } = made.json;
    const shown = await live(`/v1/webhooks/${made.json.id}`);
    const backlog = { events: 0, isMore: false, oldestAt: null, nextAttemptAt: null };
    expect(shown.json).toEqual({ ...rest, backlog, previousSecretExpiresAt: null });
    expect((await live('/v1/webhooks')).json).toEqual({ data: [rest], nextCursor: null });
    expect(http.lines.some((line) => JSON.stringify(line).includes(secret))).toBe(false);
  });

  test('[H4][E2] errors name the first invalid field, in the order of the fields', async () => {
    const refuse = async (body: object) => (await live('/v1/webhooks', { body })).json.error;
    expect(await refuse({})).toBe('url is required');
    expect(await refuse({ url: 7, events: 7 })).toBe('Invalid url');
    expect(await refuse({ url: URL_RIGHT, events: 7, mode: 7 })).toBe('Invalid events');
    expect(await refuse({ url: URL_RIGHT, events: ['x'] })).toStartWith(
      'Invalid events[0]. Valid: session.created, ',
    );
    expect(await refuse({ url: URL_RIGHT, description: 'x'.repeat(201) })).toBe(
      'Invalid description',
    );
    expect(await refuse({ url: URL_RIGHT, mode: 'training' })).toBe(
      'Invalid mode. Valid: live, test',
    );
  });

  test('[E3] a forbidden address is refused on create and on update', async () => {
    const id = await makeWebhook(live);
    const inner = [
      'http://example.com',
      'https://example.com:22',
      'https://127.0.0.1',
      'https://[::1]/',
    ];
    inner.push('https://2130706433/', 'https://0x7f.1/', 'https://[::ffff:127.0.0.1]/', 'x');
    inner.push(
      'https://169.254.169.254/latest/meta-data',
      'https://localhost/',
      'https://u@a.example',
    );
    inner.push(
      'https://db/',
      'https://api.default.svc/',
      'https://api.default.svc.cluster.local./',
    );
    inner.push('https://[3ffe::1]/', 'https://[64:ff9b::a00:1]/', 'https://[2002:a00:1::]/');
    for (const url of inner) {
      expect([url, (await live('/v1/webhooks', { body: { url } })).json]).toEqual([
        url,
        { error: VALID },
      ]);
      const changed = await live(`/v1/webhooks/${id}`, { method: 'PATCH', body: { url } });
      expect([url, changed.status, changed.json]).toEqual([url, 400, { error: VALID }]);
    }
  });

  test('[E3] a name that resolves to an internal address is refused on create and on update', async () => {
    const addresses = ['93.184.216.34'];
    await http.close();
    await open({ resolve: async () => addresses });
    const id = await makeWebhook(live);
    addresses.push('10.0.0.7');
    const body = { url: URL_RIGHT };
    expect((await live('/v1/webhooks', { body })).json.error).toBe(VALID);
    const changed = await live(`/v1/webhooks/${id}`, { method: 'PATCH', body });
    expect(changed.json.error).toBe(VALID);
  });

  test('[E2][K3] live by default, test on request; a test key creates no live webhooks', async () => {
    expect((await testing('/v1/webhooks', { body: { url: URL_RIGHT } })).json.mode).toBe('test');
    expect((await live('/v1/webhooks', { body: { url: URL_RIGHT, mode: 'test' } })).json.mode).toBe(
      'test',
    );
    const refused = await testing('/v1/webhooks', { body: { url: URL_RIGHT, mode: 'live' } });
    expect([refused.status, refused.json.error]).toEqual([
      403,
      'Test API key cannot create live webhooks',
    ]);
  });

  test("[H6] the plan's limit is named", async () => {
    const small = await http.makeTenant({ plan: 'starter' });
    const ask = makeAsking(http.app, await http.makeKey(small, 'test'));
    for (let i = 0; i < 3; i++) await makeWebhook(ask);
    const refused = await ask('/v1/webhooks', { body: { url: URL_RIGHT } });
    expect([refused.status, refused.json.error]).toEqual([
      429,
      'Webhook limit of the plan exceeded',
    ]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  });

  test('[H8] a repeat creates no second webhook and shows no secret', async () => {
    const ask = { body: { url: URL_RIGHT }, headers: { 'idempotency-key': 'k' } };
    const first = await live('/v1/webhooks', ask);
    const second = await live('/v1/webhooks', ask);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.json).toEqual({ ...first.json, secret: '' });
    const rotate = { body: {}, headers: { 'idempotency-key': 'r' } };
    const rotated = await live(`/v1/webhooks/${first.json.id}/rotate`, rotate);
    const again = await live(`/v1/webhooks/${first.json.id}/rotate`, rotate);
    expect(rotated.json.secret).not.toBe(first.json.secret);
    expect(again.json).toEqual({ ...rotated.json, secret: '' });
    expect((await live('/v1/webhooks')).json.data.length).toBe(1);
  });
});

describe('an existing webhook', () => {
  test('[K3] does not exist for other tenants, nor a live one for a test key', async () => {
    const id = await makeWebhook(live);
    const other = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'live'));
    const unknown = 'whk_01kafw3q9t5ne8rz2m4xbcd7hj';
    for (const [ask, name] of [
      ...([
        [other, id],
        [testing, id],
        [live, unknown],
        [live, 'x'],
      ] as const),
    ]) {
      const calls = [
        ask(`/v1/webhooks/${name}`),
        ask(`/v1/webhooks/${name}`, { method: 'PATCH', body: { active: false } }),
        ask(`/v1/webhooks/${name}`, { method: 'DELETE' }),
        ask(`/v1/webhooks/${name}/rotate`, { body: {} }),
        ask(`/v1/webhooks/${name}/test`, { method: 'POST' }),
        ask(`/v1/webhooks/${name}/deliveries`),
      ];
      for (const { status, json } of await Promise.all(calls)) {
        expect([status, json]).toEqual([404, { error: 'Webhook not found' }]);
      }
    }
    expect((await testing('/v1/webhooks?mode=live')).json.data).toEqual([]);
    const seen = await makeWebhook(testing);
    expect((await live(`/v1/webhooks/${seen}`)).status).toBe(200);
    expect(
      (await live('/v1/webhooks')).json.data.map(({ id: each }: { id: string }) => each),
    ).toEqual([id]);
  });

  test('[E2] is updated field by field, disabled and enabled, and deleted', async () => {
    const id = await makeWebhook(live, { description: 'a' });
    const change = async (body: object) =>
      (await live(`/v1/webhooks/${id}`, { method: 'PATCH', body })).json;
    expect(await change({ events: ['move.made'] })).toMatchObject({
      events: ['move.made'],
      description: 'a',
    });
    expect(await change({ active: false })).toMatchObject({
      active: false,
      disabledReason: 'paused',
    });
    expect(await change({ url: 'https://b.example:8443/x' })).toMatchObject({
      url: 'https://b.example:8443/x',
      active: false,
    });
    expect(await change({ active: true, description: '' })).toMatchObject({
      active: true,
      disabledReason: null,
      description: '',
    });
    const {
      backlog: _,
      previousSecretExpiresAt: __,
      ...shown
    } = (await live(`/v1/webhooks/${id}`)).json;
    expect(await change({})).toEqual(shown);
    expect((await live(`/v1/webhooks/${id}`, { method: 'DELETE' })).json).toEqual({
      deleted: true,
    });
    expect((await live(`/v1/webhooks/${id}`)).status).toBe(404);
  });

  test('[H9] lists are paged, newest first', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      http.clock.advance(1);
      ids.unshift(await makeWebhook(live));
    }
    const first = (await live('/v1/webhooks?limit=3')).json;
    const second = (await live(`/v1/webhooks?limit=3&cursor=${first.nextCursor}`)).json;
    const listed = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await live('/v1/webhooks?cursor=x')).json.error).toBe('Invalid cursor');
    expect((await live(`/v1/webhooks/${ids[0]}/deliveries?cursor=x`)).json.error).toBe(
      'Invalid cursor',
    );
  });

  test('[E2] rotation sets how long the older secret also signs, 0 s to 7 days', async () => {
    const id = await makeWebhook(live);
    const rotate = (body: object) => live(`/v1/webhooks/${id}/rotate`, { body });
    const { previousSecretExpiresAt } = (await rotate({})).json;
    expect(Date.parse(previousSecretExpiresAt) - http.clock.now()).toBe(86_400_000);
    const shown = async () => (await live(`/v1/webhooks/${id}`)).json.previousSecretExpiresAt;
    expect(await shown()).toBe(previousSecretExpiresAt);
    http.clock.skip(86_400_000);
    expect(await shown()).toBeNull();
    await rotate({ overlapSeconds: 60 });
    expect(Date.parse(await shown()) - http.clock.now()).toBe(60_000);
    expect((await rotate({ overlapSeconds: 0 })).status).toBe(200);
    expect(await shown()).toBeNull();
    for (const overlapSeconds of [-1, 604_801, 1.5, 'x']) {
      expect((await rotate({ overlapSeconds })).json.error).toBe('Invalid overlapSeconds');
    }
  });

  test('[E2] after two concurrent rotations both new secrets sign', async () => {
    const id = await makeWebhook(live);
    const rotate = () => live(`/v1/webhooks/${id}/rotate`, { body: {} });
    const secrets = (await Promise.all([rotate(), rotate()])).map(({ json }) => json.secret);
    expect(new Set(secrets).size).toBe(2);
    const kept = await http.store.findWebhook(tenant.id, id);
    expect(new Set(kept!.secrets.map(({ text }) => text))).toEqual(new Set(secrets));
  });

  test('[E2] a test event is sent at once, also to a disabled webhook, and is among the deliveries', async () => {
    await http.close();
    await open({ policy: { allowLocal: true } });
    const receiver = await openReceiver();
    const id = await makeWebhook(live, { url: receiver.url });
    await live(`/v1/webhooks/${id}`, { method: 'PATCH', body: { active: false } });
    const tested = await live(`/v1/webhooks/${id}/test`, { method: 'POST' });
    expect(tested.json).toMatchObject({ delivered: true, status: 204, error: null });
    const [one] = receiver.received;
    expect(one!.id).toBe(tested.json.eventId);
    expect(JSON.parse(one!.body)).toMatchObject({ type: 'webhook.test', data: { webhookId: id } });
    await receiver.close();
    const failed = await live(`/v1/webhooks/${id}/test`, { method: 'POST' });
    expect(failed.json).toMatchObject({
      delivered: false,
      status: null,
      error: 'connection_failed',
    });
    const { data } = (await live(`/v1/webhooks/${id}/deliveries?limit=1`)).json;
    expect(data).toEqual([
      {
        eventId: failed.json.eventId,
        type: 'webhook.test',
        sessionId: null,
        attempt: 1,
        at: expect.any(String),
        durationMs: expect.any(Number),
        status: null,
        error: 'connection_failed',
        nextAttemptAt: null,
        outcome: 'given_up',
        response: null,
      },
    ]);
    const path = `/v1/webhooks/${id}/deliveries/${failed.json.eventId}`;
    expect((await live(path)).json).toEqual({
      eventId: failed.json.eventId,
      payload: null,
      attempts: data,
    });
  });

  test("[E2a] a delivery shows the request, every attempt and the endpoint's response", async () => {
    await http.close();
    await open({ policy: { allowLocal: true } });
    const receiver = await openReceiver(() => ({ status: 500, body: 'no table "games"' }));
    const id = await makeWebhook(testing, { url: receiver.url });
    const { eventId } = (await testing('/v1/events/trigger', { body: { type: 'session.ended' } }))
      .json;
    const path = `/v1/webhooks/${id}`;
    const attempts = async () => (await testing(`${path}/deliveries`)).json.data as object[];
    for (let looks = 0; looks < 200 && (await attempts()).length === 0; looks += 1) {
      await http.clock.advance(100);
      await Bun.sleep(5);
    }
    const [first] = await attempts();
    const { nextAttemptAt } = first as { readonly nextAttemptAt: string };
    expect(Date.parse(nextAttemptAt)).toBeGreaterThan(http.clock.now());
    expect(first).toMatchObject({
      eventId,
      attempt: 1,
      status: 500,
      error: 'status_not_2xx',
      outcome: 'retried',
      response: 'no table "games"',
    });
    const { backlog } = (await testing(path)).json;
    expect(backlog).toMatchObject({ events: 1, isMore: false, nextAttemptAt });
    expect(Date.parse(backlog.oldestAt)).toBeLessThanOrEqual(http.clock.now());
    const { json } = await testing(`${path}/deliveries/${eventId}`);
    expect(json).toMatchObject({ eventId, attempts: [{ attempt: 1 }] });
    expect(json.payload).toEqual(JSON.parse(receiver.received[0]!.body));
    for (const none of ['evt_01kafw3q9t5ne8rz2m4xbcd7hj', 'x', eventId.toUpperCase()]) {
      const refused = await testing(`${path}/deliveries/${none}`);
      expect([refused.status, refused.json]).toEqual([404, { error: 'Delivery not found' }]);
    }
    // An attempt that is due has no next time any more, and stays so while the webhook is disabled.
    await testing(path, { method: 'PATCH', body: { active: false } });
    http.clock.skip(86_400_000);
    expect((await attempts())[0]).toMatchObject({ nextAttemptAt: null, outcome: 'retried' });
    expect((await testing(path)).json.backlog).toEqual({
      events: 0,
      isMore: false,
      oldestAt: null,
      nextAttemptAt: null,
    });
    http.clock.skip(7 * 86_400_000);
    expect((await attempts())[0]).toMatchObject({ response: null });
    await receiver.close();
  });
});

test('[E2] a tenant has at most 4 tests running at once', async () => {
  await http.close();
  await open({ policy: { allowLocal: true } });
  const receiver = await openReceiver(() => ({ status: 200, delayMs: 100 }));
  const id = await makeWebhook(live, { url: receiver.url });
  const asked = Array.from({ length: 6 }, () =>
    live(`/v1/webhooks/${id}/test`, { method: 'POST' }),
  );
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 200, 200, 503, 503]);
  expect((await live(`/v1/webhooks/${id}/test`, { method: 'POST' })).status).toBe(200);
  await receiver.close();
});

describe('test events', () => {
  test('[E2] a test key triggers one of each type; each says that it is a test', async () => {
    for (const type of EVENT_TYPES) {
      const made = await testing('/v1/events/trigger', { body: { type } });
      expect([made.status, made.json.type]).toEqual([201, type]);
    }
    const { data } = (await testing('/v1/events?limit=100')).json;
    expect(data.map(({ type }: { type: string }) => type)).toEqual([...EVENT_TYPES]);
    for (const { data: own } of data) expect(own.triggered).toBe(true);
    expect((await live('/v1/events')).json.data).toEqual([]);
  });

  test('[E1] have the same form as real events', () => {
    for (const [type, schema] of Object.entries(EVENT_DATA)) {
      const sample = JSON.parse(makeSampleData(type as keyof typeof EVENT_DATA)) as object;
      const parsed = schema.safeParse(sample);
      expect([type, parsed.error?.message ?? null]).toEqual([type, null]);
    }
  });

  test('[E2] a live key triggers none, and an unknown type is refused', async () => {
    const refused = await live('/v1/events/trigger', { body: { type: 'session.ended' } });
    expect([refused.status, refused.json.error]).toEqual([
      403,
      'Triggering events needs a test API key',
    ]);
    const unknown = await testing('/v1/events/trigger', { body: { type: 'x' } });
    expect(unknown.json.error).toStartWith('Invalid type. Valid: session.created, ');
  });
});
