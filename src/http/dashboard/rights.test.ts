/**
 * Permissions: each cell of the table of roles and routes, and the separation of the two worlds.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { PLAY_TOKEN_ROLES, WATCH_TOKEN_ROLES } from '../../accounts/account.ts';
import {
  type Allowed,
  DASHBOARD_ROUTES,
  MIRROR_RIGHTS,
} from '../../contract/routes/dashboard-routes.ts';
import { type KeyOperationId, ROUTES } from '../../contract/routes/routes.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import {
  type DashboardBrowser,
  makeBrowser,
  makeMember,
  makeOwner,
  PASSWORD,
} from '../../testing/service/dashboard-browser.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

const WHO = ['nobody', 'stranger', 'viewer', 'support', 'developer', 'owner', 'operator'] as const;
type Who = (typeof WHO)[number];

let world: HttpService;
let tenant: Tenant;
const browsers = {} as Record<Who, DashboardBrowser>;

beforeAll(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant({ slug: 'acme' });
  await world.makeTenant({ slug: 'elsewhere' });
  browsers.nobody = makeBrowser(world);
  browsers.operator = await makeOwner(world);
  for (const role of ['viewer', 'support', 'developer', 'owner'] as const) {
    browsers[role] = await makeMember(world, browsers.operator, 'acme', role);
  }
  const email = 'stranger@example.test';
  browsers.stranger = await makeMember(world, browsers.operator, 'elsewhere', 'owner', email);
}, 60_000);
afterAll(() => world.close());

/** The refusal before the route itself, or null when the caller is admitted. */
function barrier(allowed: Allowed, who: Who): number | null {
  if (allowed === 'anyone') return null;
  if (who === 'nobody') return 401;
  if (allowed === 'account') return null;
  if (allowed === 'operator') return who === 'operator' ? null : 403;
  // Without a role in a tenant, the tenant does not exist for the caller.
  if (who === 'stranger') return 404;
  const role = who === 'operator' ? 'owner' : who;
  return allowed.includes(role) ? null : 403;
}

const BARRIERS = new Set([
  'Not signed in',
  'Your role may not do this',
  'Tenant not found',
  'In the live world this is left to your backend',
]);

/** The status of the refusal; null when the route itself answered. */
async function meet(who: Who, method: string, path: string): Promise<number | null> {
  const body = method === 'GET' || method === 'DELETE' ? undefined : {};
  const answer = await browsers[who].ask(path, { method, ...(body && { body }) });
  return BARRIERS.has(String(answer.json['error'])) ? answer.status : null;
}

/** Bodies are empty and ids refer to nothing, so that no cell changes the state for the next. */
function fill(path: string): string {
  return path
    .replace('/dashboard/api', '')
    .replace(':tenant', 'acme')
    .replace(/:session|:id$/, 'ses_none')
    .replace('tenants/ses_none', `tenants/${tenant.id}`)
    .replace(/:\w+/g, 'none');
}

/** These have an effect without a body; they are tested separately. */
const ACTS: ReadonlySet<string> = new Set(['logout', 'endOtherLogins']);

test('[D6] every cell of the table: each role gets the declared result on every route', async () => {
  let cells = 0;
  for (const route of DASHBOARD_ROUTES) {
    if (ACTS.has(route.operation)) continue;
    const path = fill(route.path.replace(':world', 'test'));
    for (const who of WHO) {
      const met = await meet(who, route.method, path);
      const wanted = barrier(route.allowed, who);
      expect([route.operation, who, met]).toEqual([route.operation, who, wanted]);
      cells += 1;
    }
  }
  expect(cells).toBe((DASHBOARD_ROUTES.length - ACTS.size) * WHO.length);
}, 120_000);

test('[D6][D7] every call of the tenant interface, in both worlds: the role it needs, and what only the backend may do', async () => {
  const calls = ROUTES.filter(({ auth }) => auth !== 'none');
  let cells = 0;
  for (const { method, path, operationId } of calls) {
    const right = MIRROR_RIGHTS[operationId as KeyOperationId];
    for (const mode of ['test', 'live'] as const) {
      for (const who of WHO) {
        const met = await meet(who, method, `/t/acme/${mode}${fill(path)}`);
        const closed = mode === 'live' && !right.live ? 403 : null;
        const wanted = barrier(right.roles, who) ?? closed;
        expect([operationId, mode, who, met]).toEqual([operationId, mode, who, wanted]);
        cells += 1;
      }
    }
  }
  expect(cells).toBe(calls.length * 2 * WHO.length);
  expect(Object.keys(MIRROR_RIGHTS).sort()).toEqual(calls.map((each) => each.operationId).sort());
}, 120_000);

test('[B3][D3][D6] a token is valid while its issuer may create such tokens', () => {
  const { makeBotToken, makeLobbyToken, makeSessionToken, createSession, joinSession, startMatch } =
    MIRROR_RIGHTS;
  const playing = [makeBotToken, makeLobbyToken, makeSessionToken, createSession, joinSession];
  for (const { roles } of [...playing, startMatch]) expect(roles).toEqual(PLAY_TOKEN_ROLES);
  expect(MIRROR_RIGHTS.watchSession.roles).toEqual(WATCH_TOKEN_ROLES);
});

test('[D6] routes that end sessions require a session', async () => {
  for (const path of ['/logout', '/me/logins/end-others']) {
    expect((await browsers.nobody.ask(path, { method: 'POST' })).status).toBe(401);
  }
});

test('[D6] unknown paths are 404, unknown methods 405, and a world is live or test', async () => {
  const { owner } = browsers;
  expect((await owner.ask('/nothing')).status).toBe(404);
  expect((await owner.ask('/t/acme/test/v1/nothing')).status).toBe(404);
  expect((await owner.ask('/t/acme/training/overview')).status).toBe(404);
  expect((await owner.ask('/t/acme/TEST/v1/sessions')).status).toBe(404);
  const wrong = await owner.ask('/me', { method: 'DELETE' });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET']);
});

const PLAYERS = [{ id: 'ann' }, { id: 'ben' }];

test('[D7] objects of one mode do not exist in the other, sessions and keys alike', async () => {
  const { developer } = browsers;
  const body = { game: 'tictactoe', players: PLAYERS };
  const made = await developer.ask('/t/acme/test/v1/sessions', { body });
  expect(made.status).toBe(201);
  const id = String(made.json['sessionId']);
  expect(made.json).toMatchObject({ mode: 'test' });
  const status = async (path: string) => (await developer.ask(`/t/acme${path}`)).status;
  expect(await status(`/test/v1/sessions/${id}`)).toBe(200);
  expect(await status(`/live/v1/sessions/${id}`)).toBe(404);
  expect(await status(`/test/sessions/${id}/timeline`)).toBe(200);
  expect(await status(`/live/sessions/${id}/timeline`)).toBe(404);
  // Also when asking for the other mode, which a live key may do.
  const listed = await developer.ask('/t/acme/live/v1/sessions?mode=test');
  expect(listed.json['data']).toEqual([]);
  const hook = { url: 'https://example.com/hook', mode: 'test' };
  expect((await developer.ask('/t/acme/live/v1/webhooks', { body: hook })).status).toBe(400);
  const live = { ...body, mode: 'live' };
  expect((await developer.ask('/t/acme/test/v1/sessions', { body: live })).status).toBe(403);

  const key = await developer.ask('/t/acme/live/keys', { body: { name: 'shop' } });
  const keyId = String(key.json['id']);
  expect(String(key.json['key'])).toStartWith('mk_live_');
  const there = await developer.ask(`/t/acme/test/keys/${keyId}/revoke`, { method: 'POST' });
  expect(there.status).toBe(404);
  const other = await browsers.stranger.ask(`/t/elsewhere/live/keys/${keyId}/revoke`, {
    method: 'POST',
  });
  expect(other.status).toBe(404);
});

test('[D7][K3] each world has its own bots and credentials; test mode can read live ones', async () => {
  const { developer } = browsers;
  const ask = async (world: string, path: string, how: object = {}) => {
    const { status, json } = await developer.ask(`/t/acme/${world}/v1${path}`, how);
    return { status, json };
  };
  const bot = { game: 'ludo', name: 'Rosa', kind: 'builtin' };
  const live = (await ask('live', '/bots', { body: bot })).json['id'];
  const own = (await ask('test', '/bots', { body: bot })).json['id'];
  expect((await ask('test', `/bots/${live}`)).json).toMatchObject({ id: live, mode: 'live' });
  const change = { method: 'PATCH', body: { active: false } };
  expect((await ask('test', `/bots/${live}`, change)).status).toBe(403);
  expect((await ask('test', `/bots/${live}`, { method: 'DELETE' })).status).toBe(403);
  expect((await ask('live', `/bots/${own}`)).status).toBe(404);
  expect((await ask('live', `/bots/${own}`, change)).status).toBe(404);
  expect((await ask('live', '/bots?mode=test')).json['data']).toEqual([]);
  expect((await ask('live', '/bots', { body: { ...bot, mode: 'test' } })).status).toBe(400);

  const credential = { bundleId: 'com.example.game', teamId: 'A1B2C3D4E5' };
  const put = (mode?: string) => ({ method: 'PUT', body: { platform: 'ios', credential, mode } });
  expect((await ask('live', '/integrity', put())).status).toBe(200);
  expect((await ask('test', '/integrity', put('live'))).status).toBe(403);
  expect((await ask('live', '/integrity', put('test'))).status).toBe(400);
  expect((await ask('test', '/integrity')).json['data']).toEqual([]);
  expect((await ask('test', '/integrity?mode=live')).json['data']).toHaveLength(1);
  expect((await ask('test', '/integrity/ios', { method: 'DELETE' })).status).toBe(404);
  expect((await ask('live', '/integrity?mode=test')).json['data']).toEqual([]);
  expect((await ask('live', '/integrity')).json['data']).toHaveLength(1);
});

test('[D6] a tenant created or changed by another node is known at once', async () => {
  const { operator } = browsers;
  expect((await operator.ask('/t/newborn/test/overview')).status).toBe(404);
  const newborn = await world.makeTenant({ slug: 'newborn' });
  expect((await operator.ask('/t/newborn/test/overview')).status).toBe(200);
  const audit = { tenant: newborn.id, actor: 'cli', act: 'tenant.updated', object: 'x', at: 0 };
  await world.store.updateTenant(newborn.id, { active: false }, audit);
  const made = await operator.ask('/t/newborn/test/keys', { body: { name: 'x' } });
  expect(made.status).toBe(403);
});

test('[D6] a suspended tenant can be read but not changed', async () => {
  const asleep = await world.makeTenant({ slug: 'asleep', active: false });
  const { operator } = browsers;
  expect((await operator.ask('/t/asleep/test/overview')).status).toBe(200);
  expect((await operator.ask('/t/asleep/test/v1/sessions')).status).toBe(200);
  for (const path of ['keys', 'v1/bots']) {
    const made = await operator.ask(`/t/asleep/test/${path}`, { body: { name: 'x' } });
    expect([path, made.status]).toEqual([path, 403]);
  }
  await operator.ask(`/operator/tenants/${asleep.id}`, { body: { active: true } });
  const made = await operator.ask('/t/asleep/test/keys', { body: { name: 'x' } });
  expect(made.status).toBe(201);
});

test('[D6] no one can join a suspended tenant, with or without an account', async () => {
  const shut = await world.makeTenant({ slug: 'shut' });
  const { operator, support } = browsers;
  const invite = async (email: string): Promise<string> => {
    const made = await operator.ask('/t/shut/invitations', { body: { email, role: 'owner' } });
    return String(made.json['url']).split('#')[1]!;
  };
  const fresh = { token: await invite('new@example.test'), name: 'New', password: PASSWORD };
  const known = { token: await invite('support@example.test') };
  const path = `/operator/tenants/${shut.id}`;
  await operator.ask(path, { body: { active: false } });
  const guest = makeBrowser(world);
  expect((await guest.ask('/invitations/accept', { body: fresh })).status).toBe(403);
  expect((await support.ask('/me/join', { body: known })).status).toBe(403);
  expect(await world.store.listMembers(shut.id)).toEqual([]);
  // The invitations work again once the tenant is active.
  await operator.ask(path, { body: { active: true } });
  expect((await guest.ask('/invitations/accept', { body: fresh })).status).toBe(200);
  expect((await support.ask('/me/join', { body: known })).status).toBe(200);
}, 60_000);

test('[S9] a timeline shows every record and never the seed', async () => {
  const { support } = browsers;
  const made = await world.service.create(
    {
      tenant: tenant.id,
      mode: 'live',
      game: 'tictactoe',
      matchType: 'private',
      variant: 'standard',
      seats: 2,
      options: {
        game: {},
        turnTimeoutMs: 60_000,
        clock: null,
        disconnectGraceMs: 60_000,
        afk: true,
        botDifficulty: 'medium',
      },
      players: [{ id: 'ann', displayName: null }],
      metadata: null,
      theme: null,
      limits: (await import('../../tenancy/tenant.ts')).limitsOf(tenant),
    },
    null,
  );
  if (!made.ok) throw new Error(made.refusal);
  const { row, session } = made.value;
  const answer = await support.ask(`/t/acme/live/sessions/${row.id}/timeline`);
  expect(answer.json['data']).toMatchObject([{ v: 0, kind: 'created', seat: null }]);
  expect(JSON.stringify(answer.json)).not.toContain(session.setup.seed);
  const ended = await support.ask(`/t/acme/live/v1/sessions/${row.id}/end`, { body: {} });
  expect(ended.json).toMatchObject({ status: 'ended', result: { reason: 'aborted' } });
  const path = `/t/acme/live/sessions/${row.id}/timeline`;
  const read = async (query: string) => {
    const { json } = await support.ask(`${path}${query}`);
    const { data, last, hasMore } = json as {
      data: { v: number }[];
      last: number;
      hasMore: boolean;
    };
    return [data.map(({ v }) => v), last, hasMore];
  };
  const whole = (await support.ask(path)).json as { data: { v: number }[]; last: number };
  const versions = whole.data.map(({ v }) => v);
  const last = versions.at(-1)!;
  expect(versions.length).toBeGreaterThan(1);
  expect([whole.last, versions]).toEqual([last, versions.map((_, i) => i)]);
  expect(await read('?after=-1&limit=1')).toEqual([[0], last, true]);
  expect(await read('?after=0')).toEqual([versions.slice(1), last, false]);
  expect(await read(`?after=${last}`)).toEqual([[], last, false]);
  expect(await read('?limit=1')).toEqual([[last], last, true]);
  expect(await read(`?before=${last}`)).toEqual([versions.slice(0, -1), last, false]);
  for (const wrong of ['?after=0&before=2', '?after=x', '?limit=0', '?limit=1001', '?after=-2']) {
    expect([wrong, (await support.ask(`${path}${wrong}`)).status]).toEqual([wrong, 400]);
  }
});
