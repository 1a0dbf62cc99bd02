/**
 * The options of a passkey request, and the verification of the browser's response (WebAuthn, rule
 * D5a).
 */

import { Buffer } from 'node:buffer';
import type { Account, Passkey } from '../../accounts/account.ts';
import type { RelyingParty } from '../../accounts/relying-party.ts';

/** A challenge is valid for this long. Milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;
const ES256 = -7;
/** COSE's numbers of Ed25519, ES256 and RS256: what authenticators have. */
const ALGORITHMS = [-8, ES256, -257];
/** Where a COSE key says its algorithm. */
const COSE_ALGORITHM = 3;

/** `PublicKeyCredential.toJSON()` of a new credential; each text is base64url. */
export interface RegistrationAnswer {
  readonly id: string;
  readonly response: { readonly clientDataJSON: string; readonly attestationObject: string };
}

/** `PublicKeyCredential.toJSON()` of a signature; each text is base64url. */
export interface SignInAnswer {
  readonly id: string;
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle: string;
  };
}

/** What `PublicKeyCredential.parseCreationOptionsFromJSON` takes. */
export function creationOptions(
  { id }: RelyingParty,
  challenge: string,
  account: Account,
  passkeys: readonly Passkey[],
): object {
  return {
    rp: { id, name: 'matchd' },
    user: { id: handleOf(account.id), name: account.email, displayName: account.name },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ credential }) => ({ type: 'public-key', id: credential })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  };
}

/**
 * What `PublicKeyCredential.parseRequestOptionsFromJSON` takes. It names no credential, so it does not reveal
 * whether an account exists.
 */
export function requestOptions({ id }: RelyingParty, challenge: string): object {
  return {
    rpId: id,
    challenge,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
    allowCredentials: [],
  };
}

/** The new credential; null for an invalid answer. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  answer: RegistrationAnswer,
): Promise<Pick<Passkey, 'credential' | 'publicKey' | 'counter'> | null> {
  const { verifyRegistrationResponse } = await loadLibrary();
  try {
    if (isForeignFrame(answer.response.clientDataJSON)) return null;
    if (!(await isUnattested(answer.response.attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expectation(party, challenge, answer),
      supportedAlgorithmIDs: ALGORITHMS,
    });
    const made = registrationInfo?.credential;
    if (!verified || made === undefined || made.id !== answer.id) return null;
    const publicKey = Buffer.from(made.publicKey).toString('base64url');
    return { credential: made.id, publicKey, counter: made.counter };
  } catch {
    // The library throws on every invalid answer.
    return null;
  }
}

/** The authenticator's signature counter; null for an invalid answer. */
export async function verifySignIn(
  party: RelyingParty,
  challenge: string,
  passkey: Passkey,
  answer: SignInAnswer,
): Promise<number | null> {
  const { response } = answer;
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    if (isForeignFrame(response.clientDataJSON)) return null;
    if (response.userHandle !== handleOf(passkey.account)) return null;
    const publicKey = Buffer.from(passkey.publicKey, 'base64url');
    const algorithm = await algorithmOf(publicKey);
    const signature = Buffer.from(response.signature, 'base64url');
    // The library accepts several encodings of one signature.
    if (algorithm === ES256 && !isEcdsaSignature(signature)) return null;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expectation(party, challenge, answer),
      // The caller compares counters after the signature is verified: before, a counter proves nothing.
      credential: { id: passkey.credential, publicKey, counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  } catch {
    return null;
  }
}

/** What both answers are verified against, and the answer in the library's form. */
function expectation<Fields extends object>(
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
  expectedChallenge: string,
  { id, response }: { readonly id: string; readonly response: Fields },
) {
  return {
    response: {
      id,
      rawId: id,
      type: 'public-key' as const,
      response: { ...response },
      clientExtensionResults: {},
    },
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
  };
}

/** Loaded with the first passkey: most of it is certificates that nothing else needs. */
async function loadLibrary() {
  // In a bundled executable, what depends on this runs before it.
  await import('reflect-metadata');
  return import('@simplewebauthn/server');
}

async function loadHelpers() {
  await import('reflect-metadata');
  return import('@simplewebauthn/server/helpers');
}

/**
 * True for the attestation `none`, and for a key that vouches for itself. With certificates the library
 * would follow the addresses in them.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await loadHelpers();
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
  const format = decoded.get('fmt');
  if (format === 'packed') return decoded.get('attStmt').get('x5c') === undefined;
  return format === 'none';
}

async function algorithmOf(publicKey: Uint8Array<ArrayBuffer>): Promise<unknown> {
  const { decodeCredentialPublicKey } = await loadHelpers();
  return decodeCredentialPublicKey(publicKey).get(COSE_ALGORITHM);
}

/** A DER sequence of two positive integers in their shortest form: P-256 needs no longer lengths. */
function isEcdsaSignature(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
  const middle = endOfInteger(bytes, 2);
  return middle !== null && endOfInteger(bytes, middle) === bytes.length;
}

function endOfInteger(bytes: Uint8Array, start: number): number | null {
  const [tag, length = 0, first = 0, second = 0] = bytes.subarray(start, start + 4);
  const isShortest = first !== 0 || (length > 1 && second >= 0x80);
  return tag === 2 && length > 0 && first < 0x80 && isShortest ? start + 2 + length : null;
}

/** Signed inside another site's frame. Throws for invalid JSON. */
function isForeignFrame(clientDataJSON: string): boolean {
  const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
  return (data as { readonly crossOrigin?: unknown }).crossOrigin === true;
}

function handleOf(account: string): string {
  return Buffer.from(account).toString('base64url');
}
