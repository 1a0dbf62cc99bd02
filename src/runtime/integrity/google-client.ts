/** Google's two calls: an access token for a service account (RFC 7523), and the decoding. */

import { Buffer } from 'node:buffer';
import { sign } from 'node:crypto';
import type { Reason } from '../../integrity/verdict.ts';
import type { Clock } from '../ports.ts';
import { CHECK_MS, openDeadline } from './deadline.ts';
import type { GoogleAccount } from './google-accounts.ts';

const SCOPE = 'https://www.googleapis.com/auth/playintegrity';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
/** The requested lifetime, which is the longest that Google allows. */
const GRANT_S = 3_600;
/** A token is renewed this long before it expires, ms. */
const RENEW_MS = 60_000;
/** An answer has a few hundred bytes; nothing beyond this is read. */
const ANSWER_BYTES_MAX = 64 * 1_024;

export interface GoogleAddresses {
  /** Also the audience of the grant. */
  readonly tokenUrl: string;
  /** Without a slash at its end. */
  readonly playIntegrityUrl: string;
}

/** Why Google gave no usable answer. */
export type GoogleRefusal = Extract<Reason, `provider_${string}` | 'token_undecodable'>;

export type GoogleAnswer =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly reason: GoogleRefusal };

export interface GoogleClient {
  /** An access token of the account, cached while it is valid; concurrent callers share one request. */
  authorize(account: GoogleAccount): Promise<Authorization>;
  /** Google answers truthfully only once: never called twice for one token. */
  decode(
    account: GoogleAccount,
    access: string,
    app: { readonly packageName: string; readonly token: string },
    signal: AbortSignal,
  ): Promise<GoogleAnswer>;
}

export type Authorization =
  | { readonly ok: true; readonly access: string }
  | { readonly ok: false; readonly reason: GoogleRefusal };

interface Access {
  readonly access: string;
  readonly renewAt: number;
}

export function makeGoogleClient(addresses: GoogleAddresses, clock: Clock): GoogleClient {
  const known = new Map<string, Access>();
  const underWay = new Map<string, Promise<Authorization>>();
  /** One request for all callers: it has its own time limit, not the first caller's. */
  const grant = (account: GoogleAccount): Promise<Authorization> => {
    const running = underWay.get(account.id);
    if (running !== undefined) return running;
    const deadline = openDeadline(clock, CHECK_MS);
    const started = requestAccess(addresses.tokenUrl, account, clock, deadline.signal)
      .then((granted) => {
        if (granted.ok) known.set(account.id, granted);
        return granted;
      })
      .finally(() => {
        deadline.close();
        underWay.delete(account.id);
      });
    underWay.set(account.id, started);
    return started;
  };
  return {
    async authorize(account) {
      const found = known.get(account.id);
      if (found !== undefined && clock.now() < found.renewAt) {
        return { ok: true, access: found.access };
      }
      return grant(account);
    },
    async decode(account, access, { packageName, token }, signal) {
      const url = `${addresses.playIntegrityUrl}/v1/${packageName}:decodeIntegrityToken`;
      const headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ integrityToken: token });
      const { status, json } = await post(url, headers, body, signal);
      if (status === 200) return { ok: true, body: json };
      if (status === 401) known.delete(account.id);
      return { ok: false, reason: refusalOf(status, json) };
    },
  };
}

type Granted =
  | ({ readonly ok: true } & Access)
  | { readonly ok: false; readonly reason: GoogleRefusal };

async function requestAccess(
  tokenUrl: string,
  account: GoogleAccount,
  clock: Clock,
  signal: AbortSignal,
): Promise<Granted> {
  const assertion = makeGrant(account, tokenUrl, Math.floor(clock.now() / 1_000));
  const body = new URLSearchParams({ grant_type: GRANT, assertion }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status, json } = await post(tokenUrl, headers, body, signal);
  if (status === 400 || status === 401 || status === 403) {
    return { ok: false, reason: 'provider_auth' };
  }
  if (status !== 200) return { ok: false, reason: refusalOf(status, json) };
  const { access_token, expires_in, token_type } = Object(json) as Record<string, unknown>;
  const isToken = typeof access_token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(access_token);
  const isBearer = typeof token_type === 'string' && token_type.toLowerCase() === 'bearer';
  if (!isToken || !isBearer || typeof expires_in !== 'number' || !(expires_in > 0)) {
    return { ok: false, reason: 'provider_bad_response' };
  }
  const lifeMs = Math.min(expires_in, GRANT_S) * 1_000;
  return { ok: true, access: access_token, renewAt: clock.now() + lifeMs - RENEW_MS };
}

/** A JWT, signed by the account's key: `now` in seconds. */
function makeGrant({ email, keyId, key }: GoogleAccount, audience: string, now: number): string {
  const header = { alg: 'RS256', typ: 'JWT', kid: keyId };
  const claims = { iss: email, scope: SCOPE, aud: audience, iat: now, exp: now + GRANT_S };
  const signed = [header, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

interface Posted {
  /** 0 when there was no complete answer. */
  readonly status: number;
  /** Undefined for invalid JSON. */
  readonly json: unknown;
}

/** Never rejects. A redirect is an error: the service is at these addresses only. */
async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      signal,
      redirect: 'manual',
    });
    return { status: response.status, json: parseOrUndefined(await readText(response)) };
  } catch {
    return { status: 0, json: undefined };
  }
}

/** The body, or nothing when it is too large. */
async function readText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (response.body === null) return '';
  for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) {
    size += part.length;
    if (size > ANSWER_BYTES_MAX) return ''; // Leaving the loop cancels the rest.
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const STATUS_REASONS: ReadonlyMap<number, GoogleRefusal> = new Map([
  [400, 'token_undecodable'],
  [401, 'provider_auth'],
  [403, 'provider_forbidden'],
  [404, 'provider_not_found'],
  [429, 'provider_quota'],
]);

function refusalOf(status: number, json: unknown): GoogleRefusal {
  if (status === 400 && /app is not found/i.test(messageOf(json))) return 'provider_rejected_app';
  return STATUS_REASONS.get(status) ?? 'provider_unavailable';
}

function messageOf(json: unknown): string {
  const { error } = Object(json) as { readonly error?: { readonly message?: unknown } | null };
  const message = error?.message;
  return typeof message === 'string' ? message : '';
}
