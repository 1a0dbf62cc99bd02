/** Writes the DER of certificates: only what tests of App Attest need. */

import { Buffer } from 'node:buffer';
import { type KeyObject, sign } from 'node:crypto';

/** A value with any tag around its content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  if (length < 0x100) return [0x81, length];
  return [0x82, length >> 8, length & 0xff];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
/** A positive number below 128. */
const small = (value: number): Buffer => der(0x02, Buffer.from([value]));
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
/** From its bytes in hex. */
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));

const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';
const ECDSA_SHA256 = '2a8648ce3d040302';

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text)))));
}

/** UTCTime: years 1950 to 2049. */
function timeOf(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

export interface CertificateWish {
  readonly subject: string;
  readonly issuer: string;
  readonly publicKey: KeyObject;
  /** Of the issuer. */
  readonly signedBy: KeyObject;
  readonly notBefore: number;
  readonly notAfter: number;
  readonly isAuthority: boolean;
  /** Whole extensions in addition to the basic constraints. */
  readonly extensions?: readonly Uint8Array[];
}

export function extension(oidHex: string, value: Uint8Array): Buffer {
  return sequence(oid(oidHex), octets(value));
}

/** An X.509 certificate of version 3, signed by ECDSA with SHA-256. */
export function makeCertificate(wish: CertificateWish): Buffer {
  const algorithm = sequence(oid(ECDSA_SHA256));
  const constraints = sequence(
    oid(BASIC_CONSTRAINTS),
    boolean(true),
    octets(wish.isAuthority ? sequence(boolean(true)) : sequence()),
  );
  const body = sequence(
    der(0xa0, small(2)),
    small(1),
    algorithm,
    nameOf(wish.issuer),
    sequence(timeOf(wish.notBefore), timeOf(wish.notAfter)),
    nameOf(wish.subject),
    wish.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(constraints, ...(wish.extensions ?? []))),
  );
  return sequence(body, algorithm, bits(sign('sha256', body, wish.signedBy)));
}
