/** Valid and invalid bodies, through the whole HTTP side. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import { BODY_BYTES_MAX, isDeeper } from './body.ts';

let http: HttpService;
let ask: Asking;

beforeAll(async () => {
  http = await openHttpService();
  ask = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'test'));
});
afterAll(() => http.close());

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
/** An enclosing object is one more level. */
const deepBody = (depth: number): string => `{"game":${nested(depth - 1)}}`;
const sized = (bytes: number): string => {
  const frame = '{"pad":""}';
  return `{"pad":"${'x'.repeat(bytes - frame.length)}"}`;
};

const TYPES: readonly (readonly [string, number])[] = [
  ['application/json', 400],
  ['application/json; charset=utf-8', 400],
  ['Application/JSON ;charset="utf-8"', 400],
  ['application/json;CHARSET=UTF-8', 400],
  ['application/json; charset="Utf-8"; profile="a; charset=latin1"', 400],
  ['application/json; charset=utf8', 400],
  ['application/json; charset=latin1', 415],
  ['application/json; charset="ISO-8859-1"', 415],
  ['application/json; profile=a ; charset=utf-16', 415],
  ['application/json; charset=utf-8; charset=latin1', 415],
  ['text/plain', 415],
  ['application/json-patch+json', 415],
  ['application/x-www-form-urlencoded', 415],
  ['', 415],
];

test.each(TYPES)('[H1] a body of type "%s" is answered with %d', async (type, status) => {
  const answer = await ask('/v1/sessions', { raw: '{}', headers: { 'content-type': type } });
  expect(answer.status).toBe(status);
  if (status === 415) expect(answer.json.error).toBe('Content-Type must be application/json');
});

const BODIES: readonly (readonly [string, BodyInit, number, string])[] = [
  ['of 64 KiB', sized(BODY_BYTES_MAX), 400, 'game is required'],
  ['one byte larger', sized(BODY_BYTES_MAX + 1), 413, 'Request body too large'],
  ['of fewer characters but more bytes', sized(BODY_BYTES_MAX).replace(/xx$/, '€'), 400, ''],
  ['nested 20 deep', deepBody(20), 400, 'Invalid game'],
  ['nested 21 deep', deepBody(21), 400, 'Request body nested too deeply'],
  ['nested without an end', '['.repeat(60_000), 400, 'Request body nested too deeply'],
  ['of brackets in a text', `{"game":"${'['.repeat(100)}"}`, 400, 'Invalid game'],
  ['of brackets behind an escaped quote', `{"game":"\\"${'['.repeat(99)}"}`, 400, 'Invalid game'],
  ['that breaks off', '{"game":', 400, 'Invalid JSON body'],
  ['with a comma too many', '{"game":"ludo",}', 400, 'Invalid JSON body'],
  ['that is no JSON', 'game=ludo', 400, 'Invalid JSON body'],
  ['of white space', '  \n', 400, 'Invalid JSON body'],
  [
    'that is not UTF-8',
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    400,
    'Invalid JSON body',
  ],
  ['that is a list', '[]', 400, 'Request body must be an object'],
  ['that is null', 'null', 400, 'Request body must be an object'],
  ['that is a text', '"game"', 400, 'Request body must be an object'],
  ['with a field named twice', '{"game":"chess","game":null}', 400, 'game is required'],
  ['with __proto__', '{"__proto__":{"game":"ludo"}}', 400, 'game is required'],
];

test.each(BODIES)('[H1] a body %s', async (_, raw, status, error) => {
  const answer = await ask('/v1/sessions', { raw });
  expect(answer.status).toBe(status);
  expect(answer.json.error).toStartWith(error);
});

test('[H1] the real size of a body of unannounced length counts', async () => {
  const raw = new Blob([sized(BODY_BYTES_MAX + 1)]).stream();
  const init = { method: 'POST', body: raw, duplex: 'half' } as RequestInit;
  const request = new Request('https://play.example.test/v1/sessions', init);
  request.headers.set(
    'authorization',
    `Bearer ${await http.makeKey(await http.makeTenant(), 'test')}`,
  );
  request.headers.set('content-type', 'application/json');
  const response = await http.app.fetch(request, { address: '203.0.113.7' });
  expect(response.status).toBe(413);
});

describe('endpoints that take no body', () => {
  const verify = async (raw: string | undefined, type = 'application/json') => {
    const path = '/v1/players/ann';
    return ask(path, {
      method: 'DELETE',
      ...(raw === undefined ? {} : { raw, headers: { 'content-type': type } }),
    });
  };
  test.each([[undefined], ['{}'], ['[1,2]'], ['"x"'], ['null']])('[H1] take %p', async (raw) => {
    expect((await verify(raw)).json.error).toBe('Player not found');
  });
  test('[H1] and a body that is not JSON', async () => {
    expect((await verify('{')).json.error).toBe('Invalid JSON body');
    expect((await verify('{}', 'text/plain')).status).toBe(415);
  });
});

test('[H1] responses are JSON in UTF-8', async () => {
  const answer = await ask('/v1/whoami');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('[H1] the depth of a text is counted outside its strings', () => {
  expect(isDeeper('[[]]', 2)).toBe(false);
  expect(isDeeper('[[[]]]', 2)).toBe(true);
  expect(isDeeper('[[],[],[[]]]', 2)).toBe(true);
  expect(isDeeper('["[[[[", {"[[[": "\\\\"}]', 2)).toBe(false);
  expect(isDeeper(']]]]]][[[', 2)).toBe(false);
});
