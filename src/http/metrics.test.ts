/** A tenant's metrics through the whole HTTP side, and the dashboard's stream of changes. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import {
  type DashboardBrowser,
  makeBrowser,
  makeOwner,
  OWNER,
} from '../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService, PUBLIC_URL } from '../testing/service/http-service.ts';

let http: HttpService;
let tenant: Tenant;
let live: Asking;
let owner: DashboardBrowser;

beforeAll(async () => {
  http = await openHttpService();
  tenant = await http.makeTenant({ slug: 'acme' });
  live = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  owner = await makeOwner(http);
});
afterAll(() => http.close());

const minuteOver = async () => {
  http.clock.advance(60_000);
  await http.tenantMetrics.flush(() => [{ tenant: tenant.id, mode: 'live', n: 3 }]);
};

test('[D14][K3][K5] requests of a world are counted there alone, by their answers', async () => {
  const other = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'live'));
  for (let n = 0; n < 30; n++) await live('/v1/sessions');
  for (let n = 0; n < 10; n++) await live('/v1/sessions/none');
  const testing = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  await testing('/v1/whoami');
  await minuteOver();
  const { status, json } = await live('/v1/metrics/summary');
  expect(status).toBe(200);
  expect(json).toMatchObject({
    mode: 'live',
    window: '1h',
    now: { matchesInPlay: 0, playersConnected: 3 },
    requests: { total: 40, succeeded: 30, refused: 10, limited: 0, failed: 0 },
    moves: { total: 0, p50Ms: null },
  });
  expect(json.requests.p99Ms).toBeGreaterThan(0);
  expect(json.anomalies).toMatchObject([
    { kind: 'refused_requests', value: 25, target: { type: 'requests', id: null } },
  ]);
  expect((await live('/v1/metrics/summary?mode=test')).json.requests.total).toBe(1);
  expect((await testing('/v1/metrics/summary')).json.requests.total).toBe(1);
  expect((await testing('/v1/metrics/summary?mode=live')).status).toBe(404);
  expect((await other('/v1/metrics/summary')).json.requests.total).toBe(0);
  const scoped = await http.makeKey(tenant, 'live', { scopes: ['players'] });
  expect((await makeAsking(http.app, scoped)('/v1/metrics/summary')).status).toBe(403);
});

test('[D14] a series has a point for each step, and only steps of its window', async () => {
  for (const [window, points] of [
    ['1h', 60],
    ['24h', 144],
    ['7d', 168],
    ['30d', 30],
  ] as const) {
    const { json } = await live(`/v1/metrics/series?window=${window}`);
    expect(json.data.length).toBe(points);
    const sum = json.data.reduce(
      (n: number, { requests }: { requests: { succeeded: number } }) => n + requests.succeeded,
      0,
    );
    expect(sum).toBeGreaterThanOrEqual(30);
  }
  const wrong = await live('/v1/metrics/series?window=24h&step=1m');
  expect([wrong.status, wrong.json]).toEqual([400, { error: 'Invalid step. Valid: 10m, 1h' }]);
  expect((await live('/v1/metrics/series?window=2h')).status).toBe(400);
  const seen = await owner.ask('/t/acme/live/v1/metrics/series');
  expect([seen.status, (seen.json['data'] as object[]).length]).toEqual([200, 60]);
});

/** The stream as a browser opens it; returns what arrives next. */
async function openStream(cookie: string, headers: Record<string, string> = {}, path = 'live') {
  const request = new Request(`${PUBLIC_URL}/dashboard/api/t/acme/${path}/changes`, {
    headers: { 'sec-fetch-site': 'same-origin', cookie, ...headers },
  });
  const response = await http.app.fetch(request, { address: '203.0.113.20' });
  const reader = response.body!.getReader();
  return {
    status: response.status,
    async read(): Promise<string> {
      const { value, done } = await reader.read();
      return done ? 'end' : new TextDecoder().decode(value);
    },
    close: () => reader.cancel(),
  };
}

test('[D11][D7] the stream of changes names the lists of its own world to read again, and ends with its session', async () => {
  const browser = makeBrowser(http);
  const { email, password } = OWNER;
  expect((await browser.ask('/login', { body: { email, password } })).status).toBe(200);
  const stream = await openStream(browser.cookie());
  expect(await stream.read()).toContain('event: open');
  http.changes.mark({ tenant: tenant.id, mode: 'test' }, 'webhooks');
  await live('/v1/sessions');
  // Reported once it can be read.
  await http.requests.flush();
  const told = await stream.read();
  expect(told).toContain('event: changed');
  expect(told).toContain('requests');
  expect(told).not.toContain('webhooks');
  // Not again at once, and then all in one.
  await live('/v1/sessions', { body: { game: 'tictactoe', players: [{ id: 'ann' }] } });
  http.changes.heard([[`live ${tenant.id}`, 'webhooks']]);
  http.changes.markAll('metrics');
  const next = stream.read();
  http.clock.advance(1_000);
  const later = await next;
  for (const list of ['sessions', 'webhooks', 'metrics']) expect(later).toContain(list);
  const back = await openStream(browser.cookie(), { 'last-event-id': '1' });
  await back.read();
  expect(await back.read()).toContain('"sessions"');
  await back.close();
  await browser.ask('/logout', { method: 'POST', body: {} });
  await http.refreshKeys();
  expect(await stream.read()).toBe('end');
});

test('[D11] a member has a limited number of streams, and closing one makes room', async () => {
  const open = [];
  for (let n = 0; n < 12; n++) open.push(await openStream(owner.cookie()));
  expect((await openStream(owner.cookie())).status).toBe(429);
  await open[0]!.close();
  const again = await openStream(owner.cookie());
  expect(again.status).toBe(200);
  for (const each of [...open.slice(1), again]) await each.close();
});

test('[D14] sums stay as metrics age, and rows stay few', async () => {
  const total = async () => (await live('/v1/metrics/summary?window=30d')).json.requests.succeeded;
  await minuteOver();
  const before = await total();
  for (const hours of [4, 30, 24 * 9]) {
    http.clock.advance(hours * 3_600_000);
    await http.tenantMetrics.sweep();
    expect(await total()).toBeGreaterThanOrEqual(before);
  }
  const rows = await http.store.listMetrics(tenant.id, 'live', 0);
  expect(rows.every(({ stepMs }) => stepMs === 86_400_000)).toBe(true);
});
