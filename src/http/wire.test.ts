/**
 * The HTTP side behind the real server, over TCP: behaviour that requests in memory cannot show.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { ERRORS, type ErrorCode } from '../contract/errors.ts';
import { bunPlatform } from '../platform/bun/bun-platform.ts';
import { type BodyFault, NO_SOCKETS, type PlatformServer } from '../platform/platform.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import { BODY_BYTES_MAX } from './request/body.ts';

let http: HttpService;
let server: PlatformServer;
let key: string;

beforeAll(async () => {
  http = await openHttpService();
  key = await http.makeKey(await http.makeTenant(), 'test');
  server = await bunPlatform.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: http.app.fetch,
    refuse: http.app.refuse,
    upgrade: () => ({ accept: false, response: new Response(null, { status: 418 }) }),
    sockets: { ...NO_SOCKETS, path: '/v1/socket' },
    limits: { frameBytesMax: 1_024, bodyBytesMax: 4 * BODY_BYTES_MAX, idleTimeoutS: 10 },
  });
});
afterAll(async () => {
  await server.close();
  await http.close();
});

/** Sends raw bytes and reads until the server closes. */
function send(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(server.port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });
}

const post = (head: readonly string[], body: string): Promise<string> =>
  send(
    ['POST /v1/sessions HTTP/1.1', 'Host: x', 'Connection: close', ...head, '', body].join('\r\n'),
  );
const bearer = (): string => `Authorization: Bearer ${key}`;
const JSON_BODY = 'Content-Type: application/json';

test('[T5] the message of a refusal arrives unchanged', async () => {
  const answer = await post(['Content-Length: 2', JSON_BODY], '{}');
  expect(answer).toStartWith('HTTP/1.1 401');
  expect(answer).toEndWith('{"error":"Missing Authorization header"}');
});

test('[S1] a session is created over the wire', async () => {
  const body = JSON.stringify({ game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] });
  const answer = await post([bearer(), JSON_BODY, `Content-Length: ${body.length}`], body);
  expect(answer).toStartWith('HTTP/1.1 201');
  expect(answer.toLowerCase()).toContain('\r\nx-request-id: req_');
});

test('[T1] a request without any body names the missing field', async () => {
  expect(await post([bearer()], '')).toEndWith('{"error":"game is required"}');
  expect(await post([bearer(), 'Content-Length: 0'], '')).toEndWith('{"error":"game is required"}');
});

test('[H1] a chunked body is read, and refused when it grows too large', async () => {
  const chunked = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;
  const head = [bearer(), JSON_BODY, 'Transfer-Encoding: chunked'];
  expect(await post(head, chunked('{}'))).toEndWith('{"error":"game is required"}');
  const large = chunked(`{"pad":"${'x'.repeat(BODY_BYTES_MAX)}"}`);
  expect(await post(head, large)).toEndWith('{"error":"Request body too large"}');
});

test('[H1] an announced length that is too large is refused before it is sent', async () => {
  const head = [bearer(), JSON_BODY, `Content-Length: ${BODY_BYTES_MAX + 1}`];
  const body = `{"pad":"${'x'.repeat(BODY_BYTES_MAX - 9)}"}`;
  const answer = await post(head, `${body} `);
  expect(answer).toStartWith('HTTP/1.1 413');
  expect(answer).toEndWith('{"error":"Request body too large"}');
});

test('[H1][H2] a body that is not even read is refused like any other, and counted', async () => {
  const answer = await post([bearer(), JSON_BODY, `Content-Length: ${5 * BODY_BYTES_MAX}`], '{');
  expect(answer).toStartWith('HTTP/1.1 413');
  expect(answer.toLowerCase()).toMatch(/\r\nx-request-id: req_.*\r\n/);
  expect(answer.toLowerCase()).toContain('\r\nx-error-code: body_too_large\r\n');
  expect(answer).toEndWith('{"error":"Request body too large"}');
  expect(http.counted.at(-1)).toEqual(['createSession', 413]);
});

/** A request whose body is refused. */
const refuse = (why: BodyFault, method: string, path: string, headers = {}): Promise<Response> =>
  http.app.refuse(
    new Request(`http://x${path}`, { method, headers }),
    { address: '192.0.2.1' },
    why,
  );
const BODY_FAULTS = [
  ['too large', 413],
  ['too slow', 408],
] as const;

test.each(BODY_FAULTS)(
  '[H4] checks before the body come before one that is %s',
  async (why, status) => {
    const authorization = `Bearer ${key}`;
    const json = { 'content-type': 'application/json' };
    const asked: readonly (readonly [number, string, string, Record<string, string>])[] = [
      [401, 'POST', '/v1/sessions', json],
      [401, 'POST', '/v1/sessions', { ...json, authorization: 'Bearer mk_test_none' }],
      [401, 'POST', '/nowhere', json],
      [404, 'POST', '/nowhere', { ...json, authorization }],
      [405, 'DELETE', '/v1/sessions', { ...json, authorization }],
      [405, 'POST', '/v1/socket', { ...json, authorization }],
      [415, 'POST', '/v1/sessions', { authorization, 'content-type': 'text/plain' }],
      [status, 'POST', '/v1/sessions', { ...json, authorization }],
      [status, 'GET', '/v1/whoami', { authorization }],
      [status, 'GET', '/healthz', {}],
    ];
    for (const [expected, method, path, headers] of asked) {
      const answer = await refuse(why, method, path, headers);
      expect([method, path, answer.status]).toEqual([method, path, expected]);
    }
  },
);

test("[H4][H5] a body that is too large hides no wrong key from its address's window", async () => {
  const wrong = () =>
    http.app.refuse(
      new Request('http://x/v1/sessions', {
        method: 'POST',
        headers: { authorization: 'Bearer nonsense' },
      }),
      { address: '192.0.2.77' },
      'too large',
    );
  for (let i = 0; i < 30; i++) expect((await wrong()).status).toBe(401);
  expect((await wrong()).status).toBe(429);
});

test.each(BODY_FAULTS)(
  '[H6] a body that is %s counts like any other request',
  async (why, status) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const left = async (): Promise<number> => {
      const answer = await refuse(why, 'POST', '/v1/sessions', headers);
      expect(answer.status).toBe(status);
      return Number(answer.headers.get('x-ratelimit-remaining') ?? 'none');
    };
    const before = await left();
    expect(before).toBeGreaterThan(0);
    expect(await left()).toBe(before - 1);
  },
);

test('[H1][H2] a body that did not arrive in time is refused with an id, a code and a line in the log', async () => {
  const ask = (method: string, path: string, headers = {}) =>
    refuse('too slow', method, path, { authorization: `Bearer ${key}`, ...headers });
  const own = await ask('POST', '/v1/sessions', {
    origin: 'https://game.example.test',
    'content-type': 'application/json',
  });
  expect(own.status).toBe(408);
  expect(await own.json()).toEqual({ error: 'Request body too slow' });
  expect(own.headers.get('x-error-code')).toBe('body_too_slow');
  expect(own.headers.get('access-control-allow-origin')).toBe('https://game.example.test');
  expect(http.counted.at(-1)).toEqual(['createSession', 408]);
  const { fields } = http.lines.at(-1)!;
  expect(fields).toMatchObject({ requestId: own.headers.get('x-request-id'), status: 408 });
  const asPage = await ask('POST', '/dashboard/api/session', {
    origin: 'https://game.example.test',
  });
  expect(asPage.headers.get('access-control-allow-origin')).toBeNull();
  expect(await asPage.json()).toEqual({ error: 'Request body too slow' });
  expect(http.counted.at(-1)).toEqual(['other', 408]);
});

test('[H3] HEAD sends no body, and the headers of GET', async () => {
  const answer = await send(
    `HEAD /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}\r\n\r\n`,
  );
  expect(answer).toStartWith('HTTP/1.1 200');
  expect(answer).toEndWith('\r\n\r\n');
  const whole = await send(
    `GET /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}\r\n\r\n`,
  );
  const length = /\r\ncontent-length: (\d+)\r\n/i;
  expect(length.exec(answer)?.[1]).toBe(length.exec(whole)![1]!);
});

test('[H3] HEAD of a stream has no length', async () => {
  const answer = await send(
    `HEAD /v1/events/stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}\r\n\r\n`,
  );
  expect(answer).toStartWith('HTTP/1.1 200');
  expect(answer.toLowerCase()).not.toContain('\r\ncontent-length:');
});

const UPGRADE = 'Upgrade: websocket\r\nConnection: Upgrade, close';
/** The fault of a head, and its response. */
const WRONG_HEADS: readonly (readonly [string, number, string])[] = [
  [`Host: x\r\n${UPGRADE}\r\nSec-WebSocket-Version: 8`, 426, 'unsupported_websocket_version'],
  [`Host: x\r\n${UPGRADE}\r\nSec-WebSocket-Version: 13`, 400, 'malformed_handshake'],
  ['Host: [\r\nConnection: close', 400, 'bad_request'],
  ['Host: x\r\nContent-Length: 4\r\ncontent-length: 4', 400, 'bad_request'],
];

test.each(WRONG_HEADS)(
  '[H2] %j is answered with an id, a code and a line in the log',
  async (head, status, code) => {
    const answer = await send(`GET /v1/socket HTTP/1.1\r\n${head}\r\n\r\n`);
    expect(answer).toStartWith(`HTTP/1.1 ${status} `);
    const id = /\r\nx-request-id: (req_\w+)\r\n/i.exec(answer)![1]!;
    expect(answer.toLowerCase()).toContain(`\r\nx-error-code: ${code}\r\n`);
    expect(answer).toEndWith(`{"error":"${ERRORS[code as ErrorCode].message}"}`);
    expect(/\r\nupgrade: websocket\r\n/i.test(answer)).toBe(status === 426);
    expect(http.lines.at(-1)!.fields).toMatchObject({ requestId: id, status, code });
  },
);

test('[P2] Upgrade is ignored except in a GET of the socket', async () => {
  const whole = [
    UPGRADE,
    'Host: x',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ].join('\r\n');
  const ask = async (line: string, more = '', body = ''): Promise<string> =>
    (await send(`${line} HTTP/1.1\r\n${whole}\r\n${more}\r\n${body}`)).split('\r\n')[0]!;
  expect(await ask('GET /v1/socket')).toStartWith('HTTP/1.1 418');
  expect(await ask('GET /healthz')).toStartWith('HTTP/1.1 200');
  expect(await ask('GET /v1/whoami')).toStartWith('HTTP/1.1 401');
  expect(await ask('POST /v1/socket', `${bearer()}\r\n`)).toStartWith('HTTP/1.1 405');
  const text = JSON.stringify({ game: 'tictactoe', players: [{ id: 'una' }, { id: 'uwe' }] });
  const more = `${bearer()}\r\n${JSON_BODY}\r\nContent-Length: ${text.length}\r\n`;
  expect(await ask('POST /v1/sessions', more, text)).toStartWith('HTTP/1.1 201');
});

test('[H4] bytes that are not text in a key are a wrong key', async () => {
  const answer = await post(['Authorization: Bearer \u00ff\u00fe', 'Content-Length: 0'], '');
  expect(answer).toEndWith('{"error":"Invalid or inactive API key"}');
});

test("[H5] the limit applies to the connection's address", async () => {
  const wrong = () => post(['Authorization: Bearer nonsense', 'Content-Length: 0'], '');
  const answers: string[] = [];
  for (let i = 0; i < 31; i++) answers.push((await wrong()).split('\r\n')[0]!);
  expect(answers.at(-1)).toStartWith('HTTP/1.1 429');
});

test('[H11] player ids of any content are encoded in paths', async () => {
  const url = `http://127.0.0.1:${server.port}/v1/players`;
  for (const id of ['a/b', 'a%2Fb', 'ä 🂡', '..', '100%', '?x=1#y', '+', 'a;b']) {
    const response = await fetch(
      `${url}/${encodeURIComponent(id).replace(/^\.\.$/, '%2E%2E')}/token`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
      },
    );
    const json = (await response.json()) as { token?: string };
    const player = http.tokens.parse(json.token ?? '', http.clock.now())?.player;
    // A segment of only dots leads upward in every URL parser, percent-encoded or not.
    expect(player).toBe(id === '..' ? undefined : id);
  }
});
