/** Parses an `integrityToken` from iOS: a bare attestation, or an envelope around a proof. */

import { Buffer } from 'node:buffer';
import type { IosRefusal } from '../../integrity/ios.ts';

const TOKEN_CHARS_MAX = 24 * 1_024;
const KEY_ID_BYTES = 32;
const CHALLENGE_CHARS_MAX = 512;
const FIELDS = ['keyId', 'attestation', 'assertion', 'challenge', 'clientData'] as const;
/** First bytes of a CBOR map of three, of a CBOR map of two, and of a JSON object. */
const [MAP_OF_3, MAP_OF_2, BRACE] = [0xa3, 0xa2, 0x7b];

export interface AppleToken {
  readonly proof: Uint8Array;
  /** Base64. An attestation names its key itself. */
  readonly keyId: string | null;
  readonly kind: 'attestation' | 'assertion';
  readonly challenge: string | null;
  readonly clientData: Uint8Array | null;
}

export type TokenReading =
  | { readonly ok: true; readonly token: AppleToken }
  | { readonly ok: false; readonly reason: IosRefusal };

const refuse = (reason: IosRefusal) => ({ ok: false, reason }) as const;

/**
 * The token's parts. It is base64 or base64url, of CBOR or of JSON; JSON may come as it is:
 * `{ keyId?, attestation | assertion, challenge?, clientData? }`.
 */
export function readAppleToken(text: string): TokenReading {
  if (text.length > TOKEN_CHARS_MAX) return refuse('token_too_large');
  if (text.startsWith('{')) return readEnvelope(text);
  const bytes = readBase64(text);
  if (bytes === null) return refuse('malformed_token');
  switch (bytes[0]) {
    case MAP_OF_3: {
      const bare = { keyId: null, challenge: null, clientData: null };
      return { ok: true, token: { proof: bytes, kind: 'attestation', ...bare } };
    }
    case MAP_OF_2:
      return refuse('key_id_missing');
    case BRACE:
      return readEnvelope(bytes.toString('utf8'));
    default:
      return refuse('malformed_token');
  }
}

function readEnvelope(text: string): TokenReading {
  const fields = readFields(text);
  if (fields === null) return refuse('malformed_token');
  const { attestation, assertion, challenge = null } = fields;
  if ((attestation === undefined) === (assertion === undefined)) return refuse('malformed_token');
  const proof = readBase64((attestation ?? assertion)!);
  const keyId = fields.keyId === undefined ? null : readKeyId(fields.keyId);
  const clientData = fields.clientData === undefined ? null : readBase64(fields.clientData);
  const isCorrupted =
    proof === null ||
    (fields.keyId !== undefined && keyId === null) ||
    (fields.clientData !== undefined && clientData === null) ||
    (challenge !== null && (challenge === '' || challenge.length > CHALLENGE_CHARS_MAX));
  if (isCorrupted) return refuse('malformed_token');
  if (assertion !== undefined && keyId === null) return refuse('key_id_missing');
  const kind = assertion === undefined ? 'attestation' : 'assertion';
  return { ok: true, token: { proof, keyId, kind, challenge, clientData } };
}

/** An object of strings with no other names; null counts as missing. */
function readFields(text: string): Partial<Record<(typeof FIELDS)[number], string>> | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  const isKnown = ([name, each]: [string, unknown]): boolean =>
    typeof each === 'string' && FIELDS.some((field) => field === name);
  return given.every(isKnown) ? Object.fromEntries(given) : null;
}

function readKeyId(text: string): string | null {
  const bytes = readBase64(text);
  return bytes?.length === KEY_ID_BYTES ? bytes.toString('base64') : null;
}

/** Either alphabet, with or without padding, and no unused bits set. */
function readBase64(text: string): Buffer | null {
  const plain = text
    .replace(/={1,2}$/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const bytes = Buffer.from(plain, 'base64');
  const isExact = bytes.length > 0 && bytes.toString('base64').replace(/={1,2}$/, '') === plain;
  return isExact ? bytes : null;
}
