/** An authenticator in software: real keys, real signatures, and every kind of wrong response. */

import { Buffer } from 'node:buffer';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { encode } from 'cborg';

export type KeyKind = 'ES256' | 'Ed25519';

/** How a response deviates from a genuine authenticator's. */
export interface Lies {
  readonly challenge?: string;
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly crossOrigin?: boolean;
  /** The flags' byte; user present 1, user verified 4, attested 64. */
  readonly flags?: number;
  readonly counter?: number;
  readonly userHandle?: string;
  /** The attestation's format and statement. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: object };
}

export interface Credential {
  readonly id: string;
  readonly kind: KeyKind;
  readonly privateKey: KeyObject;
  readonly rpId: string;
  readonly userHandle: string;
  /** Signatures so far; 0 stays 0 where `counts` is false. */
  counter: number;
}

/** The service's options, as far as this reads them. */
interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}
interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

const PRESENT = 1;
const VERIFIED = 4;
const ATTESTED = 64;

/** Creates a credential and responds like `PublicKeyCredential.toJSON()`. */
export function createCredential(
  asked: object,
  origin: string,
  { kind = 'ES256' as KeyKind, counts = false, lies = {} as Lies } = {},
) {
  const { challenge, rp, user } = asked as CreationOptions;
  const { publicKey, privateKey } =
    kind === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  const id = randomBytes(32);
  const credential: Credential = {
    id: id.toString('base64url'),
    kind,
    privateKey,
    rpId: rp.id,
    userHandle: user.id,
    counter: counts ? 1 : 0,
  };
  const flags = lies.flags ?? PRESENT | VERIFIED | ATTESTED;
  const size = Buffer.alloc(2);
  size.writeUInt16BE(id.length);
  const authData = Buffer.concat([
    headOf(lies.rpId ?? rp.id, flags, lies.counter ?? credential.counter),
    Buffer.alloc(16),
    size,
    id,
    coseOf(publicKey, kind),
  ]);
  const { fmt, attStmt } = lies.attestation ?? { fmt: 'none', attStmt: {} };
  const attestationObject = Buffer.from(encode({ fmt, attStmt, authData })).toString('base64url');
  const clientDataJSON = clientDataOf('webauthn.create', challenge, origin, lies);
  const answer = { id: credential.id, response: { clientDataJSON, attestationObject } };
  return { credential, answer };
}

/** Signs, and responds like `PublicKeyCredential.toJSON()`. */
export function signWith(
  credential: Credential,
  asked: object,
  origin: string,
  lies: Lies = {},
): SignedAnswer {
  const { challenge, rpId } = asked as RequestOptions;
  if (credential.counter > 0) credential.counter += 1;
  const counter = lies.counter ?? credential.counter;
  const authData = headOf(lies.rpId ?? rpId, lies.flags ?? PRESENT | VERIFIED, counter);
  const clientDataJSON = clientDataOf('webauthn.get', challenge, origin, lies);
  const digest = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest();
  const algorithm = credential.kind === 'ES256' ? 'sha256' : null;
  const signature = sign(algorithm, Buffer.concat([authData, digest]), credential.privateKey);
  return {
    id: credential.id,
    response: {
      clientDataJSON,
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: lies.userHandle ?? credential.userHandle,
    },
  };
}

export interface SignedAnswer {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

function headOf(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5);
  rest.writeUInt8(flags);
  rest.writeUInt32BE(counter, 1);
  return Buffer.concat([createHash('sha256').update(rpId).digest(), rest]);
}

function clientDataOf(type: string, challenge: string, origin: string, lies: Lies): string {
  const data = {
    type: lies.type ?? type,
    challenge: lies.challenge ?? challenge,
    origin: lies.origin ?? origin,
    crossOrigin: lies.crossOrigin ?? false,
  };
  return Buffer.from(JSON.stringify(data)).toString('base64url');
}

/** The key in the form of RFC 9052. */
function coseOf(publicKey: KeyObject, kind: KeyKind): Uint8Array {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const bytes = (text: string | undefined) => new Uint8Array(Buffer.from(text!, 'base64url'));
  const fields: readonly [number, number | Uint8Array][] =
    kind === 'ES256'
      ? [
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, bytes(x)],
          [-3, bytes(y)],
        ]
      : [
          [1, 1],
          [3, -8],
          [-1, 6],
          [-2, bytes(x)],
        ];
  return encode(new Map(fields));
}
