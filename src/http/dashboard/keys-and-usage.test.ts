/** Keys, the request log, usage and getting-started steps, as the dashboard shows them. */

import { afterAll, expect, test } from 'bun:test';
import { makeAsking } from '../../testing/service/asking.ts';
import {
  makeBrowser,
  makeMember,
  makeOwner,
  openDashboard,
} from '../../testing/service/dashboard-browser.ts';
import { openHttpService } from '../../testing/service/http-service.ts';

const { world, tenant, owner } = await openDashboard();
const developer = await makeMember(world, owner, 'acme', 'developer');
afterAll(() => world.close());

const SESSION = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };

test('[K2] a key is shown once, named, restricted to origins, rotated with overlap and revoked', async () => {
  const body = { name: ' backend ', origins: ['https://Example.com:443'], requireOrigin: true };
  const made = await developer.ask('/t/acme/test/keys', { body });
  expect(made.status).toBe(201);
  const { id, key: text } = made.json as Record<string, string>;
  expect(made.json).toMatchObject({
    name: 'backend',
    origins: ['https://example.com'],
    requireOrigin: true,
    status: 'active',
    lastUsedAt: null,
  });
  const use = async (key: string) => {
    await world.refreshKeys();
    const headers = { origin: 'https://example.com' };
    return (await makeAsking(world.app, key)('/v1/whoami', { headers })).status;
  };
  expect(await use(text!)).toBe(200);
  await world.refreshKeys();
  const listed = (await developer.ask('/t/acme/test/keys')).json['data'] as object[];
  expect(listed).toHaveLength(1);
  expect(JSON.stringify(listed)).not.toContain(text!);
  expect(listed[0]).toMatchObject({ id, lastUsedAt: expect.any(String) });
  const path = `/t/acme/test/keys/${id}`;
  const rotated = await developer.ask(`${path}/rotate`, { body: { overlapSeconds: 60 } });
  const next = String(rotated.json['key']);
  expect([await use(text!), await use(next)]).toEqual([200, 200]);
  world.clock.skip(60_000);
  expect([await use(text!), await use(next)]).toEqual([401, 200]);
  const change = { name: 'shop', origins: [], requireOrigin: false };
  expect((await developer.ask(path, { body: change })).json).toMatchObject(change);
  for (const wrong of [{ origins: ['example.com/path'] }, { expiresAt: '2020-01-01T00:00:00Z' }]) {
    expect((await developer.ask(path, { body: wrong })).status).toBe(400);
  }
  const revoked = await developer.ask(`${path}/revoke`, { method: 'POST' });
  expect(revoked.json).toMatchObject({ status: 'revoked' });
  expect(await use(next)).toBe(401);
  expect((await developer.ask(`${path}/rotate`, { body: {} })).status).toBe(409);
  expect((await developer.ask(path, { body: change })).status).toBe(409);
});

test('[K2] after a rotation the old secret is shown with its end and last use, and can be ended early', async () => {
  const keys = '/t/acme/test/keys';
  const made = await developer.ask(keys, { body: { name: 'turning' } });
  const { id, key: text, hint } = made.json as Record<string, string>;
  expect(made.json['oldTexts']).toEqual([]);
  const path = `${keys}/${id}`;
  const now = world.clock.now();
  const rotated = await developer.ask(`${path}/rotate`, { body: { overlapSeconds: 600 } });
  const next = String(rotated.json['key']);
  const until = new Date(now + 600_000).toISOString();
  const old = { hint, expiresAt: until, lastUsedAt: null };
  expect(rotated.json).toMatchObject({ overlapUntil: until, oldTexts: [old] });
  expect(rotated.json['hint']).not.toBe(hint);
  const use = async (key: string) => {
    await world.refreshKeys();
    const status = (await makeAsking(world.app, key)('/v1/whoami')).status;
    await world.refreshKeys();
    return status;
  };
  expect(await use(text!)).toBe(200);
  const shown = async () => {
    const { data } = (await developer.ask(keys)).json as { data: Record<string, unknown>[] };
    return data.find((each) => each['id'] === id)!['oldTexts'];
  };
  expect(await shown()).toEqual([{ ...old, lastUsedAt: new Date(now).toISOString() }]);
  expect((await developer.ask(`${keys}/key_none/end-overlap`, { method: 'POST' })).status).toBe(
    404,
  );
  const support = await makeMember(world, owner, 'acme', 'support', 'watcher@example.test');
  expect((await support.ask(`${path}/end-overlap`, { method: 'POST' })).status).toBe(403);
  expect(await use(text!)).toBe(200);
  for (const _ of [1, 2]) {
    const ended = await developer.ask(`${path}/end-overlap`, { method: 'POST' });
    expect([ended.status, ended.json['oldTexts'], ended.json['status']]).toEqual([
      200,
      [],
      'active',
    ]);
  }
  expect([await use(text!), await use(next)]).toEqual([401, 200]);
  expect(await shown()).toEqual([]);
  const acts = ((await developer.ask('/t/acme/audit')).json['data'] as { act: string }[])
    .map(({ act }) => act)
    .filter((act) => act === 'key.overlap_ended');
  expect(acts).toHaveLength(1);
  // Revoking ends every secret, whatever overlap is left.
  const again = await developer.ask(`${path}/rotate`, { body: { overlapSeconds: 600 } });
  const revoked = await developer.ask(`${path}/revoke`, { method: 'POST' });
  expect(revoked.json).toMatchObject({ status: 'revoked', oldTexts: [] });
  expect([await use(next), await use(String(again.json['key']))]).toEqual([401, 401]);
  expect((await developer.ask(`${path}/end-overlap`, { method: 'POST' })).status).toBe(409);
});

test('[K5] a key is created with scopes, keeps them when rotated and never gets others', async () => {
  const path = '/t/acme/test/keys';
  const body = { name: 'stats', scopes: ['sessions', 'read'] };
  const made = await developer.ask(path, { body });
  const scopes = ['read', 'sessions'];
  expect(made.json).toMatchObject({ name: 'stats', scopes });
  expect(made.json['key']).toMatch(/^mrk_test_/);
  const { id } = made.json as Record<string, string>;
  const change = { name: 'more', scopes: ['admin'] };
  expect((await developer.ask(`${path}/${id}`, { body: change })).json).toMatchObject({ scopes });
  const rotated = await developer.ask(`${path}/${id}/rotate`, { body: {} });
  await world.refreshKeys();
  const ask = makeAsking(world.app, String(rotated.json['key']));
  expect((await ask('/v1/whoami')).json.key.scopes).toEqual(scopes);
  expect(
    (await ask('/v1/bots', { body: { game: 'ludo', name: 'B', kind: 'builtin' } })).status,
  ).toBe(403);
  for (const wrong of [[], ['write'], ['*']]) {
    const refused = await developer.ask(path, { body: { name: 'x', scopes: wrong } });
    expect(refused.status).toBe(400);
  }
  const all = await developer.ask(path, { body: { name: 'all' } });
  expect(all.json['scopes']).toEqual(['*']);
  for (const key of [id!, String(all.json['id'])]) {
    await developer.ask(`${path}/${key}/revoke`, { method: 'POST' });
  }
});

test('[D9][R1] requests with a key are listed by id, filtered by error, found, and removed after 7 days', async () => {
  const key = await world.makeKey(tenant, 'test');
  const ask = makeAsking(world.app, key);
  // Ids of the same millisecond have no order.
  world.clock.skip(1);
  const made = await ask('/v1/sessions', { body: SESSION });
  const { sessionId } = made.json as { sessionId: string };
  world.clock.skip(1);
  const missing = await ask('/v1/sessions/ses_nothing');
  world.clock.skip(1);
  await ask(`/v1/sessions/${sessionId}`);
  world.clock.skip(1);
  await ask('/v1/players/secret-name/token', { body: {} });
  await world.requests.flush();
  const list = async (query = '') =>
    (await developer.ask(`/t/acme/test/requests${query}`)).json['data'] as Record<
      string,
      unknown
    >[];
  const rows = await list('?limit=4');
  expect(rows.map(({ route, status }) => [route, status])).toEqual([
    ['makeLobbyToken', 201],
    ['getSession', 200],
    ['getSession', 404],
    ['createSession', 201],
  ]);
  expect(rows[1]).toMatchObject({ sessionId, method: 'GET', code: null });
  expect(JSON.stringify(rows)).not.toContain('secret-name');
  const errors = await list('?errors=true');
  expect(errors.every(({ status }) => Number(status) >= 400)).toBe(true);
  const id = missing.headers.get('x-request-id');
  expect(errors.map((each) => each['id'])).toContain(id);
  const found = await developer.ask(`/t/acme/test/requests/${id}`);
  expect(found.json).toMatchObject({ id, code: 'session_not_found', status: 404 });
  expect((await developer.ask(`/t/acme/live/requests/${id}`)).status).toBe(404);
  expect((await developer.ask('/t/acme/test/requests/req_nothing')).status).toBe(404);
  const first = await developer.ask('/t/acme/test/requests?limit=3');
  const next = await list(`?limit=100&cursor=${first.json['nextCursor']}`);
  expect([...(first.json['data'] as object[]), ...next]).toEqual(await list('?limit=100'));

  const usage = (await developer.ask('/t/acme/test/usage')).json as {
    counts: { kind: string; count: number }[];
    use: object;
  };
  const counted = Object.fromEntries(usage.counts.map(({ kind, count }) => [kind, count]));
  expect(counted).toMatchObject({ sessions: 1, refused: expect.any(Number) });
  // Refused keys are in the log and count in no usage.
  const kept = await list('?limit=100');
  expect(counted['requests']).toBe(kept.filter(({ refusal }) => refusal === null).length);
  expect(usage.use).toEqual({
    requestsPerMinute: 0,
    sessionsPerMonth: null,
    openSessions: 1,
    sockets: 0,
    openTickets: 0,
    webhooks: 0,
    eventStreams: 0,
  });
  const month = new Date(world.clock.now()).toISOString().slice(0, 7);
  const { months } = usage as { months?: object[] };
  expect(months).toContainEqual({ month, kind: 'sessions', count: 1 });

  world.clock.skip(7 * 86_400_000 - 120_000);
  expect(await world.requests.sweep()).toBe(0);
  world.clock.skip(121_000);
  expect(await world.requests.sweep()).toBe(kept.length);
}, 60_000);

test('[D9] usage by key is exported as CSV for its own world, and a repeated response counts once', async () => {
  const own = await openHttpService();
  const boss = await makeOwner(own);
  const billed = await own.makeTenant({ slug: 'billed', plan: 'enterprise' });
  const [testKey, liveKey] = [await own.makeKey(billed, 'test'), await own.makeKey(billed, 'live')];
  const ask = makeAsking(own.app, testKey);
  const headers = { 'idempotency-key': 'once' };
  const create = () => ask('/v1/sessions', { body: SESSION, headers });
  expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
  const training = { game: 'ludo', mode: 'training' };
  expect((await ask('/v1/sessions', { body: training })).status).toBe(201);
  await ask('/v1/sessions/ses_nothing');
  await makeAsking(own.app, liveKey)('/v1/whoami');
  await own.requests.flush();
  const keys = await own.store.listKeys(billed.id);
  const day = new Date(own.clock.now()).toISOString().slice(0, 10);
  const id = keys.find(({ mode }) => mode === 'test')!.id;
  const file = await boss.ask(`/t/billed/test/usage.csv?from=${day}&to=${day}`);
  expect(file.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(file.text).toBe(
    [
      'day,mode,key,measure,game,count',
      `${day},test,${id},refused,,1`,
      `${day},test,${id},requests,,4`,
      `${day},test,${id},sessions,tictactoe,1`,
      `${day},training,${id},sessions,ludo,1`,
      '',
    ].join('\r\n'),
  );
  expect((await boss.ask('/t/billed/live/usage.csv')).text).not.toContain(id);
  for (const query of ['?from=2026-02-30', '?from=2026-11-02&to=2026-11-01', '?from=2020-01-01']) {
    expect([query, (await boss.ask(`/t/billed/test/usage.csv${query}`)).status]).toEqual([
      query,
      400,
    ]);
  }
  await own.close();
}, 60_000);

test('[D9] a failed write of the request log is retried, and a flood is counted instead of stored', async () => {
  const { makeRequestLog } = await import('../../runtime/measures/request-log.ts');
  const written: number[] = [];
  let isBroken = true;
  const log = makeRequestLog(
    {
      async logRequests(rows) {
        if (isBroken) throw new Error('away');
        written.push(rows.length);
      },
      removeRequests: async () => 0,
      listTenants: async () => [],
    },
    world.clock,
  );
  const row = {
    id: 'req_1',
    tenant: 't',
    mode: 'test' as const,
    at: 0,
    method: 'GET',
    route: 'whoami',
    status: 200,
    code: null,
    tookMs: 1,
    keyId: 'k',
    session: null,
  };
  log.record(row);
  await expect(log.flush()).rejects.toThrow('away');
  for (let i = 0; i < 10_005; i++) log.record(row);
  isBroken = false;
  await log.flush();
  await log.flush();
  expect(written).toEqual([10_000]);
  expect(log.dropped()).toBe(6);
});

test('[D11] getting-started steps complete themselves and stay complete', async () => {
  const fresh = await world.makeTenant({ slug: 'fresh' });
  const signedIn = makeBrowser(world);
  const { OWNER } = await import('../../testing/service/dashboard-browser.ts');
  const { email, password } = OWNER;
  await signedIn.ask('/login', { body: { email, password } });
  const ticked = async () => {
    const { steps } = (await signedIn.ask('/t/fresh/test/overview')).json as {
      steps: { name: string; at: string | null }[];
    };
    return steps.filter(({ at }) => at !== null).map(({ name }) => name);
  };
  expect(await ticked()).toEqual([]);
  const key = await world.makeKey(fresh, 'test');
  expect(await ticked()).toEqual(['key_created']);
  const ask = makeAsking(world.app, key);
  const made = await ask('/v1/sessions', { body: SESSION });
  await world.refreshKeys();
  expect(await ticked()).toEqual(['key_created', 'key_used', 'session_created']);
  const { sessionId } = made.json as { sessionId: string };
  await ask(`/v1/sessions/${sessionId}/end`, { body: {} });
  world.clock.skip(8 * 86_400_000);
  await world.store.removeSessions({
    tenant: fresh.id,
    mode: 'test',
    endedBefore: world.clock.now(),
    limit: 10,
  });
  await signedIn.ask('/login', { body: { email, password } });
  expect(await ticked()).toEqual(['key_created', 'key_used', 'session_created']);
  // The other world has nothing yet.
  const live = (await signedIn.ask('/t/fresh/live/overview')).json as { steps: { at: unknown }[] };
  expect(live.steps.every(({ at }) => at === null)).toBe(true);
}, 60_000);

test('[D6] the installation owner creates tenants, changes plans, suspends tenants, and sees the nodes', async () => {
  const { OWNER } = await import('../../testing/service/dashboard-browser.ts');
  const operator = makeBrowser(world);
  const { email, password } = OWNER;
  await operator.ask('/login', { body: { email, password } });
  const body = { name: 'Café Nero', plan: 'starter' };
  const made = await operator.ask('/operator/tenants', { body });
  expect([made.status, made.json]).toMatchObject([201, { slug: 'cafe-nero', active: true }]);
  const taken = await operator.ask('/operator/tenants', { body: { ...body, slug: 'cafe-nero' } });
  expect(taken.status).toBe(409);
  const path = `/operator/tenants/${made.json['id']}`;
  const changed = await operator.ask(path, { body: { plan: 'pro', active: false } });
  expect(changed.json).toMatchObject({ plan: 'pro', active: false, name: 'Café Nero' });
  expect((await operator.ask('/operator/tenants/ten_none', { body: {} })).status).toBe(404);
  await world.store.heartbeat('nod_test', world.clock.now());
  const nodes = (await operator.ask('/operator/nodes')).json['data'];
  expect(nodes).toMatchObject([{ id: 'nod_test', alive: true, self: true }]);
});

test('[H6] a tenant that leaves the enterprise plan has the limits of its new plan at once and later', async () => {
  const { OWNER } = await import('../../testing/service/dashboard-browser.ts');
  const operator = makeBrowser(world);
  await operator.ask('/login', { body: { email: OWNER.email, password: OWNER.password } });
  const own = { requestsPerMinute: 5_000, openSessions: 900_000 };
  const big = await world.makeTenant({ slug: 'big', plan: 'enterprise', limits: own });
  const change = async (body: object) =>
    (await operator.ask(`/operator/tenants/${big.id}`, { body })).json;
  expect(await change({ name: 'Big Ltd' })).toMatchObject({ plan: 'enterprise', limits: own });
  expect(await change({ plan: 'starter' })).toMatchObject({
    plan: 'starter',
    limits: { requestsPerMinute: 60, openSessions: 500 },
  });
  await world.refreshKeys();
  const key = await world.makeKey(big, 'test');
  const me = await makeAsking(world.app, key)('/v1/whoami');
  expect(me.headers.get('x-ratelimit-limit')).toBe('60');
  expect(await change({ plan: 'enterprise' })).toMatchObject({
    limits: { requestsPerMinute: 1_000_000 },
  });
});

test('[D6] tenants created concurrently with one name get different slugs; each slug is unique', async () => {
  const { OWNER } = await import('../../testing/service/dashboard-browser.ts');
  const operator = makeBrowser(world);
  await operator.ask('/login', { body: { email: OWNER.email, password: OWNER.password } });
  const make = (body: object) =>
    Promise.all(
      Array.from({ length: 4 }, () =>
        operator.ask('/operator/tenants', { body: { plan: 'starter', ...body } }),
      ),
    );
  const named = await make({ name: 'Same' });
  expect(named.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const slugs = named.map(({ json }) => String(json['slug'])).sort();
  expect(slugs).toEqual(['same', 'same-2', 'same-3', 'same-4']);
  const slugged = await make({ name: 'Other', slug: 'one' });
  expect(slugged.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
});
