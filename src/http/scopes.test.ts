/** Restricted keys (rule K5): which key may make which call, and that a refusal has no effect. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { paramsOf } from '../contract/params.ts';
import { type OperationId, ROUTES } from '../contract/routes/routes.ts';
import { hasScope, KEY_SCOPES, type KeyScope, parseKeyScopes } from '../tenancy/key-scopes.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { type Asked, type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';

let world: HttpService;
let tenant: Tenant;
/** An unrestricted key of the same tenant. */
let ask: Asking;

beforeAll(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant();
  ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
});
afterAll(() => world.close());

const restricted = async (...scopes: KeyScope[]): Promise<Asking> =>
  makeAsking(world.app, await world.makeKey(tenant, 'test', { scopes }));

const NEW_SESSION = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };

/** Bodies with valid fields, for the calls that need any. */
const BODIES: Partial<Record<OperationId, object>> = {
  createSession: NEW_SESSION,
  joinSession: { game: 'tictactoe', roomCode: 'ABCDEF', player: { id: 'ben' } },
  createBot: { game: 'tictactoe', name: 'B', kind: 'builtin' },
  actAsBot: { botId: 'bot_0123456789abcdefghjkmnpqrs', id: 'a', action: {} },
  addTicketPlayer: { playerId: 'ann' },
  startMatch: { groupIds: ['grp_1'] },
  putIntegrity: {
    platform: 'ios',
    credential: { bundleId: 'com.example.app', teamId: 'ABCDE12345' },
  },
  makeChallenge: { platform: 'ios' },
  createWebhook: { url: 'https://example.com/hook', events: ['session.created'] },
  updateWebhook: { active: false },
  triggerEvent: { type: 'session.created' },
};

const PARAM_VALUES: Partial<Record<string, string>> = { platform: 'ios' };
const STREAMS: readonly OperationId[] = ['streamEvents'];
const routes = ROUTES.filter(({ auth }) => auth !== 'none');

function call(asking: Asking, { method, path, operationId }: (typeof ROUTES)[number]) {
  const filled = paramsOf(path).reduce(
    (text, name) => text.replace(`:${name}`, PARAM_VALUES[name] ?? `none_${name}`),
    path as string,
  );
  const body = method === 'GET' ? undefined : (BODIES[operationId] ?? {});
  return asking(`${filled}?game=tictactoe`, { method, ...(body && { body }) });
}

test('[K5] every route with a key declares its scopes, and `read` allows every GET', () => {
  for (const { operationId, method, auth, scopes } of ROUTES) {
    const isOpen = auth === 'none' || operationId === 'whoami';
    expect(`${operationId} ${scopes === 'any'}`).toBe(`${operationId} ${isOpen}`);
    if (scopes === 'any') continue;
    expect(scopes.length).toBeGreaterThan(0);
    // A bot's stream makes the bot play.
    const isRead = method === 'GET' && operationId !== 'streamBot';
    expect(`${operationId} ${(scopes as readonly KeyScope[]).includes('read')}`).toBe(
      `${operationId} ${isRead}`,
    );
    if (isRead) expect(scopes.length).toBeGreaterThan(1);
  }
});

test('[K5] for all routes and scopes exactly those pass that the route names', async () => {
  for (const scope of KEY_SCOPES) {
    const asking = await restricted(scope);
    for (const route of routes) {
      const isAllowed = hasScope([scope], route.scopes);
      // An allowed stream has no end to wait for.
      if (isAllowed && STREAMS.includes(route.operationId)) continue;
      const { status, headers, json } = await call(asking, route);
      const isRefused = headers.get('x-error-code') === 'scope_missing';
      expect(`${scope} ${route.operationId} ${status} ${isRefused}`).toBe(
        `${scope} ${route.operationId} ${isAllowed ? status : 403} ${!isAllowed}`,
      );
      expect(status === 400 && !['triggerEvent'].includes(route.operationId)).toBe(false);
      if (isAllowed || route.scopes === 'any') continue;
      expect(json).toEqual({ error: `API key lacks the scope ${route.scopes.join(' or ')}` });
    }
  }
});

test('[K5] a refused call changes nothing', async () => {
  const reading = await restricted('read');
  const made = await ask('/v1/sessions', { body: NEW_SESSION });
  const path = `/v1/sessions/${made.json.sessionId}`;
  const before = [await ask('/v1/sessions'), await ask('/v1/bots'), await ask('/v1/events')];
  for (const refused of [
    await reading('/v1/sessions', { body: NEW_SESSION }),
    await reading(`${path}/end`, { method: 'POST' }),
    await reading(`${path}/players/ann`, { method: 'DELETE' }),
    await reading('/v1/bots', { body: BODIES.createBot }),
    await reading('/v1/players/ann', { method: 'DELETE' }),
  ]) {
    expect(refused.status).toBe(403);
  }
  const after = [await ask('/v1/sessions'), await ask('/v1/bots'), await ask('/v1/events')];
  expect(after.map(({ json }) => json)).toEqual(before.map(({ json }) => json));
  expect((await reading(path)).json.sessionId).toBe(made.json.sessionId);
});

test('[K5] a restricted key gets no stored response and stores none', async () => {
  const reading = await restricted('read');
  const sessions = await restricted('sessions');
  const once = (asking: Asking, name: string): Promise<Asked> =>
    asking('/v1/sessions', { body: NEW_SESSION, headers: { 'idempotency-key': name } });
  const first = await once(ask, 'theirs');
  expect(first.status).toBe(201);
  const peeked = await once(reading, 'theirs');
  expect([peeked.status, peeked.headers.get('idempotent-replayed')]).toEqual([403, null]);
  expect(peeked.text).not.toContain('token');
  const repeated = await once(sessions, 'theirs');
  expect(repeated.json.sessionId).toBe(first.json.sessionId);

  expect((await once(reading, 'mine')).status).toBe(403);
  const real = await once(ask, 'mine');
  expect([real.status, real.headers.get('idempotent-replayed')]).toEqual([201, null]);
});

test('[K5] invalid fields are reported before the scope, and whoami returns the scopes', async () => {
  const asking = await restricted('read', 'matchmaking');
  expect((await asking('/v1/sessions', { body: {} })).json).toEqual({ error: 'game is required' });
  expect((await asking('/v1/whoami')).json.key.scopes).toEqual(['read', 'matchmaking']);
  expect((await ask('/v1/whoami')).json.key.scopes).toEqual(['*']);
});

test('[K5] a live session is refused to a test key for its scope first', async () => {
  const body = { ...NEW_SESSION, mode: 'live' };
  const refused = await (await restricted('read'))('/v1/sessions', { body });
  expect(refused.json).toEqual({ error: 'API key lacks the scope sessions' });
  const test = await (await restricted('sessions'))('/v1/sessions', { body });
  expect(test.json).toEqual({ error: 'Test API key cannot create live sessions' });
});

test('[K5] the token of a bot has the permissions of the key that issued it', async () => {
  const bot = await ask('/v1/bots', {
    body: { game: 'tictactoe', name: 'P', kind: 'external' },
  });
  const path = `/v1/bots/${bot.json.id}/token`;
  expect((await (await restricted('admin'))(path, { method: 'POST' })).status).toBe(403);
  const given = await (await restricted('sessions'))(path, { method: 'POST' });
  expect(given.status).toBe(201);
  const acting = makeAsking(world.app, given.json.token);
  const acted = await acting('/v1/sessions/ses_0123456789abcdefghjkmnpqrs/actions', {
    body: { id: 'a', action: {} },
  });
  expect(acted.json).toEqual({ error: 'Session not found' });
});

test('[K5] scopes are parsed into one order, each once, and unknown ones are refused', () => {
  expect(parseKeyScopes(['admin', 'read', 'admin'])).toEqual(['read', 'admin']);
  expect(parseKeyScopes([])).toBeNull();
  expect(parseKeyScopes(['read', 'write'])).toBeNull();
  expect(parseKeyScopes(['*'])).toBeNull();
});
