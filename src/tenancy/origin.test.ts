/** An allow-list admits what it names and nothing similar. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { isOriginAllowed, isRequestOriginAllowed, parseOriginPattern } from './origin.ts';

const seeded = { seed: TEST_SEED, numRuns: 1_000 };

const NORMAL: readonly (readonly [string, string])[] = [
  ['https://example.com', 'https://example.com'],
  ['HTTPS://Example.COM', 'https://example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['http://example.com:80', 'http://example.com'],
  ['https://example.com:80', 'https://example.com:80'],
  ['http://example.com:443', 'http://example.com:443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['https://*.example.com', 'https://*.example.com'],
  ['https://*.Example.com:8443', 'https://*.example.com:8443'],
  ['http://*.localhost:3000', 'http://*.localhost:3000'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://*.BÜCHER.example', 'https://*.xn--bcher-kva.example'],
  ['https://xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['https://ｅxample。com', 'https://example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['http://0x7f.1', 'http://127.0.0.1'],
  ['http://[::1]:8080', 'http://[::1]:8080'],
  ['http://[0:0::0001]', 'http://[::1]'],
  ['capacitor://localhost', 'capacitor://localhost'],
  ['chrome-extension://abcdefghijklmnop', 'chrome-extension://abcdefghijklmnop'],
  ['https://my_app.example.com', 'https://my_app.example.com'],
  ['null', 'null'],
];

const UNUSABLE: readonly string[] = [
  '',
  '*',
  'example.com',
  '//example.com',
  'https://',
  'https:example.com',
  'NULL',
  'null ',
  'https://example.com/',
  'https://example.com/a',
  'https://example.com?',
  'https://example.com#',
  'https://user@example.com',
  'https://user:pw@example.com',
  'https://@example.com',
  'https://example.com:',
  'https://example.com:0',
  'https://example.com:0443',
  'https://example.com:65536',
  'https://example.com:1e3',
  'https://example.com:-1',
  'https://example.com.',
  'https://.example.com',
  'https://a..example.com',
  'https://-a.com',
  'https://*',
  'https://*.',
  'https://*.com',
  'https://*example.com',
  'https://a.*.example.com',
  'https://*.*.example.com',
  'https://ex*mple.com',
  'https://*.1.2.3',
  'http://*.127.0.0.1',
  'http://*.[::1]',
  'http://[::1',
  'http://[zz]',
  'http://[::1%25eth0]',
  'http://1.2.3.4.5',
  'https://exa mple.com',
  ' https://example.com',
  'https://example.com\n',
  'https://exa\tmple.com',
  'https://example%2ecom',
  'https://example.com\\@evil.com',
  'https://a,https://b',
  'file://example.com',
  'ws://example.com',
  'wss://example.com',
  'javascript://example.com',
  'app://bücher',
  `https://${'a'.repeat(64)}.com`,
  `https://${'a.'.repeat(200)}com`,
];

describe('entries', () => {
  for (const [text, normal] of NORMAL) {
    test(`[H7] ${text} is stored as ${normal}`, () => {
      expect(parseOriginPattern(text)).toBe(normal);
      expect(parseOriginPattern(normal)).toBe(normal);
    });
  }

  test('[H7] more or less than scheme, host and port is refused', () => {
    for (const text of UNUSABLE) expect([text, parseOriginPattern(text)]).toEqual([text, null]);
  });

  test(`[H7] no text makes it throw, and a stored entry normalizes to itself (seed ${TEST_SEED})`, () => {
    const near = fc
      .array(
        fc.constantFrom('https', '://', '*.', 'example', '.', 'com', ':', '80', '@', '[', ']', 'ü'),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), near), (text) => {
        const kept = parseOriginPattern(text);
        return kept === null || parseOriginPattern(kept) === kept;
      }),
      seeded,
    );
  });
});

/** Origins that the list `https://example.com` must refuse. */
const HOSTILE: readonly string[] = [
  'https://evil-example.com',
  'https://evilexample.com',
  'https://example.com.evil',
  'https://example.com.evil.com',
  'https://evil.com/https://example.com',
  'https://example.com@evil.com',
  'https://evil.com@example.com',
  'https://example.com:@evil.com',
  'http://example.com',
  'https://example.com:8443',
  'https://example.com:80',
  'https://example.co',
  'https://sub.example.com',
  'https://example.com.',
  'https://.example.com',
  'https://xample.com',
  'https://example.com:',
  'https://example.com/',
  'https://example.com#',
  'https://example.com?',
  'https://example.com ',
  ' https://example.com',
  'https://example.com\t',
  'https://example.com\0',
  'https://example.com, https://example.com',
  'https://example.com https://example.com',
  'https://еxample.com',
  'https://exаmple.com',
  'https://ｅxample.com',
  'https://example。com',
  'https://xn--example-.com',
  'https://exam\u00adple.com',
  'https://example.com\u200b',
  'https://exampl\u212a.com',
  'https:/example.com',
  'https:\\\\example.com',
  'https://example%2ecom',
  'HTTPS://*.example.com',
  'https://*',
  '*',
  '',
  'null',
  'undefined',
  'example.com',
  'file://',
];

describe('requests', () => {
  test('[H7] an empty list restricts nothing', () => {
    for (const origin of ['https://example.com', 'null', 'junk']) {
      expect(isOriginAllowed([], origin)).toBe(true);
    }
  });

  test('[H7] scheme, host and port are compared exactly', () => {
    const list = ['https://example.com', 'http://localhost:3000', 'http://[::1]:8080'];
    for (const origin of list) expect(isOriginAllowed(list, origin)).toBe(true);
    expect(isOriginAllowed(list, 'https://EXAMPLE.com:443')).toBe(true);
    expect(isOriginAllowed(list, 'http://localhost')).toBe(false);
    expect(isOriginAllowed(list, 'http://localhost:3001')).toBe(false);
    expect(isOriginAllowed(list, 'http://[::1]')).toBe(false);
    // The Kelvin sign in lower case is a `k`.
    expect(isOriginAllowed(['https://k.com'], 'https://\u212a.com')).toBe(false);
    expect(isOriginAllowed(['http://127.0.0.1'], 'http://2130706433')).toBe(false);
  });

  for (const origin of HOSTILE) {
    test(`[H7] https://example.com does not admit ${JSON.stringify(origin)}`, () => {
      expect(isOriginAllowed(['https://example.com'], origin)).toBe(false);
    });
  }

  test('[H7] *. stands for exactly one label', () => {
    const list = ['https://*.example.com'];
    const allowed = (origin: string): boolean => isOriginAllowed(list, origin);
    for (const origin of [
      'https://a.example.com',
      'https://A.Example.com:443',
      'https://x-1.example.com',
    ]) {
      expect(allowed(origin)).toBe(true);
    }
    const out = [
      'https://example.com',
      'https://a.b.example.com',
      'https://.example.com',
      'https://*.example.com',
      'https://aexample.com',
      'https://a.example.com.evil.com',
      'https://a.evil-example.com',
      'http://a.example.com',
      'https://a.example.com:8443',
      'https://evil.com/.example.com',
      'https://evil.com#.example.com',
      'https://a@b.example.com',
      'https://-.example.com',
      'https://ü.example.com',
      'https://a.example.com.',
    ];
    for (const origin of out) expect([origin, allowed(origin)]).toEqual([origin, false]);
  });

  test('[H7] null is refused unless it is listed', () => {
    expect(isOriginAllowed(['https://example.com'], 'null')).toBe(false);
    expect(isOriginAllowed(['https://example.com', 'null'], 'null')).toBe(true);
    expect(isOriginAllowed(['null'], 'https://null')).toBe(false);
  });

  test('[H7] without an Origin a request passes unless the key requires one', () => {
    const origins = ['https://example.com'];
    expect(isRequestOriginAllowed({ origins, requireOrigin: false }, null)).toBe(true);
    expect(isRequestOriginAllowed({ origins, requireOrigin: true }, null)).toBe(false);
    expect(isRequestOriginAllowed({ origins: [], requireOrigin: true }, null)).toBe(false);
    expect(isRequestOriginAllowed({ origins, requireOrigin: true }, origins[0]!)).toBe(true);
    expect(isRequestOriginAllowed({ origins, requireOrigin: false }, 'https://evil.com')).toBe(
      false,
    );
  });
});

const label = fc
  .stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
  .filter((text) => !text.startsWith('xn--'));
const host = fc.array(label, { minLength: 2, maxLength: 4 }).map((labels) => labels.join('.'));
const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: null });
const originText = fc
  .tuple(fc.constantFrom('http', 'https'), host, port)
  .map(([scheme, name, number]) => `${scheme}://${name}${number === null ? '' : `:${number}`}`);

describe('properties', () => {
  test(`[H7] an origin on the list is admitted as browsers write it (seed ${TEST_SEED})`, () => {
    fc.assert(
      fc.property(originText, (text) => {
        const { origin } = new URL(text);
        return isOriginAllowed([parseOriginPattern(text)!], origin);
      }),
      seeded,
    );
  });

  test(`[H7] two different origins never match each other (seed ${TEST_SEED})`, () => {
    fc.assert(
      fc.property(originText, originText, (one, other) => {
        const isSame = new URL(one).origin === new URL(other).origin;
        return isOriginAllowed([parseOriginPattern(one)!], other) === isSame;
      }),
      seeded,
    );
  });

  test(`[H7] an origin with text added anywhere is refused (seed ${TEST_SEED})`, () => {
    const added = fc.oneof(
      fc.constantFrom('.', '-', '@', '/', ':', '%', '\\', '#', '?', ' ', '*'),
      label,
    );
    fc.assert(
      fc.property(originText, added, fc.nat(), (text, extra, at) => {
        const { origin } = new URL(text);
        const place = at % (origin.length + 1);
        const changed = origin.slice(0, place) + extra + origin.slice(place);
        return !isOriginAllowed([origin], changed);
      }),
      seeded,
    );
  });

  test(`[H7] a wildcard admits one label in front and nothing else (seed ${TEST_SEED})`, () => {
    fc.assert(
      fc.property(host, fc.array(label, { maxLength: 3 }), (name, front) => {
        const list = [parseOriginPattern(`https://*.${name}`)!];
        const origin = `https://${[...front, name].join('.')}`;
        return isOriginAllowed(list, origin) === (front.length === 1);
      }),
      seeded,
    );
  });

  test(`[H7] no header makes it throw (seed ${TEST_SEED})`, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        isOriginAllowed(['https://example.com', 'https://*.example.com', 'null'], text);
      }),
      seeded,
    );
  });
});
