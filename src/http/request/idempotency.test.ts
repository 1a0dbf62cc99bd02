/** Repeats of a request: rule H8 through the whole HTTP side, on a real store. */

import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { StoreUnavailable } from '../../store/shared/store-unavailable.ts';
import type { IdempotencyStore } from '../../store/store.ts';
import { WORLDS } from '../../store/world.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import { type Ask, type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import type { Mint } from './exchange.ts';
import { makeReply } from './exchange.ts';
import { makeIdempotency } from './idempotency.ts';

const START = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
const ROOM = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };
const HOUR = 3_600_000;

let http: HttpService;
let ask: Asking;
let tenant: Tenant;
let testKey: string;
let keyCount = 0;
let key: string;

beforeAll(async () => {
  http = await openHttpService();
  tenant = await http.makeTenant();
  testKey = await http.makeKey(tenant, 'test');
  ask = makeAsking(http.app, testKey);
});
afterAll(() => http.close());
beforeEach(() => {
  keyCount += 1;
  key = `key ${keyCount}`;
});

const once = (path: string, asked: Ask) =>
  ask(path, { ...asked, headers: { ...asked.headers, 'idempotency-key': key } });
const sessionsOf = (id: string) =>
  http.store
    .listSessions({
      tenant: id,
      mode: null,
      game: null,
      status: null,
      playerId: null,
      createdFrom: null,
      createdTo: null,
      before: null,
      limit: 10_000,
    })
    .then((rows) => rows.length);

test('[H8] a repeated create creates no second session and gets new tokens', async () => {
  const before = await sessionsOf(tenant.id);
  const first = await once('/v1/sessions', { body: START });
  http.clock.advance(5_000);
  const repeat = await once('/v1/sessions', { body: START });
  expect(await sessionsOf(tenant.id)).toBe(before + 1);
  expect(repeat.status).toBe(201);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(repeat.headers.get('idempotent-replayed')).toBe('true');
  const tokenless = ({ json }: typeof first) => ({
    ...json,
    sessionToken: 0,
    tokens: Object.keys(json.tokens),
    playUrls: Object.keys(json.playUrls),
  });
  expect(tokenless(repeat)).toEqual(tokenless(first));
  expect(Object.keys(repeat.json)).toEqual(Object.keys(first.json));
  expect(repeat.json.tokens.ann).not.toBe(first.json.tokens.ann);
  const claims = http.tokens.parse(repeat.json.tokens.ben, http.clock.now());
  expect(claims).toMatchObject({ scope: 'session', player: 'ben', session: first.json.sessionId });
  expect(claims!.exp).toBe(http.clock.now() / 1_000 + 300);
});

test('[H8] spaces and the order of fields do not matter in a repeat', async () => {
  const first = await once('/v1/sessions', { body: START });
  const { game, players } = START;
  const raw = JSON.stringify({ players, game }, null, 2);
  const repeat = await once('/v1/sessions', { raw });
  expect(repeat.json.sessionId).toBe(first.json.sessionId);
});

test('[H8] the same key with another body is 422', async () => {
  await once('/v1/sessions', { body: START });
  const other = await once('/v1/sessions', { body: { ...START, game: 'connect4' } });
  expect(other.status).toBe(422);
  expect(other.json).toEqual({ error: 'Idempotency-Key reused with another request' });
});

test('[H8] a key applies to its tenant, mode, method and path only', async () => {
  const first = await once('/v1/sessions', { body: START });
  const stranger = await http.makeKey(await http.makeTenant(), 'test');
  const live = await http.makeKey(tenant, 'live');
  const sibling = await http.makeKey(tenant, 'test');
  const others = [
    await once('/v1/sessions', { body: START, key: stranger }),
    await once('/v1/sessions', { body: START, key: live }),
  ];
  for (const other of others) {
    expect(other.status).toBe(201);
    expect(other.json.sessionId).not.toBe(first.json.sessionId);
  }
  const end = await once(`/v1/sessions/${first.json.sessionId}/end`, { method: 'POST' });
  expect(end.status).toBe(200);
  const same = await once('/v1/sessions', { body: START, key: sibling });
  expect(same.json.sessionId).toBe(first.json.sessionId);
});

test('[H8] a repeated join takes no second seat', async () => {
  const { json } = await ask('/v1/sessions', { body: ROOM });
  const body = { game: 'tictactoe', roomCode: json.roomCode, player: { id: 'ben' } };
  const first = await once('/v1/sessions/join', { body });
  const repeat = await once('/v1/sessions/join', { body });
  expect([first.status, repeat.status]).toEqual([200, 200]);
  expect(repeat.json.players).toEqual(first.json.players);
  expect(Object.keys(repeat.json.tokens)).toEqual(['ben']);
  expect((await ask('/v1/sessions/join', { body })).status).toBe(409);
});

test('[H8] a repeated end returns the first response', async () => {
  const { json } = await ask('/v1/sessions', { body: START });
  const path = `/v1/sessions/${json.sessionId}/end`;
  const first = await once(path, { method: 'POST' });
  http.clock.advance(1_000);
  expect((await once(path, { method: 'POST' })).text).toBe(first.text);
  expect((await once(path, { method: 'POST', body: {} })).text).toBe(first.text);
  expect((await once(path, { method: 'POST', body: { reason: 'x' } })).status).toBe(422);
});

test('[H8] refusals 403, 404 and 409 are stored, with their code', async () => {
  const refusals: readonly (readonly [string, Ask, number])[] = [
    ['/v1/sessions', { body: { ...START, mode: 'live' } }, 403],
    ['/v1/sessions/ses_01kafw3q9t5ne8rz2m4xbcd7hj/end', { method: 'POST' }, 404],
    ['/v1/sessions', { body: { ...START, players: [{ id: 'x' }, { id: 'x' }] } }, 409],
    ['/v1/players/nobody', { method: 'DELETE' }, 404],
  ];
  for (const [i, [path, asked, status]] of refusals.entries()) {
    key = `refusal ${i}`;
    const first = await once(path, asked);
    const repeat = await once(path, asked);
    expect([first.status, repeat.status]).toEqual([status, status]);
    expect(repeat.text).toBe(first.text);
    expect(repeat.headers.get('idempotent-replayed')).toBe('true');
    expect(repeat.headers.get('x-error-code')).toBe(first.headers.get('x-error-code'));
  }
});

test('[H8] a stored refusal stays although the request would now succeed', async () => {
  const { json } = await ask('/v1/sessions', { body: ROOM });
  const path = `/v1/sessions/${json.sessionId}/players/ben/token`;
  expect((await once(path, { method: 'POST' })).status).toBe(404);
  const body = { game: 'tictactoe', roomCode: json.roomCode, player: { id: 'ben' } };
  await ask('/v1/sessions/join', { body });
  expect((await once(path, { method: 'POST' })).status).toBe(404);
  expect((await ask(path, { method: 'POST' })).status).toBe(201);
});

test('[H8] temporary errors are not stored', async () => {
  const poor = await http.makeTenant({ limits: { openSessions: 0 } });
  const poorKey = await http.makeKey(poor, 'test');
  const tries: readonly (readonly [Ask, number])[] = [
    [{ body: {} }, 400],
    [{ body: START, key: poorKey }, 429],
  ];
  for (const [asked, status] of tries) {
    expect((await once('/v1/sessions', asked)).status).toBe(status);
    const repeat = await once('/v1/sessions', asked);
    expect(repeat.status).toBe(status);
    expect(repeat.headers.get('idempotent-replayed')).toBeNull();
  }
});

test('[H8] a repeat gets new tokens, for the lobby too', async () => {
  const first = await once('/v1/players/ann/token', { body: { displayName: 'Ann' } });
  http.clock.advance(2_000);
  const repeat = await once('/v1/players/ann/token', { body: { displayName: 'Ann' } });
  expect(repeat.status).toBe(201);
  expect(repeat.json.token).not.toBe(first.json.token);
  expect(http.tokens.parse(repeat.json.token, http.clock.now())?.scope).toBe('lobby');
});

test('[H8] no token is in the store', async () => {
  const { json } = await once('/v1/sessions', { body: START });
  const id = {
    tenant: tenant.id,
    mode: 'test',
    method: 'POST',
    path: '/v1/sessions',
    key,
  } as const;
  const row = await http.store.findIdempotent(id, http.clock.now());
  expect(row!.body).not.toContain(json.sessionToken);
  expect(JSON.parse(row!.body).tokens).toEqual({});
});

test('[H8] responses are stored for 24 hours', async () => {
  const { json } = await once('/v1/sessions', { body: START });
  http.clock.advance(24 * HOUR - 1);
  expect((await once('/v1/sessions', { body: START })).json.sessionId).toBe(json.sessionId);
  http.clock.advance(1);
  expect((await once('/v1/sessions', { body: START })).json.sessionId).not.toBe(json.sessionId);
});

test('[H8] of many concurrent requests one has the effect, the others are told to wait', async () => {
  const before = await sessionsOf(tenant.id);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => once('/v1/sessions', { body: START })),
  );
  expect(await sessionsOf(tenant.id)).toBe(before + 1);
  const waiting = answers.filter(({ status }) => status === 409);
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(waiting).toHaveLength(19);
  for (const { json, headers } of waiting) {
    expect(json).toEqual({ error: 'Request with this Idempotency-Key is in progress' });
    expect(headers.get('retry-after')).toBe('1');
  }
  expect((await once('/v1/sessions', { body: START })).status).toBe(201);
});

test('[H8] a failure lets the next attempt in', async () => {
  let failures = 1;
  const failing: Pick<IdempotencyStore, 'findIdempotent' | 'keepIdempotent'> = {
    findIdempotent: async () => {
      if (failures-- > 0) throw new Error('away');
      return null;
    },
    keepIdempotent: async () => true,
  };
  const shaky = await openHttpService({ store: failing });
  const shakyKey = await shaky.makeKey(await shaky.makeTenant(), 'test');
  const send = makeAsking(shaky.app, shakyKey);
  const request = { body: START, headers: { 'idempotency-key': 'k' } };
  expect((await send('/v1/sessions', request)).status).toBe(500);
  expect((await send('/v1/sessions', request)).status).toBe(201);
  await shaky.close();
});

test('[H3] an unavailable store is a 503 that may be retried, and the log says why', async () => {
  const away: Pick<IdempotencyStore, 'findIdempotent' | 'keepIdempotent'> = {
    findIdempotent: () => Promise.reject(new StoreUnavailable('connection refused')),
    keepIdempotent: async () => true,
  };
  const shaky = await openHttpService({ store: away });
  const send = makeAsking(shaky.app, await shaky.makeKey(await shaky.makeTenant(), 'test'));
  const answer = await send('/v1/sessions', { body: START, headers: { 'idempotency-key': 'k' } });
  expect([answer.status, answer.json]).toEqual([503, { error: 'Service unavailable' }]);
  expect(answer.headers.get('x-error-code')).toBe('unavailable');
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(JSON.stringify(shaky.lines.map(({ fields }) => String(fields['err'])))).toContain(
    'refused',
  );
  await shaky.close();
});

test('[H8] the stored row is read again only if another response was stored before', async () => {
  const calls: string[] = [];
  let isFirst = true;
  const watched: Pick<IdempotencyStore, 'findIdempotent' | 'keepIdempotent'> = {
    async findIdempotent() {
      calls.push('find');
      return null;
    },
    async keepIdempotent() {
      calls.push('keep');
      return isFirst;
    },
  };
  const service = await openHttpService({ store: watched });
  const send = makeAsking(service.app, await service.makeKey(await service.makeTenant(), 'test'));
  const refused = { method: 'DELETE', headers: { 'idempotency-key': 'k' } };
  const erase = () => send('/v1/players/nobody', refused);
  const { status } = await erase();
  expect([status, calls.splice(0)]).toEqual([404, ['find', 'keep']]);
  isFirst = false;
  await erase();
  expect(calls).toEqual(['find', 'keep', 'find']);
  await service.close();
});

test('[H8] a key has 1 to 255 characters, and reading needs none', async () => {
  key = 'k'.repeat(255);
  expect((await once('/v1/sessions', { body: START })).status).toBe(201);
  for (key of ['k'.repeat(256), '']) {
    const answer = await once('/v1/sessions', { body: START });
    expect([answer.status, answer.json]).toEqual([400, { error: 'Invalid Idempotency-Key' }]);
    expect((await once('/v1/whoami', {})).status).toBe(200);
  }
});

test('[R2] an erased player is in no stored response, even if nothing else is stored of them', async () => {
  const made = await once('/v1/players/nameless-42/token', { method: 'POST' });
  expect(made.status).toBe(201);
  const gone = await ask('/v1/players/nameless-42', { method: 'DELETE' });
  expect(gone.status).toBe(404);
  expect((await http.texts()).filter((text) => text.includes('nameless-42'))).toEqual([]);
});

/**
 * Returns the response to a request whose player was erased just before it is stored. Null: it was
 * not stored.
 */
async function keepAfterErasing(body: object, mint: Mint | null) {
  const { store, clock } = http;
  const idempotency = makeIdempotency({ store, clock });
  const request = {
    caller: { tenant, key: { mode: 'test' } } as never,
    route: { method: 'POST', path: '/v1/sessions' } as const,
    pathname: '/v1/sessions',
    search: '',
    body: { absent: true } as const,
    key,
  };
  const entry = await idempotency.enter(request);
  if (entry.kind === 'answered') throw new Error('another has this key');
  const gate = Promise.withResolvers<void>();
  const erased = idempotency.erase(tenant.id, WORLDS, 'gone "1"', () => gate.promise);
  const reply = makeReply(200, body, mint);
  const settled = entry.first.settle(reply);
  gate.resolve();
  await erased;
  expect(await settled).toBe(reply);
  entry.first.leave();
  const id = {
    tenant: tenant.id,
    mode: 'test',
    method: 'POST',
    path: '/v1/sessions',
    key,
  } as const;
  return store.findIdempotent(id, clock.now());
}

test('[R2][H8] a response that names a player erased meanwhile is sent and not stored', async () => {
  const lobby = { kind: 'lobby', mode: 'test', player: 'gone "1"' } as const;
  expect(await keepAfterErasing({ players: [{ id: 'gone "1"' }] }, null)).toBeNull();
  expect(await keepAfterErasing({ token: '' }, lobby)).toBeNull();
  expect(await keepAfterErasing({ error: 'Player is not connected: gone "1"' }, null)).toBeNull();
  const others = { 'gone "1"': 'a property', players: [{ id: 'gone' }] };
  expect(await keepAfterErasing(others, null)).toMatchObject({ body: JSON.stringify(others) });
});

test('[R2] a response made while it was unknown whether its player was erased is not stored', async () => {
  const { store, clock } = http;
  const naming = {
    tenant: tenant.id,
    world: 'live' as const,
    playerId: 'lost',
    newRef: 'ply_lost',
    at: 0,
  };
  await store.namePlayer({ ...naming, displayName: 'Lost' }, null);
  const idempotency = makeIdempotency({ store, clock });
  const route = { method: 'POST', path: '/v1/sessions' } as const;
  const entry = await idempotency.enter({
    caller: { tenant, key: { mode: 'test' } } as never,
    route,
    pathname: route.path,
    search: '',
    body: { absent: true },
    key,
  });
  if (entry.kind === 'answered') throw new Error('it was answered before');
  const erase = () => store.erasePlayer(tenant.id, WORLDS, 'lost', clock.now());
  const erasing = idempotency.erase(tenant.id, WORLDS, 'lost', async () => {
    await erase();
    throw new StoreUnavailable('its answer was lost');
  });
  expect(await erasing.catch(String)).toContain('its answer was lost');
  await entry.first.settle(makeReply(200, { players: [{ id: 'lost' }] }));
  entry.first.leave();
  const id = { tenant: tenant.id, mode: 'test', ...route, key } as const;
  expect(await store.findIdempotent(id, clock.now())).toBeNull();
});

test('[R2] an erased player is in no stored path', async () => {
  await ask('/v1/sessions', { body: { ...START, players: [{ id: 'Erna' }, { id: 'ben' }] } });
  const erase = { method: 'DELETE' };
  expect((await once('/v1/players/Erna', erase)).json).toEqual({ erased: true });
  expect((await once('/v1/players/Erna', erase)).json).toEqual({ erased: true });
  const id = { tenant: tenant.id, mode: 'test', method: 'DELETE', key } as const;
  const named = { ...id, path: '/v1/players/Erna' };
  expect(await http.store.findIdempotent(named, http.clock.now())).toBeNull();
});
