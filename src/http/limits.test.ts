/** Windows, quotas and wrong keys: rules H5 and H6 through the whole HTTP side. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeLeasedWindows } from '../runtime/limits/leased-windows.ts';
import type { TenantLimits } from '../tenancy/tenant.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import { openLimits } from '../testing/service/limit-store.ts';

const START = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };

let http: HttpService;
let ask: Asking;

beforeAll(async () => {
  http = await openHttpService();
  ask = makeAsking(http.app, null);
});
afterAll(() => http.close());

async function keyOf(limits: Partial<TenantLimits>, mode: 'live' | 'test' = 'test') {
  return http.makeKey(await http.makeTenant({ limits }), mode);
}

const windowOf = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));

test('[H3] a flood of refused requests writes 20 lines a minute and one count of the rest', async () => {
  const before = http.lines.length;
  for (let n = 0; n < 300; n++) await ask('/v1/whoami', { key: 'mk_test_nobody' });
  const refused = http.lines.slice(before).filter(({ fields }) => fields['status'] !== undefined);
  // Two codes: the key is wrong, then its address is slowed down (rule H5).
  expect(refused.length).toBe(40);
  http.clock.advance(60_000);
  http.logLimiter.sweep();
  const reports = http.lines.slice(before).filter(({ level }) => level === 'warn');
  expect(reports.map(({ fields }) => [fields['kind'], fields['suppressed']])).toEqual([
    ['rate_limited', 300 - 30 - 20],
    ['invalid_api_key', 10],
  ]);
});

test("[H6] every authenticated response has the window's state, errors too", async () => {
  const key = await keyOf({ requestsPerMinute: 10 });
  const answers = [
    await ask('/v1/whoami', { key }),
    await ask('/v1/sessions', { key, body: {} }),
    await ask('/nowhere', { key }),
    await ask('/v1/whoami', { key, method: 'POST' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 405]);
  expect(answers.map((each) => windowOf(each)[1])).toEqual([9, 8, 7, 6]);
  const seconds = http.clock.now() / 1_000;
  for (const answer of answers) {
    const [limit, , reset] = windowOf(answer);
    expect(limit).toBe(10);
    expect(reset! - seconds).toBeWithin(0, 61);
  }
});

test('[H6] a used-up window is 429 with Retry-After until it resets, to the second', async () => {
  const key = await keyOf({ requestsPerMinute: 2 });
  await ask('/v1/whoami', { key });
  await ask('/v1/whoami', { key });
  const refused = await ask('/v1/whoami', { key });
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ error: 'Rate limit exceeded' });
  expect(refused.headers.get('x-error-code')).toBe('rate_limited');
  const [limit, remaining, reset] = windowOf(refused);
  expect([limit, remaining]).toEqual([2, 0]);
  const waitS = Number(refused.headers.get('retry-after'));
  expect(reset! - http.clock.now() / 1_000).toBeWithin(waitS - 1, waitS + 1);
  http.clock.advance(waitS * 1_000);
  expect((await ask('/v1/whoami', { key })).status).toBe(200);
});

test('[H6] a window that nodes share: requests on other nodes count; the responses say so', async () => {
  const { limits: store } = openLimits();
  const clock = makeManualClock();
  const deps = { store, clock, nodes: () => 2, onAway: () => {} };
  const shared = await openHttpService({ planWindows: makeLeasedWindows(deps) });
  try {
    const tenant = await shared.makeTenant({ limits: { requestsPerMinute: 5 } });
    const asking = makeAsking(shared.app, await shared.makeKey(tenant, 'test'));
    const other = makeLeasedWindows(deps);
    for (let n = 0; n < 3; n++) await other.take(`${tenant.id}:test`, 5, clock.now());
    const answers = [await asking('/v1/whoami'), await asking('/v1/whoami')];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map((each) => windowOf(each).slice(0, 2))).toEqual([
      [5, 1],
      [5, 0],
    ]);
    const refused = await asking('/v1/whoami');
    expect(refused.status).toBe(429);
    expect(windowOf(refused).slice(0, 2)).toEqual([5, 0]);
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(1, 61);
  } finally {
    await shared.close();
  }
});

test('[H6] while the remaining limit is unknown, requests are 503 with Retry-After', async () => {
  let isAway = true;
  const { takeTokens, returnTokens } = openLimits().limits;
  const clock = makeManualClock();
  const shared = await openHttpService({
    planWindows: makeLeasedWindows({
      store: {
        takeTokens: async (asked) => {
          if (isAway) throw new Error('the store is away');
          return takeTokens(asked);
        },
        returnTokens,
      },
      clock,
      nodes: () => 2,
      onAway: () => {},
    }),
  });
  try {
    const tenant = await shared.makeTenant();
    const asking = makeAsking(shared.app, await shared.makeKey(tenant, 'test'));
    const refused = await asking('/v1/whoami');
    expect(refused.status).toBe(503);
    expect(refused.json).toEqual({ error: 'Service unavailable' });
    expect(refused.headers.get('x-error-code')).toBe('unavailable');
    expect(refused.headers.get('retry-after')).toBe('1');
    // Wrong keys are still reported: they cost the plan nothing.
    expect((await makeAsking(shared.app, 'mk_test_wrong')('/v1/whoami')).status).toBe(401);
    isAway = false;
    clock.advance(1_000);
    shared.clock.advance(1_000);
    expect((await asking('/v1/whoami')).status).toBe(200);
  } finally {
    await shared.close();
  }
});

test('[H6] all keys of a tenant and mode share a window, the other mode has its own', async () => {
  const tenant = await http.makeTenant({ limits: { requestsPerMinute: 1 } });
  const [one, two, live] = [
    await http.makeKey(tenant, 'test'),
    await http.makeKey(tenant, 'test'),
    await http.makeKey(tenant, 'live'),
  ];
  expect((await ask('/v1/whoami', { key: one })).status).toBe(200);
  expect((await ask('/v1/whoami', { key: two })).status).toBe(429);
  expect((await ask('/v1/whoami', { key: live })).status).toBe(200);
});

test('[H6] plans have their published numbers', async () => {
  const limits: number[] = [];
  for (const plan of ['starter', 'growth', 'pro'] as const) {
    const key = await http.makeKey(await http.makeTenant({ plan }), 'test');
    limits.push(windowOf(await ask('/v1/whoami', { key }))[0]!);
  }
  expect(limits).toEqual([60, 300, 600]);
});

test('[H6] live sessions past the month are refused until the month ends', async () => {
  const key = await keyOf({ sessionsPerMonth: 1 }, 'live');
  expect((await ask('/v1/sessions', { key, body: START })).status).toBe(201);
  const refused = await ask('/v1/sessions', { key, body: START });
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ error: 'Monthly session limit of the plan exceeded' });
  expect(refused.headers.get('x-error-code')).toBe('session_quota_exceeded');
  expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  const monthEnd = Date.UTC(2026, 11, 1);
  const waitS = Number(refused.headers.get('retry-after'));
  expect(http.clock.now() + waitS * 1_000).toBe(monthEnd);
  expect(refused.headers.get('x-ratelimit-reset')).toBe(String(monthEnd / 1_000));
  // Test sessions are not counted.
  const test = { ...START, mode: 'test' };
  expect((await ask('/v1/sessions', { key, body: test })).status).toBe(201);
});

test('[H6] open sessions over the limit are refused by name, and one that ends makes room', async () => {
  const key = await keyOf({ openSessions: 1 });
  const { json } = await ask('/v1/sessions', { key, body: START });
  const refused = await ask('/v1/sessions', { key, body: START });
  expect(refused.status).toBe(429);
  expect(refused.json).toEqual({ error: 'Open session limit of the plan exceeded' });
  expect(refused.headers.get('x-error-code')).toBe('open_sessions_exceeded');
  await ask(`/v1/sessions/${json.sessionId}/end`, { key, method: 'POST' });
  expect((await ask('/v1/sessions', { key, body: START })).status).toBe(201);
});

test('[H5] the first three refusals do not change the window', async () => {
  const tenant = await http.makeTenant({ limits: { requestsPerMinute: 1 } });
  const key = await http.makeKey(tenant, 'test', { origins: ['https://app.example'] });
  await ask('/v1/whoami');
  await ask('/v1/whoami', { key: `${key}x` });
  const evil = { origin: 'https://evil.example' };
  for (let i = 0; i < 5; i++) await ask('/v1/whoami', { key, headers: evil });
  const answer = await ask('/v1/whoami', { key });
  expect(answer.status).toBe(200);
  expect(windowOf(answer)[1]).toBe(0);
});

async function wrongKeys(count: number, address: string, headers = {}): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) {
    const key = `mk_test_${i}`;
    statuses.push((await ask('/v1/whoami', { key, address, headers })).status);
  }
  return statuses;
}

test('[H5] wrong keys are limited by address, and only requests with wrong keys', async () => {
  const address = '192.0.2.1';
  const statuses = await wrongKeys(31, address);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(401));
  expect(statuses[30]).toBe(429);
  const key = await keyOf({});
  expect((await ask('/v1/whoami', { key, address })).status).toBe(200);
  expect((await ask('/v1/whoami', { address })).status).toBe(401); // A missing header is not a wrong key.
  expect(await wrongKeys(1, '192.0.2.2')).toEqual([401]);
  http.clock.advance(60_000);
  expect(await wrongKeys(1, address)).toEqual([401]);
});

test('[H5] of IPv6 the /64 counts', async () => {
  await wrongKeys(30, '2001:db8:0:1::1');
  expect(await wrongKeys(1, '2001:db8:0:1:ffff::9')).toEqual([429]);
  expect(await wrongKeys(1, '2001:db8:0:2::1')).toEqual([401]);
});

test('[H5] a forwarded address counts from a trusted proxy only', async () => {
  const behind = await openHttpService({ trustedProxies: ['10.0.0.0/8'] });
  const send = makeAsking(behind.app, 'mk_test_wrong');
  const from = (address: string, forwarded: string) =>
    send('/v1/whoami', { address, headers: { 'x-forwarded-for': forwarded } });
  for (let i = 0; i < 30; i++) await from('10.0.0.1', '198.51.100.1');
  expect((await from('10.0.0.1', '198.51.100.1')).status).toBe(429);
  expect((await from('10.0.0.1', '198.51.100.2')).status).toBe(401);
  // A stranger's forwarded address is ignored.
  for (let i = 0; i < 30; i++) await from('203.0.113.9', `198.51.100.${i}`);
  expect((await from('203.0.113.9', '198.51.100.99')).status).toBe(429);
  await behind.close();
});
