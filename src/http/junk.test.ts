/** Thousands of partly invalid requests: never a 500, and none of them changes anything. */

import { expect } from 'bun:test';
import fc from 'fast-check';
import type { Tenant } from '../tenancy/tenant.ts';
import { type Ask, makeAsking } from '../testing/service/asking.ts';
import type { HttpService } from '../testing/service/http-service.ts';
import { testWithStores } from '../testing/service/http-stores.ts';
import { testRuns } from '../testing/test-runs.ts';
import { TEST_SEED } from '../testing/test-seed.ts';

const RUNS = { SQLite: testRuns(10_000), PostgreSQL: testRuns(2_000) };

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    'toString',
    '../..',
    '%00',
    'null',
    '\u0000',
    '\ud800',
  ),
);
const anyJson = fc.oneof(
  { depthSize: 'small' },
  fc.jsonValue(),
  anyText,
  fc.constantFrom<unknown>(null, -1, 1e308, 2 ** 53, 0.1, true, [], {}, [[]], [null]),
);
/** Mostly valid, so that later checks are reached too. */
const mixed = (...right: readonly unknown[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...right) }, { weight: 1, arbitrary: anyJson });
const anyPlayer = fc.oneof(
  fc.record(
    { id: mixed('ann', 'ben', 'cyd'), displayName: mixed('Ann', null) },
    { requiredKeys: [] },
  ),
  anyJson,
);
const games = ['tictactoe', 'connect4', 'ludo', 'checkers'];

const anyBody = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record(
      {
        game: mixed(...games),
        mode: mixed('live', 'test', 'training', undefined),
        players: fc.oneof(
          { weight: 6, arbitrary: fc.array(anyPlayer, { minLength: 1, maxLength: 3 }) },
          { weight: 1, arbitrary: fc.constant([{ id: 'ann' }, { id: 'ben' }]) },
          { weight: 1, arbitrary: anyJson },
        ),
        platform: mixed('android', 'ios', null),
        integrityToken: mixed('token', null),
        matchType: mixed('matchmaking', 'private', null),
        variant: mixed('standard', null),
        seats: mixed(2, null),
        options: mixed({ afk: false }, { turnTimeoutMs: 5_000 }, { clock: { initialMs: 1 } }, null),
        metadata: fc.oneof(mixed({ a: 'b' }, null), fc.dictionary(anyText, anyJson)),
        theme: fc.oneof(fc.record({ primary: anyJson, radius: anyJson }), anyJson),
        reason: anyJson,
        roomCode: mixed('AAAAAA'),
        player: anyPlayer,
        displayName: anyJson,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: anyJson },
);

/** The text of a body, sometimes broken. */
const anyRaw: fc.Arbitrary<string | Uint8Array<ArrayBuffer>> = fc.oneof(
  { weight: 30, arbitrary: anyBody.map((body) => JSON.stringify(body) ?? '') },
  { weight: 1, arbitrary: anyText },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => new Uint8Array(bytes)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyBody, fc.nat({ max: 200 })).map(([body, at]) => {
      const text = JSON.stringify(body) ?? '';
      return text.slice(0, at % (text.length + 1));
    }),
  },
  { weight: 1, arbitrary: fc.nat({ max: 5_000 }).map((depth) => '['.repeat(depth)) },
);

const headerText = fc
  .string({ maxLength: 300 })
  .map((text) => text.replace(/[^\x20-\x7e]/g, '').trim());
const anyHeaders = fc.record(
  {
    'content-type': fc.oneof(
      { weight: 12, arbitrary: fc.constant('application/json') },
      { weight: 1, arbitrary: headerText },
    ),
    accept: fc.oneof(fc.constant('application/problem+json'), headerText),
    origin: fc.oneof(
      { weight: 12, arbitrary: fc.constant('https://app.example') },
      { weight: 1, arbitrary: fc.constantFrom('null', 'https://evil.example') },
      { weight: 1, arbitrary: headerText },
    ),
    'idempotency-key': fc.oneof(fc.constantFrom('a', 'b', 'c'), headerText),
    'x-forwarded-for': headerText,
    'access-control-request-method': headerText,
  },
  { requiredKeys: [] },
);

const segment = anyText.map((text) => encodeURIComponent(text.toWellFormed()));
const anyPath = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '/v1/sessions',
      '/v1/sessions/join',
      '/v1/players/zoe/token',
      '/v1/whoami',
    ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('@', 'x'),
        fc.constantFrom('', '/replay', '/verify', '/players/zoe/token'),
      )
      .map((parts) => `/v1/sessions/${parts.join('')}`),
  },
  {
    weight: 2,
    arbitrary: fc.array(segment, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(segment, segment)
      .map(([name, value]) => `/v1/sessions?limit=${value}&${name}=${value}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '/v1/sessions/%zz',
      '/v1/players/%E0%A4%A',
      '//',
      '/v1/players//token',
    ),
  },
);

const anyKey = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('test', 'live', 'web') },
  { weight: 1, arbitrary: fc.oneof(headerText, fc.constant(null)) },
);
const anyMethod = fc.oneof(
  { weight: 12, arbitrary: fc.constant('POST') },
  { weight: 6, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD') },
);

async function countSessions({ store }: HttpService, tenant: Tenant): Promise<number> {
  const everything = {
    game: null,
    status: null,
    playerId: null,
    createdFrom: null,
    createdTo: null,
  };
  const limit = 2 * RUNS.SQLite;
  const filter = { tenant: tenant.id, mode: null, before: null, limit, ...everything };
  return (await store.listSessions(filter)).length;
}

async function askJunk(http: HttpService, runs: number): Promise<void> {
  const tenant = await http.makeTenant();
  const keys: Readonly<Record<string, string>> = {
    test: await http.makeKey(tenant, 'test'),
    live: await http.makeKey(tenant, 'live'),
    web: await http.makeKey(tenant, 'test', { origins: ['https://app.example'] }),
  };
  const ask = makeAsking(http.app, keys['test']!);
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: 'left alone' }] };
  const { sessionId: session, roomCode } = (await ask('/v1/sessions', { body })).json;
  const before = await ask(`/v1/sessions/${session}/replay`);
  const sessionsBefore = await countSessions(http, tenant);
  let made = 0;
  const anyRequest = fc.record({
    path: anyPath,
    method: anyMethod,
    key: anyKey,
    raw: anyRaw,
    headers: anyHeaders,
    address: fc.ipV4(),
  });
  await fc.assert(
    fc.asyncProperty(anyRequest, async ({ path, method, key, raw, headers, address }) => {
      const request: Ask = {
        method,
        key: key === null ? null : (keys[key] ?? key),
        headers,
        address,
        ...(method === 'GET' || method === 'HEAD' ? {} : { raw }),
      };
      const answer = await ask(path.replace('@', session), request);
      expect([500, 502, 503, 504]).not.toContain(answer.status);
      // A create that happens to be valid is no fault; its repeats create nothing.
      const isRepeat = answer.headers.get('idempotent-replayed') !== null;
      if (answer.status === 201 && answer.json?.status === 'pending' && !isRepeat) made += 1;
    }),
    { numRuns: runs, seed: TEST_SEED, endOnFailure: true },
  );
  expect(await countSessions(http, tenant)).toBe(sessionsBefore + made);
  expect((await ask(`/v1/sessions/${session}/replay`)).text).toBe(before.text);
  expect((await ask(`/v1/sessions/${session}`)).json.roomCode).toBe(roomCode);
  expect(http.lines.filter(({ level }) => level === 'error')).toEqual([]);
}

testWithStores(
  RUNS,
  (store, runs) =>
    `[H3] in ${store} ${runs} wrong requests: no 500, nothing changed (seed ${TEST_SEED})`,
  askJunk,
);
