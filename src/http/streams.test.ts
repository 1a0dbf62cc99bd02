/** Misused streams: what ends them, how they count, and what they may delay. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { systemRandomness } from '../runtime/system.ts';
import { makeKeyText } from '../tenancy/key-text.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type HttpService, openHttpService, PUBLIC_URL } from '../testing/service/http-service.ts';

let world: HttpService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  world = await openHttpService();
});
beforeEach(async () => {
  // Two streams in each mode.
  tenant = await world.makeTenant({ plan: 'starter' });
  key = await world.makeKey(tenant, 'test');
});
afterAll(() => world.close());

const EVENTS = '/v1/events/stream';
const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

function ask(path: string, method = 'GET', bearer = key, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  return world.app.fetch(new Request(PUBLIC_URL + path, init), { address: '203.0.113.7' });
}

/** The path of a bot's stream, and a token of its own. */
async function makeBot(): Promise<{ readonly path: string; readonly token: string }> {
  const fields = { game: 'tictactoe', name: 'P', kind: 'external' };
  const { id } = (await (await ask('/v1/bots', 'POST', key, fields)).json()) as { id: string };
  const made = await ask(`/v1/bots/${id}/token`, 'POST');
  const { token } = (await made.json()) as { token: string };
  return { path: `/v1/bots/${id}/stream`, token };
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** A stream whose beginning was read, and which waits for more. */
async function open(path: string, bearer = key): Promise<Reader> {
  const response = await ask(path, 'GET', bearer);
  expect(response.status).toBe(200);
  const reader = response.body!.getReader();
  await reader.read();
  return reader;
}

async function hasEnded(reader: Reader): Promise<boolean> {
  const timeUp = Bun.sleep(200).then(() => ({ done: false }));
  return (await Promise.race([reader.read(), timeUp])).done;
}

async function theKey() {
  return (await world.store.listKeys(tenant.id))[0]!;
}

test('[K2] the streams of a revoked key and of its tokens end, and no others', async () => {
  const bot = await makeBot();
  const other = await open(EVENTS, await world.makeKey(await world.makeTenant(), 'test'));
  const mine = [await open(EVENTS), await open(bot.path, bot.token)];
  await world.refreshKeys();
  const { id } = await theKey();
  await world.store.updateKey(id, { revokedAt: world.clock.now() }, audit);
  await world.refreshKeys();
  for (const reader of mine) expect(await hasEnded(reader)).toBe(true);
  expect(await hasEnded(other)).toBe(false);
  await other.cancel();
  // Ended streams no longer count.
  key = await world.makeKey(tenant, 'test');
  for (const reader of [await open(EVENTS), await open(EVENTS)]) await reader.cancel();
});

test('[K2] the streams of an expiring key end, and those of a suspended tenant too', async () => {
  const { id } = await theKey();
  await world.store.updateKey(id, { expiresAt: world.clock.now() + 5_000 }, audit);
  await world.refreshKeys();
  const expiring = await open(EVENTS);
  key = await world.makeKey(tenant, 'test');
  const suspended = await open(EVENTS);
  world.clock.advance(5_000);
  await world.refreshKeys();
  expect(await hasEnded(expiring)).toBe(true);
  await world.store.updateTenant(tenant.id, { active: false }, audit);
  await world.refreshKeys();
  expect(await hasEnded(suspended)).toBe(true);
});

test('[K2] a stream that was opened with a secret ends with that secret', async () => {
  const reader = await open(EVENTS);
  const fresh = makeKeyText('test', (count) => systemRandomness.bytes(count));
  const { id } = await theKey();
  const now = world.clock.now();
  await world.store.rotateKey(id, { id: fresh.id, hash: fresh.hash }, fresh.hint, now, audit);
  await world.refreshKeys();
  expect(await hasEnded(reader)).toBe(true);
  await (await open(EVENTS, fresh.text)).cancel();
});

test('[K2] a client that does not read what was sent is disconnected all the same', async () => {
  const response = await ask(EVENTS);
  await world.store.updateTenant(tenant.id, { active: false }, audit);
  await world.refreshKeys();
  await world.store.updateTenant(tenant.id, { active: true }, audit);
  await world.refreshKeys();
  const reader = response.body!.getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toStartWith(': here\n');
  expect(await hasEnded(reader)).toBe(true);
});

test('[H6] HEAD of a stream uses no slot', async () => {
  const bot = await makeBot();
  for (const path of [EVENTS, bot.path, EVENTS]) {
    const { status, body } = await ask(path, 'HEAD');
    expect([status, body]).toEqual([200, null]);
  }
  for (const reader of [await open(EVENTS), await open(bot.path)]) await reader.cancel();
});

test('[H6] a stream that could not be opened uses no slot', async () => {
  const { eventHead } = world.store;
  world.store.eventHead = () => Promise.reject(new Error('away'));
  for (let i = 0; i < 3; i++) expect((await ask(EVENTS)).status).toBe(500);
  world.store.eventHead = eventHead;
  for (const reader of [await open(EVENTS), await open(EVENTS)]) await reader.cancel();
});

test('[E2] a stream that searches for missing events lets other work run', async () => {
  const asker = { tenant: tenant.id, actor: `key:${(await theKey()).id}` };
  const trigger = () => world.webhooks.service.trigger(asker, 'ticket.created', null);
  const first = await trigger();
  await Promise.all(Array.from({ length: 5_000 }, trigger));
  const { readEvents } = world.store;
  let turn = 0;
  const readsIn: number[] = [];
  world.store.readEvents = (...args) => {
    readsIn.push(turn);
    return readEvents(...args);
  };
  const next = (): void => {
    turn += 1;
    if (readsIn.length < 5) setImmediate(next);
  };
  setImmediate(next);
  const stream = await open(`${EVENTS}?types=ticket.cancelled&after=${first.id}`);
  while (readsIn.length < 5) await Bun.sleep(2);
  world.store.readEvents = readEvents;
  await stream.cancel();
  expect(new Set(readsIn).size).toBe(readsIn.length);
});

test('[E2][R1] a stream after a removed event waits where none is stored', async () => {
  const asker = { tenant: tenant.id, actor: `key:${(await theKey()).id}` };
  const trigger = () => world.webhooks.service.trigger(asker, 'ticket.created', null);
  const gone = await trigger();
  const inWorld = { tenant: tenant.id, mode: 'test' } as const;
  await world.store.removeEvents(inWorld, world.clock.now() + 1, 100);
  const { readEvents } = world.store;
  let reads = 0;
  world.store.readEvents = (...args) => {
    reads += 1;
    // A reader that reads on and on would never let this test end.
    return reads > 100 ? new Promise(() => {}) : readEvents(...args);
  };
  const stream = await open(`${EVENTS}?after=${gone.id}`);
  await Bun.sleep(50);
  world.store.readEvents = readEvents;
  expect(reads).toBeLessThan(5);
  const { id } = await trigger();
  expect(new TextDecoder().decode((await stream.read()).value)).toStartWith(`id: ${id}\n`);
  await stream.cancel();
});
