/** Deliveries over real sockets: signed, in order, retried after failures, and without blocking others. */

import { expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import type { ServedWebhook } from '../../store/cluster.ts';
import type { Webhook } from '../../store/webhooks.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { idsAt, useWebhookWorld } from '../../testing/webhooks/use-webhook-world.ts';
import {
  eventually,
  makeClockAhead,
  type WebhookWorld,
} from '../../testing/webhooks/webhook-world.ts';
import type { Outstanding } from '../../webhooks/parcel.ts';

const { open, receive } = useWebhookWorld();

test('[E2] an event arrives signed, as GET /v1/events shows it, within a second', async () => {
  const { register, emit, find } = await open();
  const receiver = await receive();
  const webhook = await register(receiver.url);
  const began = performance.now();
  const [id] = await emit(['ses_a']);
  await eventually(() => receiver.received.length === 1);
  holdBar('an event on its way, ms', performance.now() - began, 1_000);
  const { headers, body } = receiver.received[0]!;
  expect(headers['webhook-id']).toBe(id!);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['user-agent']).toBe('matchd-webhooks/1');
  const verified = new Verifier(webhook.secrets[0]!.text).verify(body, headers);
  expect(verified).toEqual({
    id,
    type: 'session.started',
    sessionId: 'ses_a',
    mode: 'live',
    seq: 1,
    timestamp: expect.any(String),
    data: {},
  });
  await eventually(async () => (await find(webhook)).cursor === 1);
});

test('[E1][E2] a webhook is sent the types it subscribed to, in its mode, from its creation on', async () => {
  const { register, emit } = await open();
  const [all, moves, test] = await Promise.all([receive(), receive(), receive()]);
  await emit(['ses_old']);
  await register(all.url);
  await register(moves.url, { types: ['move.made'] });
  await register(test.url, { mode: 'test' });
  const [started] = await emit(['ses_a']);
  const [moved] = await emit(['ses_a'], 'move.made');
  const [ended] = await emit(['ses_a'], 'session.ended');
  await eventually(() => all.received.length === 2 && moves.received.length === 1);
  expect(idsAt(all)).toEqual([started!, ended!]);
  expect(idsAt(moves)).toEqual([moved!]);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(test.received).toEqual([]);
});

test('[E2] a failed event is retried with the same id, and delays only its own session', async () => {
  const { register, emit, attempts, find, store, figures } = await open();
  const receiver = await receive();
  const failing = new Set<string>();
  receiver.answer(({ id }) => ({ status: failing.has(id) ? 500 : 200 }));
  const webhook = await register(receiver.url);
  const [first] = await emit([null]);
  await eventually(() => receiver.received.length === 1);
  const [bad] = await emit(['ses_a'], 'session.created');
  failing.add(bad!);
  receiver.received.length = 0;
  const rest = await emit(['ses_a', 'ses_b', 'ses_a', 'ses_c', null]);
  await eventually(() => receiver.received.length >= 4);
  expect(idsAt(receiver).sort()).toEqual([bad!, rest[1]!, rest[3]!, rest[4]!].sort());
  // Failed events and those behind them are rows; the position in the log has moved past them.
  await eventually(async () => (await find(webhook)).cursor === 7);
  const rows = await store.listOutstanding(webhook.id);
  expect(rows.map(({ id, attempt }) => [id, attempt])).toEqual([
    [bad!, 1],
    [rest[0]!, 0],
    [rest[2]!, 0],
  ]);
  const failed = (await attempts(webhook)).filter(({ event }) => event === bad);
  expect(failed[0]).toMatchObject({ status: 500, error: 'status_not_2xx', attempt: 1 });
  const gap = failed[0]!.nextAt! - failed[0]!.at;
  expect(gap).toBeGreaterThanOrEqual(9_000);
  expect(gap).toBeLessThan(11_500);
  expect(figures()).toEqual({
    delivered: 4,
    failed: 1,
    givenUp: 0,
    underWay: 0,
    lanes: 1,
    // One that failed, and two queued behind it.
    backlog: 3,
    oldestMs: expect.any(Number),
  });
  expect((await attempts(webhook)).find(({ event }) => event === first)).toMatchObject({
    status: 200,
    error: null,
    nextAt: null,
  });
});

test('[E2] after a restart outstanding events are sent when they are due, in order', async () => {
  const first = await open();
  const receiver = await receive(() => ({ status: 503 }));
  const webhook = await first.register(receiver.url);
  const ids = await first.emit(['ses_a', 'ses_a', 'ses_b']);
  await eventually(async () => (await first.store.listOutstanding(webhook.id)).length === 3);
  receiver.answer(() => ({ status: 200 }));
  receiver.received.length = 0;
  const { find, store } = await first.restart({ clock: makeClockAhead(12_000) });
  await eventually(() => receiver.received.length === 3);
  expect(idsAt(receiver).filter((id) => id !== ids[2])).toEqual([ids[0]!, ids[1]!]);
  await eventually(async () => (await store.listOutstanding(webhook.id)).length === 0);
  await eventually(async () => (await find(webhook)).failingSince === null);
});

test('[E2] 410 disables the webhook; enabled again, it is sent the events from then on', async () => {
  const { register, emit, find, service, store } = await open();
  const receiver = await receive(() => ({ status: 410 }));
  const webhook = await register(receiver.url);
  await emit(['ses_a', 'ses_b']);
  await eventually(async () => (await find(webhook)).disabled === 'gone');
  expect(await store.listOutstanding(webhook.id)).toEqual([]);
  receiver.answer(() => ({ status: 204 }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  receiver.received.length = 0;
  await emit(['ses_missed']);
  const asker = { tenant: webhook.tenant, actor: 'key:key_x' };
  await service.update(asker, await find(webhook), { active: true }, null);
  const [later] = await emit(['ses_c']);
  await eventually(() => receiver.received.length > 0);
  expect(idsAt(receiver)).toEqual([later!]);
});

test('[E2] Retry-After delays its event, and pauses the endpoint after several sessions got it', async () => {
  const { register, emit, attempts } = await open();
  const receiver = await receive(() => ({ status: 429, headers: { 'retry-after': '1800' } }));
  const webhook = await register(receiver.url);
  await emit(['ses_a']);
  await eventually(async () => (await attempts(webhook)).length === 1);
  const { at, nextAt } = (await attempts(webhook))[0]!;
  expect(nextAt! - at).toBeGreaterThanOrEqual(1_800_000);
  expect(nextAt! - at).toBeLessThan(1_810_000);
  await emit(['ses_b', 'ses_c', 'ses_d', 'ses_e', 'ses_f', 'ses_g']);
  await eventually(() => receiver.received.length === 5);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(idsAt(receiver).length).toBe(5);
});

test('[E3] a name that resolves to an internal address after its registration is not connected to', async () => {
  let address = '93.184.216.34';
  const policy = { allowLocal: false };
  const resolve = async () => [address];
  const { register, emit, attempts, service } = await open({ policy, resolve });
  const url = service.parseUrl('https://hooks.example.com/x')!;
  expect(await service.mayRegister(url)).toBe(true);
  const webhook = await register(url);
  address = '127.0.0.1';
  expect(await service.mayRegister(url)).toBe(false);
  await emit(['ses_a']);
  await eventually(async () => (await attempts(webhook)).length === 1);
  expect((await attempts(webhook))[0]).toMatchObject({
    status: null,
    error: 'address_not_allowed',
  });
});

test('[E3] a redirect is a failure and is not followed', async () => {
  const { register, emit, attempts } = await open();
  const inside = await receive();
  const receiver = await receive(() => ({ status: 307, headers: { location: inside.url } }));
  const webhook = await register(receiver.url);
  await emit(['ses_a']);
  await eventually(async () => (await attempts(webhook)).length === 1);
  expect((await attempts(webhook))[0]).toMatchObject({ status: 307, error: 'redirected' });
  expect(inside.received).toEqual([]);
});

test('[E2] an endpoint that recovers is sent its postponed events at once', async () => {
  const { register, emit, store } = await open();
  const receiver = await receive(() => ({ status: 500 }));
  const webhook = await register(receiver.url);
  const ids = await emit(Array.from({ length: 6 }, (_, i) => `ses_${i}`));
  await eventually(() => receiver.received.length >= 5);
  receiver.answer(() => ({ status: 200 }));
  receiver.received.length = 0;
  // The rows are due in 10 s; the sixth event discovers the recovery.
  await eventually(() => idsAt(receiver).length === 6, 6_000);
  expect(idsAt(receiver).sort()).toEqual([...ids].sort());
  await eventually(async () => (await store.listOutstanding(webhook.id)).length === 0);
});

test('[E2] another address starts over: it is sent the waiting events, and late answers of the old one do not count', async () => {
  const { register, emit, find, service, store } = await open();
  const old = await receive(() => ({ status: 500 }));
  const next = await receive();
  const webhook = await register(old.url);
  const ids = await emit(['ses_a', 'ses_a', 'ses_b', 'ses_c']);
  await eventually(async () => (await store.listOutstanding(webhook.id)).length === 4);
  expect((await find(webhook)).failingSince).not.toBeNull();
  old.answer(() => ({ status: 410, delayMs: 700 }));
  old.received.length = 0;
  ids.push(...(await emit(['ses_d'])));
  await eventually(() => old.received.length === 1);
  const asker = { tenant: webhook.tenant, actor: 'key:key_x' };
  const fields = { url: service.parseUrl(next.url)! };
  const changed = await service.update(asker, await find(webhook), fields, null);
  expect(changed).toMatchObject({ url: fields.url, failingSince: null, disabled: null });
  // At the old address they would be due in 10 s.
  await eventually(() => idsAt(next).length === 5, 5_000);
  expect(idsAt(next).toSorted()).toEqual(ids.toSorted());
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await find(webhook)).toMatchObject({ disabled: null, failingSince: null });
  await eventually(async () => (await store.listOutstanding(webhook.id)).length === 0);
});

/** A webhook that failed before: its position and rows as set here, in a new process. */
async function failedBefore(
  url: string,
  rows: readonly Partial<Outstanding>[],
  failingSince: number,
): Promise<{
  readonly webhook: Webhook;
  readonly ids: readonly string[];
  readonly world: WebhookWorld;
}> {
  const first = await open();
  const webhook = await first.register(url);
  const { epoch } = webhook;
  await first.stop(0);
  const ids = await first.emit(rows.map(() => 'ses_a'));
  const due = { attempt: 0, nextAt: 0, notBefore: 0 };
  const row = { session: 'ses_a', standsFor: 'event', ...due } as const;
  await first.store.recordProgress({
    webhook: webhook.id,
    epoch,
    cursor: rows.length,
    changed: rows.map((each, i) => ({ ...row, seq: i + 1, id: ids[i]!, ...each })),
    settled: [],
    attempts: [],
    failingSince,
    disable: null,
  });
  return { webhook, ids, world: await first.restart() };
}

test('[E2] after its last retry an event is given up, and the next of its session is sent', async () => {
  const url = 'http://127.0.0.1:9/';
  const { webhook, ids, world } = await failedBefore(url, [{ attempt: 12 }, {}], Date.now());
  const { attempts, store, figures } = world;
  await eventually(async () => (await attempts(webhook)).some(({ attempt }) => attempt === 13));
  expect((await attempts(webhook)).find(({ event }) => event === ids[0])).toMatchObject({
    attempt: 13,
    error: 'connection_failed',
    nextAt: null,
  });
  await eventually(async () => (await store.listOutstanding(webhook.id))[0]?.id === ids[1]);
  expect(figures().givenUp).toBe(1);
});

test('[E2] an endpoint that only failed for three days is disabled', async () => {
  const since = Date.now() - 3 * 86_400_000;
  const { webhook, world } = await failedBefore('http://127.0.0.1:9/', [{ attempt: 2 }], since);
  const { find, store } = world;
  await eventually(async () => (await find(webhook)).disabled === 'failing');
  expect(await store.listOutstanding(webhook.id)).toEqual([]);
});

test('[E2] a suspended tenant is sent nothing', async () => {
  const { register, emit, store, errors } = await open();
  const receiver = await receive();
  const webhook = await register(receiver.url);
  const audit = { tenant: webhook.tenant, actor: 'cli', act: 'x', object: '', at: 0 };
  await store.updateTenant(webhook.tenant, { active: false }, audit);
  await emit(['ses_a']);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(receiver.received).toEqual([]);
  expect(errors).toEqual([]);
});

test('[E2][K2] a tenant suspended during deliveries is sent nothing more once that is noticed', async () => {
  const { register, emit, store, forget } = await open();
  const receiver = await receive();
  const webhook = await register(receiver.url);
  const audit = { tenant: webhook.tenant, actor: 'cli', act: 'x', object: '', at: 0 };
  await emit(['ses_a']);
  await eventually(() => receiver.received.length === 1);
  await store.updateTenant(webhook.tenant, { active: false }, audit);
  forget();
  await emit(['ses_a']);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(receiver.received.length).toBe(1);
});

test('[D12][E2] a webhook whose secret is lost says so, and is sent what waited once it is rotated', async () => {
  const first = await open();
  const receiver = await receive();
  const webhook = await first.register(receiver.url);
  const [read] = await first.store.listSecrets();
  await first.store.replaceSecrets([{ read: read!, text: '[]' }]);
  // What was read before is cached: the key is lost between two processes.
  const { emit, attempts, service, find, restart } = await first.restart();
  const [id] = await emit(['ses_a']);
  await eventually(async () => (await attempts(webhook)).length === 1);
  expect(await attempts(webhook)).toMatchObject([
    { event: id, status: null, error: 'secret_lost' },
  ]);
  expect(receiver.received).toEqual([]);
  const asker = { tenant: webhook.tenant, actor: 'key:key_a' };
  await service.rotate(asker, await find(webhook), 86_400_000, null);
  const { secrets } = await find(webhook);
  await restart({ clock: makeClockAhead(20_000) });
  await eventually(() => receiver.received.length === 1);
  const { body, headers } = receiver.received[0]!;
  expect(secrets.length).toBe(1);
  new Verifier(secrets[0]!.text).verify(body, headers);
});

test('[N11][E2] a node that stops while it gives a webhook up waits for its requests, and does stop', async () => {
  let share = 1;
  let served: readonly ServedWebhook[] = [];
  const released: string[] = [];
  const { register, emit, stop, attempts, errors } = await open({
    claims: {
      claim: async () => ({ served, share }),
      release: async (ids) => void released.push(...ids),
      onError: (error) => expect.unreachable(String(error)),
    },
  });
  const receiver = await receive(() => ({ status: 204, delayMs: 1_500 }));
  const webhook = await register(receiver.url);
  served = [{ ...webhook, revision: 0 }];
  await emit(['ses_a']);
  await eventually(() => receiver.received.length === 1);
  // The next round, within a second, gives it up; its request takes longer.
  share = 0;
  await stop(5_000);
  expect(await attempts(webhook)).toMatchObject([{ status: 204, error: null }]);
  expect([released, errors]).toEqual([[webhook.id], []]);
});
