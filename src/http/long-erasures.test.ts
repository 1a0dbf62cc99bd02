/** Slow erasures, and requests with a key meanwhile. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { WORLDS } from '../store/world.ts';
import { makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import { makeReply } from './request/exchange.ts';
import { makeIdempotency } from './request/idempotency.ts';

let http: HttpService;
beforeAll(async () => {
  http = await openHttpService();
});
afterAll(() => http.close());

/** Searches of stored responses continue when `looked` is called. */
function holdWalks() {
  const store = http.store as { forgetAnswersOf: typeof http.store.forgetAnswersOf };
  const before = store.forgetAnswersOf;
  const gate = Promise.withResolvers<void>();
  const walking = Promise.withResolvers<void>();
  store.forgetAnswersOf = async (...args) => {
    walking.resolve();
    await gate.promise;
    return before(...args);
  };
  const putBack = (): void => {
    store.forgetAnswersOf = before;
  };
  return { walking: walking.promise, looked: gate.resolve, putBack };
}

test('[R2][H8] a response stored late, between the search of responses and the erasure on another node, does not stay', async () => {
  const tenant = await http.makeTenant();
  const key = await http.makeKey(tenant, 'test');
  const asking = makeAsking(http.app, key);
  await asking('/v1/sessions', {
    body: { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] },
  });
  let at = http.clock.now();
  const answers = makeIdempotency({
    store: http.store,
    clock: { ...http.clock, now: () => at },
  } as never);
  const request = {
    caller: { tenant, key: { mode: 'test' } },
    route: { method: 'POST', path: '/v1/sessions' },
    pathname: '/v1/sessions',
    search: '',
    body: { absent: true, json: {} },
    key: 'b',
  } as never;
  const entry = await answers.enter(request);
  if (entry.kind !== 'first') throw new Error('answered');
  // Others of the tenant are being erased here, one after the other, which takes long.
  const walk = Promise.withResolvers<void>();
  const erasing = answers.erase(tenant.id, WORLDS, 'someone', () => walk.promise);
  const settled = entry.first.settle(makeReply(201, { players: [{ id: 'ann' }] }));
  at += 70_000;
  // Another node erases ann.
  const looked = await http.store.forgetAnswersOf(tenant.id, WORLDS, 'ann', at);
  at += 5_000;
  walk.resolve();
  await erasing;
  await settled;
  expect(await http.store.erasePlayer(tenant.id, WORLDS, 'ann', at, { looked })).toBe(true);
  entry.first.leave();
  const again = await answers.enter(request);
  expect(JSON.stringify(again)).not.toContain('"ann"');
});

test('[R2][H8] no request with a key waits while very many stored responses are searched', async () => {
  const tenant = await http.makeTenant();
  const asTest = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  const asLive = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  await asTest('/v1/sessions', {
    body: { game: 'tictactoe', players: [{ id: 'eve' }, { id: 'ben' }] },
  });
  const { walking, looked, putBack } = holdWalks();
  const erasing = asTest('/v1/players/eve', { method: 'DELETE' });
  await walking;
  const token = asLive('/v1/players/zoe/token', {
    body: {},
    method: 'POST',
    headers: { 'idempotency-key': 'x' },
  });
  const first = await Promise.race([
    token.then((r) => r.status),
    Bun.sleep(1_500).then(() => 'waits'),
  ]);
  looked();
  await erasing;
  expect((await token).status).toBeLessThan(300);
  putBack();
  expect(first).not.toBe('waits');
});

test('[R2][K3] a test key erases no live player, even one who arrives while stored responses are searched', async () => {
  const tenant = await http.makeTenant();
  const asTest = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  const asLive = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  const body = { game: 'tictactoe', players: [{ id: 'eve' }, { id: 'ben' }] };
  await asTest('/v1/sessions', { body });
  const { walking, looked, putBack } = holdWalks();
  const erasing = asTest('/v1/players/eve', { method: 'DELETE' });
  await walking;
  expect((await asLive('/v1/sessions', { body })).status).toBe(201);
  looked();
  expect((await erasing).status).toBe(200);
  putBack();
  expect((await asTest('/v1/players/eve')).status).toBe(404);
  expect((await asLive('/v1/players/eve')).status).toBe(200);
});
