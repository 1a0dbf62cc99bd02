/** Attestations under a test root: valid ones pass, and each fault has its reason. */

import { describe, expect, test } from 'bun:test';
import { Buffer } from 'node:buffer';
import { encode } from 'cborg';
import {
  type AttestationWish,
  coseOf,
  makeAttestAuthority,
  nonceExtension,
} from '../../testing/devices/attest-authority.ts';
import { readRoots, verifyAssertion, verifyAttestation } from './app-attest.ts';
import { APPLE_APP_ATTEST_ROOT } from './apple-root.ts';

const NOW = Date.UTC(2026, 10, 14, 12);
const HOUR_MS = 60 * 60_000;
const APP = 'A1B2C3D4E5.com.example.game';
const authority = makeAttestAuthority({ now: NOW });
const roots = readRoots(authority.rootPem);
const device = authority.makeDevice();
const clientDataHash = Buffer.alloc(32, 7);
const expected = {
  roots,
  appId: APP,
  environments: ['production'],
  clientDataHash,
  now: NOW,
} as const;
const right: AttestationWish = { clientDataHash, appId: APP };

const verdictOf = (attestation: Uint8Array, change: object = {}): string => {
  const proof = verifyAttestation(attestation, { ...expected, ...change });
  return proof.ok ? 'ok' : proof.reason;
};
const extensionsOf = (entries: readonly (readonly [string, unknown])[]): Buffer =>
  Buffer.from(encode(new Map(entries)));
const category = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

test('[I5] an attestation under the test root is valid there and not under Apple’s', () => {
  const attestation = device.attest(right);
  expect(verifyAttestation(attestation, expected)).toEqual({
    ok: true,
    keyId: device.keyId.toString('base64'),
    publicKey: device.point.toString('base64'),
    environment: 'production',
    extensions: {},
  });
  expect(verdictOf(attestation, { roots: readRoots(APPLE_APP_ATTEST_ROOT) })).toBe(
    'untrusted_chain',
  );
  const both = readRoots(APPLE_APP_ATTEST_ROOT + authority.rootPem);
  expect(verdictOf(attestation, { roots: both })).toBe('ok');
});

const other = authority.makeDevice();

const WRONG: readonly (readonly [string, Partial<AttestationWish>, string])[] = [
  ['a counter above zero', { counter: 1 }, 'counter_not_zero'],
  ['the id of another key', { keyId: other.keyId }, 'key_mismatch'],
  ['another key in COSE', { cose: coseOf(other.point) }, 'key_mismatch'],
  ['an id that is said to be shorter', { keyIdBytes: 31 }, 'malformed_token'],
  ['an environment nobody knows', { environment: 'appattestsandbox' }, 'environment_not_allowed'],
  ['the wrong environment', { environment: 'appattestdevelop' }, 'environment_not_allowed'],
  ['another app', { appId: `${APP}s` }, 'app_id_mismatch'],
  ['other client data', { clientDataHash: Buffer.alloc(32, 8) }, 'nonce_mismatch'],
  ['no nonce', { nonceValue: null }, 'nonce_mismatch'],
  ['half a nonce', { nonceValue: (nonce) => nonceExtension(nonce.subarray(16)) }, 'nonce_mismatch'],
  ['a nonce without its wrapping', { nonceValue: (nonce) => nonce }, 'nonce_mismatch'],
  ['a leaf that has expired', { notAfter: NOW - HOUR_MS }, 'certificate_expired'],
  ['a leaf of tomorrow', { notBefore: NOW + HOUR_MS }, 'certificate_expired'],
  ['a leaf that is an authority', { leafIsAuthority: true }, 'untrusted_chain'],
  ['bytes after the key that are no map', { tail: Buffer.from([0]) }, 'malformed_token'],
  [
    'a category that says invalid',
    { tail: extensionsOf([['apple_validation_category_01', category(0)]]) },
    'category_invalid',
  ],
  [
    'a category of three bytes',
    { tail: extensionsOf([['apple_validation_category_01', Buffer.alloc(3)]]) },
    'malformed_token',
  ],
  [
    'a version that is no text',
    { tail: extensionsOf([['apple_bundle_version_01', 1]]) },
    'malformed_token',
  ],
  [
    'two maps of extensions',
    { tail: Buffer.concat([extensionsOf([]), extensionsOf([])]) },
    'malformed_token',
  ],
];

describe('attestations', () => {
  for (const [what, wish, reason] of WRONG) {
    test(`[I5] ${what} is ${reason}`, () => {
      expect(verdictOf(device.attest({ ...right, ...wish }))).toBe(reason);
    });
  }

  test('[I5] the extensions of iOS 27 are read, whatever the flags are; unknown ones are accepted', () => {
    const tail = extensionsOf([
      ['apple_bundle_version_01', '1.2'],
      ['apple_something_else_01', true],
      ['apple_validation_category_01', category(4)],
    ]);
    const proof = verifyAttestation(device.attest({ ...right, tail }), expected);
    expect(proof).toMatchObject({
      ok: true,
      extensions: { bundleVersion: '1.2', validationCategory: 4 },
    });
  });

  test('[I5] an intermediate that is not a CA, or has expired, breaks the chain', () => {
    const plain = makeAttestAuthority({ now: NOW, intermediateIsAuthority: false });
    const own = { roots: readRoots(plain.rootPem) };
    expect(verdictOf(plain.makeDevice().attest(right), own)).toBe('untrusted_chain');
    const old = makeAttestAuthority({ now: NOW, intermediateNotAfter: NOW - HOUR_MS });
    const oldRoots = { roots: readRoots(old.rootPem) };
    expect(verdictOf(old.makeDevice().attest(right), oldRoots)).toBe('certificate_expired');
  });

  test('[I5] another root with the same name is not the pinned one', () => {
    const stranger = makeAttestAuthority({ now: NOW });
    expect(verdictOf(stranger.makeDevice().attest(right))).toBe('untrusted_chain');
  });

  const x5cOf = (statement: Map<string, unknown>) => statement.get('x5c') as Buffer[];
  const whole = (statement: unknown, authData: unknown, fmt: unknown = 'apple-appattest') =>
    new Map([
      ['fmt', fmt],
      ['attStmt', statement],
      ['authData', authData],
    ]);
  const RESHAPED: Readonly<Record<string, NonNullable<AttestationWish['reshape']>>> = {
    'another format': (statement, authData) => whole(statement, authData, 'packed'),
    'no receipt': (statement, authData) => {
      statement.delete('receipt');
      return whole(statement, authData);
    },
    'something beside the receipt': (statement, authData) =>
      whole(new Map([...statement, ['zzzzzzzz', 1]]), authData),
    'a receipt that is a text': (statement, authData) =>
      whole(new Map([...statement, ['receipt', 'text']]), authData),
    'three certificates': (statement, authData) =>
      whole(new Map([...statement, ['x5c', [...x5cOf(statement), x5cOf(statement)[1]]]]), authData),
    'one certificate': (statement, authData) =>
      whole(new Map([...statement, ['x5c', x5cOf(statement).slice(0, 1)]]), authData),
    'certificates as PEM': (statement, authData) =>
      whole(
        new Map([
          ...statement,
          [
            'x5c',
            x5cOf(statement).map((bytes) =>
              Buffer.from(
                `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`,
              ),
            ),
          ],
        ]),
        authData,
      ),
    'a certificate with a byte after it': (statement, authData) =>
      whole(
        new Map([
          ...statement,
          ['x5c', x5cOf(statement).map((bytes) => Buffer.concat([bytes, Buffer.from([0])]))],
        ]),
        authData,
      ),
    'authenticator data cut short': (statement, authData) =>
      whole(statement, authData.subarray(0, 120)),
    'no map at all': () => [1, 2, 3],
    'numbers for names': (statement, authData) =>
      new Map<unknown, unknown>([...whole(statement, authData), [1, 2]]),
  };
  for (const [what, reshape] of Object.entries(RESHAPED)) {
    test(`[I5] ${what} is malformed_token`, () => {
      expect(verdictOf(device.attest({ ...right, reshape }))).toBe('malformed_token');
    });
  }

  test('[I5] CBOR that is not in its shortest form is malformed', () => {
    const attestation = device.attest(right);
    const indefinite = Buffer.concat([
      Buffer.from([0xbf]),
      attestation.subarray(1),
      Buffer.from([0xff]),
    ]);
    expect(verdictOf(indefinite)).toBe('malformed_token');
    // `fmt`'s length in two bytes instead of one.
    const fmtAt = attestation.indexOf('fmt');
    const long = Buffer.concat([
      attestation.subarray(0, fmtAt - 1),
      Buffer.from([0x78, 3]),
      attestation.subarray(fmtAt),
    ]);
    expect(verdictOf(long)).toBe('malformed_token');
    const fmtEnd = fmtAt + 3 + 16;
    const reordered = Buffer.concat([
      attestation.subarray(0, 1),
      attestation.subarray(fmtEnd),
      attestation.subarray(1, fmtEnd),
    ]);
    expect(verdictOf(reordered)).toBe('malformed_token');
    const twice = Buffer.concat([
      Buffer.from([0xa4]),
      attestation.subarray(1, fmtEnd),
      attestation.subarray(1),
    ]);
    expect(verdictOf(twice)).toBe('malformed_token');
  });
});

describe('assertions', () => {
  const publicKey = device.point.toString('base64');
  const wish = { clientDataHash, appId: APP, counter: 5 };
  const expectedHere = { appId: APP, publicKey, clientDataHash };
  const judge = (assertion: Uint8Array, change: object = {}) => {
    const proof = verifyAssertion(assertion, { ...expectedHere, ...change });
    return proof.ok ? proof : proof.reason;
  };

  test('[I5] authenticator data has 37 bytes, or a map after them, whatever the flags are', () => {
    expect(judge(device.assert(wish))).toEqual({ ok: true, counter: 5, extensions: {} });
    for (const version of ['1', '1.20']) {
      const tail = extensionsOf([
        ['apple_bundle_version_01', version],
        ['apple_validation_category_01', category(4)],
      ]);
      for (const flags of [0x00, 0x40, 0xc0]) {
        expect(judge(device.assert({ ...wish, tail, flags }))).toMatchObject({
          counter: 5,
          extensions: { bundleVersion: version, validationCategory: 4 },
        });
      }
    }
  });

  test('[I5] each fault of an assertion has its reason', () => {
    const assertion = device.assert(wish);
    expect(judge(other.assert(wish))).toBe('signature_invalid');
    expect(judge(assertion, { clientDataHash: Buffer.alloc(32) })).toBe('signature_invalid');
    expect(judge(assertion, { appId: 'x' })).toBe('app_id_mismatch');
    expect(judge(assertion, { publicKey: 'AAAA' })).toBe('signature_invalid');
    expect(judge(device.assert({ ...wish, tail: Buffer.from([1]) }))).toBe('malformed_token');
    const invalid = extensionsOf([['apple_validation_category_01', category(0)]]);
    expect(judge(device.assert({ ...wish, tail: invalid }))).toBe('category_invalid');
    expect(judge(Buffer.concat([assertion, Buffer.from([0])]))).toBe('malformed_token');
    expect(judge(Buffer.alloc(0))).toBe('malformed_token');
    const odd = Buffer.from(
      encode(
        new Map<string, unknown>([
          ['signature', Buffer.from('no DER')],
          ['authenticatorData', Buffer.alloc(37)],
        ]),
      ),
    );
    expect(judge(odd)).toBe('signature_invalid');
  });
});
