/** Player tokens: only ours, unchanged and unexpired, are accepted. */

import { describe, expect, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import type { TokenClaims } from './tokens.ts';
import { makeTokens } from './tokens.ts';

const NOW = Date.UTC(2026, 10, 14, 12);
const SECRET = Uint8Array.from({ length: 32 }, (_, i) => i);
const tokens = makeTokens({ kid: 'k1', secret: SECRET });

const claims: TokenClaims = {
  scope: 'session',
  tenant: 'ten_a',
  mode: 'live',
  player: 'änn "1"\u001e😀',
  session: 'ses_a',
  key: 'key_a',
  exp: NOW / 1_000 + 300,
};

/** A token signed with the right secret and arbitrary content. */
function forge(header: object, body: unknown): string {
  const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const text = `${encode(header)}.${encode(body)}`;
  return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`;
}

const HEADER = { alg: 'HS256', typ: 'JWT', kid: 'k1' };

describe('[P2] tokens', () => {
  test('[P2] a token is read back as it was created', () => {
    for (const scope of ['session', 'lobby', 'watch', 'resume'] as const) {
      const each = { ...claims, scope };
      expect(tokens.parse(tokens.make(each), NOW)).toEqual(each);
    }
    expect(forge(HEADER, claims)).toBe(tokens.make(claims));
  });

  test('[P2] a token is valid until its expiry and not a millisecond longer', () => {
    const token = tokens.make(claims);
    expect(tokens.parse(token, claims.exp * 1_000 - 1)).toEqual(claims);
    expect(tokens.parse(token, claims.exp * 1_000)).toBeNull();
    expect(tokens.parse(tokens.make({ ...claims, exp: 0 }), NOW)).toBeNull();
  });

  test('[P2] a token with any single bit changed is invalid', () => {
    const bytes = Buffer.from(tokens.make(claims));
    for (let i = 0; i < bytes.length; i++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(bytes);
        changed[i] = changed[i]! ^ (1 << bit);
        expect([i, bit, tokens.parse(changed.toString('latin1'), NOW)]).toEqual([i, bit, null]);
      }
    }
  });

  test('[P2] a token has only one valid encoding', () => {
    const token = tokens.make(claims);
    const [head, body, signature] = token.split('.') as [string, string, string];
    const others = [
      `${token}=`,
      `${token} `,
      ` ${token}`,
      `${head}.${body}.${signature.slice(0, 10)}!${signature.slice(10)}`,
      `${head}.${body}.${Buffer.from(signature, 'base64url').toString('base64')}`,
      `${head}.${body}`,
      `${head}.${body}.`,
      `${head}..${signature}`,
      `.${body}.${signature}`,
      `${token}.`,
      `${token}.${signature}`,
    ];
    for (const other of others) expect([other, tokens.parse(other, NOW)]).toEqual([other, null]);
  });

  test('[P2] a token chooses neither its algorithm nor its key', () => {
    expect(tokens.parse(forge({ ...HEADER, alg: 'none' }, claims), NOW)).toBeNull();
    expect(tokens.parse(forge({ ...HEADER, alg: 'HS512' }, claims), NOW)).toBeNull();
    expect(tokens.parse(forge({ ...HEADER, kid: 'k2' }, claims), NOW)).toBeNull();
    expect(tokens.parse(forge({ alg: 'HS256', kid: 'k1', typ: 'JWT' }, claims), NOW)).toBeNull();
    const unsigned = forge({ alg: 'none' }, claims).split('.').slice(0, 2).join('.');
    expect(tokens.parse(`${unsigned}.`, NOW)).toBeNull();
    const other = makeTokens({ kid: 'k1', secret: Uint8Array.from(SECRET, (byte) => byte ^ 1) });
    expect(tokens.parse(other.make(claims), NOW)).toBeNull();
    expect(makeTokens({ kid: 'k2', secret: SECRET }).parse(tokens.make(claims), NOW)).toBeNull();
  });

  test('[P2] a signed token with an invalid payload is refused', () => {
    for (const body of [
      1,
      'x',
      [],
      {},
      { ...claims, scope: 'admin' },
      { ...claims, exp: 'soon' },
    ]) {
      expect([body, tokens.parse(forge(HEADER, body), NOW)]).toEqual([body, null]);
    }
  });

  test('[P2] junk of any length is refused', () => {
    for (const text of [
      '',
      '.',
      '..',
      '...',
      'a.b.c',
      '\u0000',
      '💣'.repeat(100),
      'x'.repeat(1e6),
    ]) {
      expect(tokens.parse(text, NOW)).toBeNull();
    }
    const long = tokens.make({ ...claims, player: 'x'.repeat(2_000) });
    expect(tokens.parse(long, NOW)).toBeNull();
    const longest = tokens.make({
      ...claims,
      player: '\u{10ffff}'.repeat(128),
      session: 'x'.repeat(64),
    });
    expect(tokens.parse(longest, NOW)).not.toBeNull();
  });
});
