/** Standard Webhooks 1.0: secrets, and the headers that prove who sent a body (rule E2). */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

const SECRET_PREFIX = 'whsec_';
/** Bytes of the secrets made here; the standard allows 24 to 64. */
export const SECRET_BYTES = 32;
const SECRET_BYTES_MIN = 24;
const SECRET_BYTES_MAX = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A secret's text and when it ends, ms since 1970; null while it is the one in use. */
export interface WebhookSecret {
  readonly text: string;
  readonly expiresAt: number | null;
}

/** `bytes` are unpredictable, 24 to 64 of them. */
export function makeSecret(bytes: Uint8Array): string {
  return SECRET_PREFIX + makeBase64(bytes);
}

/** The bytes of a secret; null for what is none. */
export function parseSecret(text: string): Uint8Array | null {
  const base64 = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : '';
  if (!BASE64.test(base64) || base64.length % 4 !== 0) return null;
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return bytes.length < SECRET_BYTES_MIN || bytes.length > SECRET_BYTES_MAX ? null : bytes;
}

export interface WebhookHeaders {
  readonly 'webhook-id': string;
  /** Seconds since 1970, of this attempt. */
  readonly 'webhook-timestamp': string;
  /** One `v1,<base64>` for each secret that holds, the newest first, spaces between them. */
  readonly 'webhook-signature': string;
}

/** `now` is ms since 1970. Throws when no secret holds, or when one is malformed. */
export function signWebhook(
  id: string,
  body: string,
  secrets: readonly WebhookSecret[],
  now: number,
): WebhookHeaders {
  const timestamp = String(Math.floor(now / 1_000));
  const signed = utf8ToBytes(`${id}.${timestamp}.${body}`);
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  if (valid.length === 0) throw new Error('a webhook without a secret');
  const signatures = valid.map(({ text }) => `v1,${makeBase64(hmac(sha256, keyOf(text), signed))}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function keyOf(text: string): Uint8Array {
  const key = parseSecret(text);
  if (key === null) throw new Error('a malformed webhook secret');
  return key;
}

/** The secrets after a rotation: the new one, and of the old ones the latest until the overlap ends. */
export function rotateSecrets(
  secrets: readonly WebhookSecret[],
  text: string,
  overlapUntil: number,
): readonly WebhookSecret[] {
  const current = secrets.find(({ expiresAt }) => expiresAt === null);
  const next: WebhookSecret = { text, expiresAt: null };
  return current === undefined ? [next] : [next, { text: current.text, expiresAt: overlapUntil }];
}

function makeBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
