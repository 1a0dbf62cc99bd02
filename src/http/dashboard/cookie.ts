/** The dashboard's cookies (rules D2, D3): what they are called, how they are set, read, taken away. */

import { SESSION_LIFE_MS } from '../../accounts/account.ts';
import { DEVICE_LIFE_MS } from '../../runtime/accounts/devices.ts';
import { CHALLENGE_MS } from '../../runtime/accounts/webauthn.ts';

export interface Cookie {
  /** The text that a request brings; null for none. */
  read(request: Request): string | null;
  /** `Set-Cookie` that keeps a text, or takes it away. */
  set(text: string): string;
  clear(): string;
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
const TEXT = /^[\w-]{20,200}$/;

/** All that the dashboard's pages are given. */
export interface DashboardCookies {
  readonly session: Cookie;
  readonly device: Cookie;
  readonly challenge: Cookie;
}

export function makeDashboardCookies(publicUrl: string): DashboardCookies {
  return {
    session: makeSessionCookie(publicUrl),
    device: makeDeviceCookie(publicUrl),
    challenge: makeCookie(publicUrl, '-passkey', CHALLENGE_MS),
  };
}

/** Who is signed in. */
export const makeSessionCookie = (publicUrl: string): Cookie =>
  makeCookie(publicUrl, '', SESSION_LIFE_MS);

/** That somebody was signed in here: it outlives the session and opens nothing. */
const makeDeviceCookie = (publicUrl: string): Cookie =>
  makeCookie(publicUrl, '-device', DEVICE_LIFE_MS);

/**
 * Over https `__Host-matchd`: set by this very host alone, never over http, for no other path or
 * domain. Over http, which is development, browsers refuse that name; the port stands in the other,
 * as cookies of one host are one for all its ports.
 */
function makeCookie(publicUrl: string, ending: string, lifeMs: number): Cookie {
  const { protocol, port } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = `${isSecure ? '__Host-matchd' : `matchd-${port || '80'}`}${ending}`;
  const attributes = isSecure ? `${ATTRIBUTES}; Secure` : ATTRIBUTES;
  return {
    read(request) {
      for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
        const [key, value = ''] = pair.trim().split('=');
        if (key === name && TEXT.test(value)) return value;
      }
      return null;
    },
    set: (text) => `${name}=${text}; ${attributes}; Max-Age=${lifeMs / 1_000}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
