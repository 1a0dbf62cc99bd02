/** The HTTP side behind the real server, over TCP: what requests in memory cannot show. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { bunPlatform } from '../platform/bun/bun-platform.ts';
import type { PlatformServer } from '../platform/platform.ts';
import { type HttpService, openHttpService } from '../testing/http-service.ts';
import { BODY_BYTES_MAX } from './body.ts';

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
    upgrade: () => ({ accept: false, response: new Response(null, { status: 404 }) }),
    sockets: { opened() {}, message() {}, binary() {}, ponged() {}, drained() {}, closed() {} },
    limits: { frameBytesMax: 1_024, bodyBytesMax: 4 * BODY_BYTES_MAX, idleTimeoutS: 10 },
  });
});
afterAll(async () => {
  await server.close();
  await http.close();
});

/** Sends bytes as they are and reads until the server closes. */
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

test('[T5] the message of a refusal arrives as it is written', async () => {
  const answer = await post(['Content-Length: 2', JSON_BODY], '{}');
  expect(answer).toStartWith('HTTP/1.1 401');
  expect(answer).toEndWith('{"error":"Missing Authorization header"}');
});

test('[S1] a session is made over the wire', async () => {
  const body = JSON.stringify({ game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] });
  const answer = await post([bearer(), JSON_BODY, `Content-Length: ${body.length}`], body);
  expect(answer).toStartWith('HTTP/1.1 201');
  expect(answer.toLowerCase()).toContain('\r\nx-request-id: req_');
});

test('[T1] a request without any body names what is missing', async () => {
  expect(await post([bearer()], '')).toEndWith('{"error":"game is required"}');
  expect(await post([bearer(), 'Content-Length: 0'], '')).toEndWith('{"error":"game is required"}');
});

test('[H1] a body in chunks is read, and refused when it grows too large', async () => {
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

test('[H1][H2] one that did not come in its time is refused with an id, a code and a line in the log', async () => {
  const ask = (method: string, path: string, headers = {}) =>
    http.app.refuse(
      new Request(`http://x${path}`, { method, headers }),
      { address: '192.0.2.1' },
      'too slow',
    );
  const own = await ask('POST', '/v1/sessions', { origin: 'https://game.example.test' });
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
  expect(await (await ask('POST', '/nowhere')).json()).toEqual({ error: 'Request body too slow' });
  expect(http.counted.at(-1)).toEqual(['other', 408]);
});

test('[H3] HEAD sends no body, and the headers of GET', async () => {
  const answer = await send(
    `HEAD /v1/whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${bearer()}\r\n\r\n`,
  );
  expect(answer).toStartWith('HTTP/1.1 200');
  expect(answer).toEndWith('\r\n\r\n');
});

test('[H4] bytes that are no text in a key are a wrong key', async () => {
  const answer = await post(['Authorization: Bearer \u00ff\u00fe', 'Content-Length: 0'], '');
  expect(answer).toEndWith('{"error":"Invalid or inactive API key"}');
});

test('[H5] the address of the connection is the one that is slowed', async () => {
  const wrong = () => post(['Authorization: Bearer nonsense', 'Content-Length: 0'], '');
  const answers: string[] = [];
  for (let i = 0; i < 31; i++) answers.push((await wrong()).split('\r\n')[0]!);
  expect(answers.at(-1)).toStartWith('HTTP/1.1 429');
});

test('[H11] ids of players pass through paths whatever they hold', async () => {
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
    // Dots that stand alone are a way up for every URL there is, percent codes or not.
    expect(player).toBe(id === '..' ? undefined : id);
  }
});
