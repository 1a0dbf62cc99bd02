/** App Attest with a test root: the authority, devices with keys, and errors on demand. */

import { Buffer } from 'node:buffer';
import { generateKeyPairSync, hash, type KeyObject, sign } from 'node:crypto';
import { encode } from 'cborg';
import { der, extension, makeCertificate, octets, sequence } from './der-writer.ts';

const DAY_MS = 24 * 60 * 60_000;
const NONCE_OID = '2a864886f763640802';

interface Keys {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const makeKeys = (namedCurve = 'P-256'): Keys => generateKeyPairSync('ec', { namedCurve });
const sha256 = (bytes: Uint8Array | string): Buffer => hash('sha256', bytes, 'buffer');

/** How an attestation may deviate; by default it is valid. */
export interface AttestationWish {
  readonly clientDataHash: Uint8Array;
  readonly appId: string;
  readonly environment?: string;
  readonly counter?: number;
  readonly keyId?: Uint8Array;
  /** The stated length of the id. */
  readonly keyIdBytes?: number;
  readonly cose?: Uint8Array;
  /** Bytes after the key: CBOR of extensions, or anything. */
  readonly tail?: Uint8Array;
  /** The whole value of the certificate extension; null leaves it out. */
  readonly nonceValue?: ((nonce: Uint8Array) => Uint8Array) | null;
  readonly notBefore?: number;
  readonly notAfter?: number;
  readonly leafIsAuthority?: boolean;
  /** Changes what is encoded at the end. */
  readonly reshape?: (statement: Map<string, unknown>, authData: Buffer) => unknown;
}

export interface AssertionWish {
  readonly clientDataHash: Uint8Array;
  readonly appId: string;
  readonly counter: number;
  readonly flags?: number;
  readonly tail?: Uint8Array;
}

/** One app on one device: its key, and what the system signs with it. */
export interface AttestDevice {
  readonly keyId: Buffer;
  /** The uncompressed point. */
  readonly point: Buffer;
  attest(wish: AttestationWish): Buffer;
  assert(wish: AssertionWish): Buffer;
}

export interface AttestAuthority {
  readonly rootPem: string;
  makeDevice(): AttestDevice;
}

export interface AuthorityWish {
  /** In the middle of the certificates' validity. */
  readonly now: number;
  readonly intermediateIsAuthority?: boolean;
  readonly intermediateNotAfter?: number;
}

export function makeAttestAuthority(wish: AuthorityWish): AttestAuthority {
  const rootKeys = makeKeys('P-384');
  const middleKeys = makeKeys('P-384');
  const years = { notBefore: wish.now - 1_000 * DAY_MS, notAfter: wish.now + 1_000 * DAY_MS };
  const byRoot = { issuer: 'Test Root', signedBy: rootKeys.privateKey, ...years };
  const root = makeCertificate({
    ...byRoot,
    subject: 'Test Root',
    publicKey: rootKeys.publicKey,
    isAuthority: true,
  });
  const intermediate = makeCertificate({
    ...byRoot,
    subject: 'Test CA 1',
    publicKey: middleKeys.publicKey,
    isAuthority: wish.intermediateIsAuthority ?? true,
    notAfter: wish.intermediateNotAfter ?? years.notAfter,
  });
  const issue: Issue = (publicKey, nonce, { notBefore, notAfter, leafIsAuthority, nonceValue }) =>
    makeCertificate({
      subject: 'leaf',
      issuer: 'Test CA 1',
      publicKey,
      signedBy: middleKeys.privateKey,
      notBefore: notBefore ?? wish.now - DAY_MS,
      notAfter: notAfter ?? wish.now + 2 * DAY_MS,
      isAuthority: leafIsAuthority ?? false,
      extensions:
        nonceValue === null ? [] : [extension(NONCE_OID, (nonceValue ?? nonceExtension)(nonce))],
    });
  return {
    rootPem: `-----BEGIN CERTIFICATE-----\n${root.toString('base64')}\n-----END CERTIFICATE-----\n`,
    makeDevice: () => makeDevice(issue, intermediate),
  };
}

type Issue = (publicKey: KeyObject, nonce: Uint8Array, wish: AttestationWish) => Buffer;

export function nonceExtension(nonce: Uint8Array): Buffer {
  return sequence(der(0xa1, octets(nonce)));
}

/** A key as App Attest's CBOR. */
export function coseOf(point: Uint8Array): Buffer {
  const key = new Map<number, unknown>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point.subarray(1, 33)],
    [-3, point.subarray(33)],
  ]);
  return Buffer.from(encode(key));
}

function makeDevice(issue: Issue, intermediate: Buffer): AttestDevice {
  const { publicKey, privateKey } = makeKeys();
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  const keyId = sha256(point);
  return {
    keyId,
    point,
    attest(wish) {
      const authData = Buffer.concat([
        headOf(wish.appId, 0x40, wish.counter ?? 0),
        Buffer.from((wish.environment ?? 'appattest').padEnd(16, '\0')),
        Buffer.from([0, wish.keyIdBytes ?? 32]),
        wish.keyId ?? keyId,
        wish.cose ?? coseOf(point),
        wish.tail ?? Buffer.alloc(0),
      ]);
      const nonce = sha256(Buffer.concat([authData, wish.clientDataHash]));
      const statement = new Map<string, unknown>([
        ['x5c', [issue(publicKey, nonce, wish), intermediate]],
        ['receipt', Buffer.from('receipt')],
      ]);
      const whole = new Map<string, unknown>([
        ['fmt', 'apple-appattest'],
        ['attStmt', statement],
        ['authData', authData],
      ]);
      return Buffer.from(encode(wish.reshape?.(statement, authData) ?? whole));
    },
    assert({ clientDataHash, appId, counter, flags = 0x40, tail = Buffer.alloc(0) }) {
      const authData = Buffer.concat([headOf(appId, flags, counter), tail]);
      const nonce = sha256(Buffer.concat([authData, clientDataHash]));
      const signature = sign('sha256', nonce, privateKey);
      return Buffer.from(
        encode(
          new Map([
            ['signature', signature],
            ['authenticatorData', authData],
          ]),
        ),
      );
    },
  };
}

function headOf(appId: string, flags: number, counter: number): Buffer {
  const head = Buffer.alloc(37);
  sha256(appId).copy(head);
  head.writeUInt8(flags, 32);
  head.writeUInt32BE(counter, 33);
  return head;
}
