/** Authenticator data as App Attest signs it, read by its structure: its flags cannot be trusted. */

import { Buffer } from 'node:buffer';
import { isBytes, readCborMap } from './strict-cbor.ts';

/** SHA-256 of the App ID, flags, counter. */
const HEAD_BYTES = 37;
/** aaguid, length of the key's id, the id. */
const CREDENTIAL_BYTES = 16 + 2 + 32;
/** An EC2 key on P-256 as COSE writes it. */
const COSE_BYTES = 77;
const ID_BYTES = 32;
/** Entries of the extensions; Apple writes two. */
const EXTENSIONS_MAX = 16;
const BUNDLE_VERSION_CHARS_MAX = 64;

const CATEGORY = 'apple_validation_category_01';
const BUNDLE_VERSION = 'apple_bundle_version_01';

export interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly counter: number;
  readonly extensions: Extensions;
}

export interface AttestedData extends AuthenticatorData {
  readonly aaguid: Uint8Array;
  readonly keyId: Uint8Array;
  /** The public key as COSE writes it. */
  readonly cose: Uint8Array;
}

/** What iOS 27 adds; absent before. */
export interface Extensions {
  readonly validationCategory?: number;
  readonly bundleVersion?: string;
}

/** Of an assertion: the head, then nothing or one map, whatever the flags say. */
export function readAuthenticatorData(bytes: Uint8Array): AuthenticatorData | null {
  if (bytes.length < HEAD_BYTES) return null;
  const extensions = readExtensions(bytes.subarray(HEAD_BYTES));
  return extensions === null ? null : { ...readHead(bytes), extensions };
}

/** Of an attestation: the head, the key, then nothing or one map. */
export function readAttestedData(bytes: Uint8Array): AttestedData | null {
  const keyAt = HEAD_BYTES + CREDENTIAL_BYTES;
  const end = keyAt + COSE_BYTES;
  if (bytes.length < end) return null;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.readUInt16BE(HEAD_BYTES + 16) !== ID_BYTES) return null;
  const extensions = readExtensions(bytes.subarray(end));
  if (extensions === null) return null;
  return {
    ...readHead(bytes),
    aaguid: bytes.subarray(HEAD_BYTES, HEAD_BYTES + 16),
    keyId: bytes.subarray(keyAt - ID_BYTES, keyAt),
    cose: bytes.subarray(keyAt, end),
    extensions,
  };
}

function readHead(bytes: Uint8Array) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { rpIdHash: bytes.subarray(0, 32), counter: view.readUInt32BE(33) };
}

function readExtensions(bytes: Uint8Array): Extensions | null {
  if (bytes.length === 0) return {};
  const map = readCborMap(bytes);
  if (map === null || map.size > EXTENSIONS_MAX) return null;
  const category = map.get(CATEGORY);
  const version = map.get(BUNDLE_VERSION);
  if (map.has(CATEGORY) && !(isBytes(category) && category.length === 4)) return null;
  if (map.has(BUNDLE_VERSION) && typeof version !== 'string') return null;
  return {
    ...(isBytes(category) ? { validationCategory: Buffer.from(category).readUInt32LE(0) } : null),
    ...(typeof version === 'string'
      ? { bundleVersion: version.slice(0, BUNDLE_VERSION_CHARS_MAX) }
      : null),
  };
}
