/** The installation's signatures: Ed25519, so that anybody with the public key can verify them. */

import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  sign,
  verify,
} from 'node:crypto';

/** The purposes of signatures. A signature for one purpose is invalid for another. */
export type SigningPurpose = 'session-seal' | 'replay' | 'audit-head';

/** A public key as a JWK (RFC 8037). */
export interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  /** The key's 32 bytes in base64url. */
  readonly x: string;
  /** The key's RFC 7638 thumbprint. */
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
}

export interface Signature {
  /** The `kid` of the public key that checks it. */
  readonly keyId: string;
  readonly algorithm: 'Ed25519';
  /** 64 bytes in base64url, over `signedBytes`. */
  readonly value: string;
}

export type SignatureCheck = 'valid' | 'invalid' | 'unknown_key';

export interface Signer {
  /** The key that signs. */
  readonly keyId: string;
  sign(purpose: SigningPurpose, text: string): Signature;
  /** With any of the public keys. */
  check(purpose: SigningPurpose, text: string, signature: Signature): SignatureCheck;
  /**
   * HMAC-SHA256 in base64url with a secret that belongs to a key: identifies a text without revealing it. Null
   * when the key is unknown.
   */
  mark(keyId: string, text: string): string | null;
  /** The signing key first, then older keys. */
  readonly publicKeys: readonly PublicKey[];
}

/**
 * Derives one key pair from each sealing key: the first signs, all verify. All nodes of a store have the same
 * sealing keys, so their signatures agree. A sealing key always gives the same pair.
 */
export function makeSigner(sealingKeys: readonly Uint8Array[]): Signer {
  const pairs = sealingKeys.map(makePair);
  const [first] = pairs;
  if (first === undefined) throw new Error('a signer without a key');
  const publicKeys = pairs.map((pair) => pair.publicKey);
  return {
    keyId: first.publicKey.kid,
    sign: (purpose, text) => ({
      keyId: first.publicKey.kid,
      algorithm: 'Ed25519',
      value: sign(null, signedBytes(purpose, text), first.privateKey).toString('base64url'),
    }),
    check: (purpose, text, signature) => checkSignature(publicKeys, purpose, text, signature),
    mark(keyId, text) {
      const pair = pairs.find(({ publicKey }) => publicKey.kid === keyId);
      return pair === undefined
        ? null
        : createHmac('sha256', pair.markSecret).update(text).digest('base64url');
    },
    publicKeys,
  };
}

/** Needs public keys only. Never throws. */
export function checkSignature(
  keys: readonly PublicKey[],
  purpose: SigningPurpose,
  text: string,
  { keyId, algorithm, value }: Signature,
): SignatureCheck {
  const key = keys.find(({ kid }) => kid === keyId);
  if (key === undefined) return 'unknown_key';
  const bytes = Buffer.from(value, 'base64url');
  // A second encoding of a signature would be an unnoticed change.
  if (algorithm !== 'Ed25519' || bytes.toString('base64url') !== value) return 'invalid';
  const { kty, crv, x } = key;
  const publicKey = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  return verify(null, signedBytes(purpose, text), publicKey, bytes) ? 'valid' : 'invalid';
}

/** What a signature covers: `matchd <purpose>`, a line feed and the text, in UTF-8. */
export function signedBytes(purpose: SigningPurpose, text: string): Uint8Array {
  return Buffer.from(`matchd ${purpose}\n${text}`);
}

/** The Ed25519 keys of a JWK set as JSON; others are skipped. Null when there is none. */
export function parsePublicKeys(text: string): readonly PublicKey[] | null {
  try {
    const { keys } = JSON.parse(text) as { readonly keys: readonly unknown[] };
    const found = keys.flatMap((each) => readPublicKey(each) ?? []);
    return found.length === 0 ? null : found;
  } catch {
    return null;
  }
}

/** Null for another kind of key, or one with the wrong `kid`. */
export function readPublicKey(value: unknown): PublicKey | null {
  if (typeof value !== 'object' || value === null) return null;
  const { kty, crv, x, kid } = value as Record<string, unknown>;
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string') return null;
  const bytes = Buffer.from(x, 'base64url');
  if (bytes.length !== KEY_BYTES || bytes.toString('base64url') !== x) return null;
  const key = makePublicKey(x);
  return kid === undefined || kid === key.kid ? key : null;
}

const KEY_BYTES = 32;
/** Binds each derived key to its use: the sealing key itself only ever encrypts. */
const SIGNING = 'matchd Ed25519 signing key 1';
const MARKS = 'matchd marks 1';
/** An Ed25519 private key in PKCS #8 (RFC 8410), before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');

function makePair(sealingKey: Uint8Array) {
  const derive = (use: string) => Buffer.from(hkdfSync('sha256', sealingKey, '', use, KEY_BYTES));
  const key = Buffer.concat([PKCS8_HEAD, derive(SIGNING)]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' });
  return { privateKey, publicKey: makePublicKey(x!), markSecret: derive(MARKS) };
}

function makePublicKey(x: string): PublicKey {
  // RFC 7638: the required members, in this order, without white space.
  const text = JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x });
  const kid = createHash('sha256').update(text).digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, kid, use: 'sig', alg: 'EdDSA' };
}
