/** The frame of a response: request ids, problem documents, origins, pages without a key. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { gunzipSync } from 'node:zlib';
import { GAMES } from '../contract/values.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';

let http: HttpService;
let ask: Asking;
let webKey: string;
let strictKey: string;

beforeAll(async () => {
  http = await openHttpService({
    scrape: async (request) =>
      request.headers.get('authorization') === 'Bearer scraper' ? new Response('up 1\n') : null,
    pages: (request) =>
      new URL(request.url).pathname === '/play/' ? new Response('<!doctype html>') : null,
  });
  const tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  const origins = ['https://app.example', 'https://*.wild.example', 'http://localhost:3000'];
  webKey = await http.makeKey(tenant, 'test', { origins });
  strictKey = await http.makeKey(tenant, 'test', { origins, requireOrigin: true });
});
afterAll(() => http.close());

// ── H2 ─────────────────────────────────────────────────────────────────────────────────────────

test('[H2] an error body is the message only; the code is in a header', async () => {
  const answer = await ask('/v1/sessions', { body: {} });
  expect(answer.text).toBe('{"error":"game is required"}');
  expect(answer.headers.get('x-error-code')).toBe('field_required');
});

test('[H2] every response has its own request id', async () => {
  const first = (await ask('/v1/whoami')).headers.get('x-request-id');
  const second = await ask('/v1/whoami', { headers: { 'x-request-id': first! } });
  expect(first).toStartWith('req_');
  expect(second.headers.get('x-request-id')).not.toBe(first);
});

test('[H2] problem+json is for clients that request it', async () => {
  const accepts = async (accept: string) => ask('/v1/sessions', { body: {}, headers: { accept } });
  const asked = await accepts('text/html, Application/Problem+JSON;q=0.8');
  expect(asked.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(asked.json).toEqual({
    type: 'urn:matchd:error:field_required',
    title: 'Field required',
    status: 400,
    detail: 'game is required',
    code: 'field_required',
    requestId: asked.headers.get('x-request-id'),
    error: 'game is required',
  });
  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'application/problem+json;q=0',
  ]) {
    expect((await accepts(accept)).text).toBe('{"error":"game is required"}');
  }
});

test('[H2] a client that asks for problem+json gets plain JSON without an error', async () => {
  const answer = await ask('/v1/whoami', { headers: { accept: 'application/problem+json' } });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

// ── H3 ─────────────────────────────────────────────────────────────────────────────────────────

test('[H3] an unknown path is 404, a known one with a wrong method 405 with Allow', async () => {
  for (const path of [
    '/',
    '/v1',
    '/v1/sessions/',
    '/v1/sessions/x/y',
    '/v1/tournaments',
    '/v2/sessions',
  ]) {
    const { status, json } = await ask(path);
    expect([path, status, json]).toEqual([path, 404, { error: 'Not found' }]);
  }
  const allowed: readonly (readonly [string, string, string])[] = [
    ['DELETE', '/v1/sessions', 'POST, GET, HEAD'],
    ['PUT', '/v1/whoami', 'GET, HEAD'],
    ['GET', '/v1/sessions/join', 'POST'],
    ['POST', '/v1/players/ann', 'DELETE, GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/v1/whoami', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['PUT', '/asyncapi.json', 'GET, HEAD'],
    ['DELETE', '/v1/socket', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ];
  for (const [method, path, allow] of allowed) {
    const answer = await ask(path, { method });
    expect([path, answer.status, answer.json]).toEqual([
      path,
      405,
      { error: 'Method not allowed' },
    ]);
    expect(answer.headers.get('allow')).toBe(allow);
  }
});

test('[H3] HEAD is GET without the body', async () => {
  const answer = await ask('/v1/whoami', { method: 'HEAD' });
  expect([answer.status, answer.text]).toEqual([200, '']);
});

test('[H3] the key is checked before the method also where only reading is open', async () => {
  for (const path of ['/openapi.json', '/v1/socket', '/metrics', '/healthz']) {
    expect((await ask(path, { method: 'POST', key: null })).status).toBe(401);
  }
});

test("[H3] HEAD has the length of GET's body", async () => {
  for (const [path, key] of [
    ['/v1/whoami', undefined],
    ['/v1/sessions', undefined],
    ['/v1/nowhere', undefined],
    ['/v1/whoami', null],
    ['/healthz', null],
    ['/openapi.json', null],
  ] as const) {
    const given = key === undefined ? {} : { key };
    const { text } = await ask(path, given);
    const head = await ask(path, { ...given, method: 'HEAD' });
    expect([path, head.headers.get('content-length')]).toEqual([path, `${text.length}`]);
  }
});

// ── H7 ─────────────────────────────────────────────────────────────────────────────────────────

test('[H7] a preflight is allowed without a key', async () => {
  const answer = await ask('/v1/sessions', {
    method: 'OPTIONS',
    key: null,
    headers: {
      origin: 'https://anywhere.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,x-trace',
    },
  });
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(answer.headers.get('access-control-allow-origin')).toBe('https://anywhere.example');
  expect(answer.headers.get('access-control-allow-headers')).toBe('authorization,x-trace');
  expect(answer.headers.get('access-control-allow-methods')).toContain('DELETE');
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  expect(answer.headers.get('vary')).toContain('Origin');
});

const ORIGINS: readonly (readonly [string | null, number])[] = [
  ['https://app.example', 200],
  ['http://app.example', 403],
  ['https://app.example:8443', 403],
  ['https://app.example.evil.example', 403],
  ['https://one.wild.example', 200],
  ['https://two.one.wild.example', 403],
  ['https://wild.example', 403],
  ['http://localhost:3000', 200],
  ['null', 403],
  [null, 200],
];

test.each(ORIGINS)('[H7] a restricted key from %p: %d', async (origin, status) => {
  const headers: Record<string, string> = origin === null ? {} : { origin };
  const answer = await ask('/v1/whoami', { key: webKey, headers });
  expect(answer.status).toBe(status);
  expect(answer.headers.get('vary')).toBe('Origin');
  // The refusal too: otherwise a browser would hide the reason.
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  if (status === 403) expect(answer.json).toEqual({ error: 'Origin not allowed for this API key' });
});

test('[H7] an empty list restricts nothing, and the page can read every refusal', async () => {
  const headers = { origin: 'https://anywhere.example' };
  expect((await ask('/v1/whoami', { headers })).status).toBe(200);
  for (const refused of [
    await ask('/v1/whoami', { key: null, headers }),
    await ask('/v1/whoami', { key: 'nonsense', headers }),
    await ask('/nowhere', { headers }),
    await ask('/v1/sessions', { body: {}, headers }),
  ]) {
    expect(refused.headers.get('access-control-allow-origin')).toBe(headers.origin);
    expect(refused.headers.get('access-control-expose-headers')).toContain('X-Error-Code');
  }
});

test('[H7] a key that requires an origin refuses requests without one', async () => {
  const headers = { origin: 'https://app.example' };
  expect((await ask('/v1/whoami', { key: strictKey })).status).toBe(403);
  expect((await ask('/v1/whoami', { key: strictKey, headers })).status).toBe(200);
});

// ── H10 ────────────────────────────────────────────────────────────────────────────────────────

test('[H10] health, readiness, version and the description need no key', async () => {
  const open = (path: string) => ask(path, { key: null });
  expect((await open('/healthz')).json).toEqual({ status: 'ok' });
  expect((await open('/readyz')).json).toEqual({ status: 'ready' });
  expect((await open('/version')).json).toEqual({
    name: 'matchd',
    version: '0.0.0',
    runtime: 'test',
    node: 'nod_test',
    games: GAMES.map((game) => ({ game, versions: [expect.any(Number)] })),
  });
  expect((await open('/openapi.json')).json).toEqual({ openapi: '3.1.0' });
  expect((await open('/asyncapi.json')).json).toEqual({ asyncapi: '3.0.0' });
  expect((await open('/play/')).text).toBe('<!doctype html>');
  expect((await open('/v1/socket')).status).toBe(426);
});

test('[H10] the documents are sent compressed, and only once to each reader', async () => {
  for (const path of ['/openapi.json', '/asyncapi.json']) {
    const get = (headers: Record<string, string>) =>
      http.app.fetch(new Request(`https://a.example${path}`, { headers }), { address: '::1' });
    const plain = await get({});
    expect(plain.headers.get('vary')).toBe('Origin, Accept-Encoding');
    const packed = await get({ 'accept-encoding': 'br, gzip' });
    expect(packed.headers.get('content-encoding')).toBe('gzip');
    const unpacked = gunzipSync(new Uint8Array(await packed.arrayBuffer()));
    expect(`${unpacked}`).toBe(await plain.text());
    const again = await get({ 'if-none-match': plain.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get({ 'if-none-match': '"x"' })).status).toBe(200);
  }
});

test('[H10] a service that drains is not ready', async () => {
  const draining = await openHttpService({ ready: async () => false });
  const answer = await makeAsking(draining.app, null)('/readyz');
  expect([answer.status, answer.json]).toEqual([503, { error: 'Not ready' }]);
  await draining.close();
});

test('[H10] metrics do not exist for callers who may not see them', async () => {
  expect((await ask('/metrics', { key: 'scraper' })).text).toBe('up 1\n');
  expect((await ask('/metrics', { key: null })).status).toBe(401);
  expect((await ask('/metrics')).status).toBe(404);
});

test('[H10] requests are counted by their route, never by their path', async () => {
  http.counted.length = 0;
  await ask('/v1/sessions/ses_17');
  await ask('/healthz', { key: null });
  await ask('/play/', { key: null });
  await ask('/made/up');
  // Also requests refused before authentication.
  await ask('/v1/sessions', { key: null });
  await ask('/v1/sessions', { method: 'DELETE', key: 'mk_test_none' });
  expect(http.counted).toEqual([
    ['getSession', 404],
    ['healthz', 200],
    ['page', 200],
    ['other', 404],
    ['listSessions', 401],
    ['other', 401],
  ]);
});
