/**
 * Apple's steps for App Attest: "Validating apps that connect to your server" and the "Attestation
 * Object Validation Guide" of 2026. Nothing here waits, stores or throws.
 */

import { Buffer } from 'node:buffer';
import {
  createPublicKey,
  hash,
  type KeyObject,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto';
import type { IosRefusal } from '../../integrity/ios.ts';
import type { AttestedData, Extensions } from './authenticator-data.ts';
import { readAttestedData, readAuthenticatorData } from './authenticator-data.ts';
import { findExtension } from './der.ts';
import { hasExactly, isBytes, readCborMap } from './strict-cbor.ts';

/** 1.2.840.113635.100.8.2: where the leaf certificate has the nonce. */
const NONCE_OID = Buffer.from('2a864886f763640802', 'hex');
/** A SubjectPublicKeyInfo of a P-256 key, up to its point. */
const P256_SPKI = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');
const POINT_BYTES = 65;
const AAGUIDS = {
  production: Buffer.from('appattest\0\0\0\0\0\0\0'),
  development: Buffer.from('appattestdevelop'),
} as const;
/** Category 0 of the extensions: the system itself says that the app is not valid. */
const CATEGORY_INVALID = 0;

export type AppAttestEnvironment = keyof typeof AAGUIDS;

export interface AttestationExpectation {
  readonly roots: readonly X509Certificate[];
  readonly appId: string;
  readonly environments: readonly AppAttestEnvironment[];
  /** What the app signed over; 32 bytes, except in Apple's own samples. */
  readonly clientDataHash: Uint8Array;
  /** ms since 1970. */
  readonly now: number;
}

/** A key that Apple attests to be an app's, on a device of Apple's. */
export interface AttestedProof {
  /** Base64. */
  readonly keyId: string;
  /** The uncompressed point, base64. */
  readonly publicKey: string;
  readonly environment: AppAttestEnvironment;
  readonly extensions: Extensions;
}

export type Proof<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly reason: IosRefusal };

const refuse = (reason: IosRefusal) => ({ ok: false, reason }) as const;

/** Trusted roots from PEM text; throws when there is none or one is no authority. */
export function readRoots(pem: string): readonly X509Certificate[] {
  const texts = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const roots = texts.map((text) => new X509Certificate(text));
  if (roots.length === 0) throw new Error('no certificate in it');
  if (!roots.every(({ ca }) => ca)) throw new Error('a certificate that is no authority');
  return roots;
}

// ── attestation ────────────────────────────────────────────────────────────────────────────────

/** Steps 1 to 9, and 10 and 11 of iOS 27. A key is attested once: the caller keeps which ones. */
export function verifyAttestation(
  attestation: Uint8Array,
  expected: AttestationExpectation,
): Proof<AttestedProof> {
  const parts = readAttestation(attestation);
  if (parts === null) return refuse('malformed_token');
  const { chain, authData, data } = parts;
  const chainFault = findChainFault(chain, expected);
  if (chainFault !== null) return refuse(chainFault);
  const nonce = nonceOf(authData, expected.clientDataHash);
  if (!isSame(readNonce(chain.leaf), nonce)) return refuse('nonce_mismatch');
  const point = pointOf(chain.leaf.publicKey);
  if (point === null || !isSame(sha256(point), data.keyId)) return refuse('key_mismatch');
  if (!isSame(coseOf(point), data.cose)) return refuse('key_mismatch');
  return judgeAttested(data, point, expected);
}

/** What the certificate's nonce has made certain, checked against what was expected. */
function judgeAttested(
  data: AttestedData,
  point: Uint8Array,
  { appId, environments }: AttestationExpectation,
): Proof<AttestedProof> {
  if (!isSame(sha256(appId), data.rpIdHash)) return refuse('app_id_mismatch');
  if (data.counter !== 0) return refuse('counter_not_zero');
  const environment = (['production', 'development'] as const).find((name) =>
    isSame(AAGUIDS[name], data.aaguid),
  );
  if (environment === undefined || !environments.includes(environment)) {
    return refuse('environment_not_allowed');
  }
  const { extensions } = data;
  if (extensions.validationCategory === CATEGORY_INVALID) return refuse('category_invalid');
  const keyId = Buffer.from(data.keyId).toString('base64');
  return { ok: true, keyId, publicKey: toBase64(point), environment, extensions };
}

interface Chain {
  readonly leaf: X509Certificate;
  readonly intermediate: X509Certificate;
}

function readAttestation(bytes: Uint8Array) {
  const outer = readCborMap(bytes);
  if (outer === null || !hasExactly(outer, ['fmt', 'attStmt', 'authData'])) return null;
  const statement = outer.get('attStmt');
  const authData = outer.get('authData');
  if (outer.get('fmt') !== 'apple-appattest' || !isBytes(authData)) return null;
  if (!(statement instanceof Map) || !hasExactly(statement, ['x5c', 'receipt'])) return null;
  if (!isBytes(statement.get('receipt'))) return null;
  const chain = readChain(statement.get('x5c'));
  const data = readAttestedData(authData);
  return chain === null || data === null ? null : { chain, authData, data };
}

function readChain(x5c: unknown): Chain | null {
  if (!Array.isArray(x5c) || x5c.length !== 2) return null;
  const [leaf, intermediate] = x5c.map(readCertificate);
  return leaf && intermediate ? { leaf, intermediate } : null;
}

/** DER to the last byte: the parser would take PEM and what follows the certificate too. */
function readCertificate(bytes: unknown): X509Certificate | null {
  if (!isBytes(bytes)) return null;
  try {
    const certificate = new X509Certificate(bytes);
    return certificate.raw.equals(bytes) ? certificate : null;
  } catch {
    return null;
  }
}

/** The certificates sent are never trusted for being sent: only the pinned roots are. */
function findChainFault(
  { leaf, intermediate }: Chain,
  { roots, now }: AttestationExpectation,
): IosRefusal | null {
  try {
    const root = roots.find((each) => isIssuedBy(intermediate, each));
    if (root === undefined || !intermediate.ca || leaf.ca || !isIssuedBy(leaf, intermediate)) {
      return 'untrusted_chain';
    }
    return [root, intermediate, leaf].every((each) => isValidAt(each, now))
      ? null
      : 'certificate_expired';
  } catch {
    return 'untrusted_chain';
  }
}

function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

function isValidAt({ validFrom, validTo }: X509Certificate, now: number): boolean {
  return Date.parse(validFrom) <= now && now <= Date.parse(validTo);
}

/** `SEQUENCE { [1] { OCTET STRING } }`, as the extension has it. */
function readNonce({ raw }: X509Certificate): Uint8Array | null {
  const extension = findExtension(raw, NONCE_OID);
  if (extension === null) return null;
  const isIt = extension.length === 38 && Buffer.from(extension).subarray(0, 6).equals(NONCE_HEAD);
  return isIt ? extension.subarray(6) : null;
}
const NONCE_HEAD = Buffer.from('3024a1220420', 'hex');

function pointOf(key: KeyObject): Uint8Array | null {
  const spki = key.export({ type: 'spki', format: 'der' });
  const isP256 =
    spki.length === P256_SPKI.length + POINT_BYTES &&
    spki.subarray(0, P256_SPKI.length).equals(P256_SPKI);
  return isP256 ? spki.subarray(P256_SPKI.length) : null;
}

/** `{ 1: 2, 3: -7, -1: 1, -2: x, -3: y }`: the one way to write the key. */
function coseOf(point: Uint8Array): Uint8Array {
  const x = point.subarray(1, 33);
  const y = point.subarray(33);
  return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, COSE_Y, y]);
}
const COSE_Y = Buffer.from('225820', 'hex');

// ── assertion ──────────────────────────────────────────────────────────────────────────────────

export interface AssertionExpectation {
  readonly appId: string;
  /** The attested key's point, base64. */
  readonly publicKey: string;
  readonly clientDataHash: Uint8Array;
}

export interface AssertedProof {
  /** Has to be above the last one of the key: the caller raises it, atomically. */
  readonly counter: number;
  readonly extensions: Extensions;
}

/** Steps 1 to 4, 7 and 8. */
export function verifyAssertion(
  assertion: Uint8Array,
  { appId, publicKey, clientDataHash }: AssertionExpectation,
): Proof<AssertedProof> {
  const map = readCborMap(assertion);
  const signature = map?.get('signature');
  const authData = map?.get('authenticatorData');
  const isWhole = map !== null && hasExactly(map, ['signature', 'authenticatorData']);
  if (!isWhole || !isBytes(signature) || !isBytes(authData)) return refuse('malformed_token');
  const data = readAuthenticatorData(authData);
  if (data === null) return refuse('malformed_token');
  if (!isSigned(publicKey, nonceOf(authData, clientDataHash), signature)) {
    return refuse('signature_invalid');
  }
  if (!isSame(sha256(appId), data.rpIdHash)) return refuse('app_id_mismatch');
  const { counter, extensions } = data;
  if (extensions.validationCategory === CATEGORY_INVALID) return refuse('category_invalid');
  return { ok: true, counter, extensions };
}

/** The nonce is hashed once more by the signature's own algorithm. */
function isSigned(publicKey: string, nonce: Uint8Array, signature: Uint8Array): boolean {
  try {
    const der = Buffer.concat([P256_SPKI, Buffer.from(publicKey, 'base64')]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    return verify('sha256', nonce, key, signature);
  } catch {
    return false;
  }
}

// ── digests ────────────────────────────────────────────────────────────────────────────────────

export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer');
}

function nonceOf(authData: Uint8Array, clientDataHash: Uint8Array): Buffer {
  return sha256(Buffer.concat([authData, clientDataHash]));
}

function isSame(a: Uint8Array | null, b: Uint8Array): boolean {
  return a !== null && a.length === b.length && timingSafeEqual(a, b);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
