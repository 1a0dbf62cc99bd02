/** Stored responses of endpoints are short and without secrets. */

import { expect, test } from 'bun:test';
import { presentResponse, RESPONSE_BYTES_MAX } from './response-text.ts';

const shown = (text: string) => presentResponse(new TextEncoder().encode(text));

test('[E2a] a response is stored unchanged, up to its first KiB, never with half a character', () => {
  expect(shown('Internal error: no such row ü\n')).toBe('Internal error: no such row ü\n');
  expect(shown('')).toBeNull();
  expect(shown('  \n')).toBeNull();
  const long = shown('ü'.repeat(RESPONSE_BYTES_MAX))!;
  expect(long).toBe(`${'ü'.repeat(RESPONSE_BYTES_MAX / 2)}…`);
  expect(shown(`a${'ü'.repeat(RESPONSE_BYTES_MAX)}`)).toBe(
    `a${'ü'.repeat(RESPONSE_BYTES_MAX / 2 - 1)}…`,
  );
});

test('[E2a] binary data is left out, and control characters cannot affect a terminal', () => {
  expect(presentResponse(Uint8Array.of(0x89, 0x50, 0, 1))).toBeNull();
  expect(shown('a\u001b[31mb\r\nc\u0085')).toBe('a [31mb \nc ');
});

test('[E2a] secrets that an endpoint sends back are removed', () => {
  const secrets = [
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'mk_live_1a2B3c4D0123456789abcdefghijklmnopqrstuvwxyz01',
    'mrk_test_1a2B3c4D0123456789abcdefghijklmnopqrstuvwxyz01',
    'sk_live_51H8x9y2eZvKYlo2C',
    'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ];
  for (const secret of secrets) expect(shown(`at line 3: ${secret} is bad`)).not.toContain(secret);
  expect(shown('Authorization: Bearer abc.def')).not.toContain('abc.def');
  expect(shown('{"db_password":"hunter22","user":"ann"}')).toBe(
    '{"db_password":[removed],"user":"ann"}',
  );
  expect(shown('postgres://matchd:hunter22@db/x')).toBe('postgres://[removed]@db/x');
  expect(shown('set-cookie=abc; path=/')).toBe('set-cookie=[removed]; path=/');
});

test('[E2a] a long response is searched quickly', () => {
  const began = performance.now();
  for (const text of ['password', 'a-', '://a:', 'eyJ.', '"token":"']) shown(text.repeat(5_000));
  expect(performance.now() - began).toBeLessThan(1_000);
});
