/** Webhooks by Standard Webhooks 1.0: is it ours, is it fresh, and what does it say (rule E2). */

import type { MatchdEvent } from '../generated/events.ts';
import { MatchdError } from './error.ts';

/** What `webhooks.test` sends. It is in no log. */
export interface WebhookTestEvent {
  readonly id: string;
  readonly type: 'webhook.test';
  readonly mode: 'live' | 'test';
  readonly timestamp: string;
  readonly data: { readonly webhookId: string };
}
export type WebhookEvent = MatchdEvent | WebhookTestEvent;

/** As a request has them: `Headers`, or an object with names in lower case as Node's are. */
export type HeadersLike =
  | Pick<Headers, 'get'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface WebhookDelivery {
  /** `whsec_…`; several while you change from one to another. */
  readonly secret: string | readonly string[];
  readonly headers: HeadersLike;
  /** Exactly as it arrived: a parsed and printed body has another signature. */
  readonly body: string | Uint8Array;
  /** How old, or how far from the future, it may be. Seconds; 300 unless given. */
  readonly toleranceS?: number | undefined;
}

const TOLERANCE_S = 300;
const SECRET_PREFIX = 'whsec_';
/** A rotation needs two; more would only be work for the verifier. */
const SIGNATURES_MAX = 8;
const HMAC = { name: 'HMAC', hash: 'SHA-256' };

/** The event, when the delivery is signed with one of the secrets and is fresh; throws otherwise. */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookEvent> {
  const { headers, body, toleranceS = TOLERANCE_S } = delivery;
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('body has to be the text or the bytes of the request, not what was parsed');
  }
  const id = readHeader(headers, 'webhook-id');
  const timestamp = readHeader(headers, 'webhook-timestamp');
  const signatures = readHeader(headers, 'webhook-signature').split(' ').slice(0, SIGNATURES_MAX);
  if (!/^\d{1,15}$/.test(timestamp)) throw refuse('webhook-timestamp is no time');
  const content = makeContent(id, timestamp, body);
  if (!(await isSigned(secretsOf(delivery.secret), signatures, content))) {
    throw refuse('The webhook is not signed with this secret');
  }
  // After the signature: the age of an unsigned message is not reported.
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > toleranceS) {
    throw new MatchdError('The webhook is too old, or from the future', {
      code: 'webhook_too_old',
    });
  }
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
}

/** The three headers that a delivery has, for tests of your own handler. */
export async function signWebhook(message: {
  readonly secret: string;
  readonly id: string;
  readonly body: string;
  /** Now, unless given. */
  readonly at?: Date;
}): Promise<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const { secret, id, body, at = new Date() } = message;
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`;
  const subtle = await findSubtle();
  const key = await importKey(subtle, secret, 'sign');
  const digest = await subtle.sign('HMAC', key, makeContent(id, timestamp, body));
  const signature = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}

function refuse(message: string): MatchdError {
  return new MatchdError(message, { code: 'webhook_signature' });
}

function readHeader(headers: HeadersLike, name: string): string {
  const value = typeof headers['get'] === 'function' ? headers.get(name) : lookUp(headers, name);
  if (typeof value !== 'string' || value === '') throw refuse(`The header ${name} is missing`);
  return value;
}

function lookUp(headers: object, name: string): unknown {
  const value = (headers as Readonly<Record<string, unknown>>)[name];
  return Array.isArray(value) ? value[0] : value;
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((each) => !each)) {
    throw new TypeError('secret is required: whsec_…, as it was shown when the webhook was made');
  }
  return secrets;
}

/** `id.timestamp.body` in bytes. */
function makeContent(
  id: string,
  timestamp: string,
  body: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const tail = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const content = new Uint8Array(head.length + tail.length);
  content.set(head);
  content.set(tail, head.length);
  return content;
}

/** `verify` of WebCrypto compares in constant time. */
async function isSigned(
  secrets: readonly string[],
  signatures: readonly string[],
  content: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const subtle = await findSubtle();
  for (const secret of secrets) {
    const key = await importKey(subtle, secret, 'verify');
    for (const signature of signatures) {
      const [version, text = ''] = signature.split(',');
      const bytes = version === 'v1' ? parseBase64(text) : null;
      if (bytes !== null && (await subtle.verify('HMAC', key, bytes, content))) return true;
    }
  }
  return false;
}

function importKey(
  subtle: SubtleCrypto,
  secret: string,
  usage: 'sign' | 'verify',
): Promise<CryptoKey> {
  const bytes = parseBase64(
    secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret,
  );
  if (bytes === null || bytes.length === 0) throw new TypeError('secret is not whsec_ and base64');
  return subtle.importKey('raw', bytes, HMAC, false, [usage]);
}

function parseBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Node 18 has WebCrypto in a module; named so that no bundler looks for it. */
async function findSubtle(): Promise<SubtleCrypto> {
  const found = globalThis.crypto?.subtle;
  if (found !== undefined) return found;
  const name = 'node:crypto';
  const { webcrypto } = (await import(name)) as { readonly webcrypto: Crypto };
  return webcrypto.subtle;
}
