/** The dashboard's cookies (rules D2, D3): their names, and how they are set, read and removed. */

import { SESSION_LIFE_MS } from '../../../accounts/account.ts';
import { DEVICE_LIFE_MS } from '../../../runtime/accounts/devices.ts';
import { CHALLENGE_MS } from '../../../runtime/accounts/webauthn.ts';

export interface Cookie {
  /** The text in the request's cookie; null for none. */
  read(request: Request): string | null;
  /** `Set-Cookie` that stores a text, or removes it. */
  set(text: string): string;
  clear(): string;
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
const TEXT = /^[\w-]{20,200}$/;

/** The dashboard's cookies of a request. */
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

/** The session. */
export const makeSessionCookie = (publicUrl: string): Cookie =>
  makeCookie(publicUrl, '', SESSION_LIFE_MS);

/** The device mark: it outlives the session and grants no access. */
const makeDeviceCookie = (publicUrl: string): Cookie =>
  makeCookie(publicUrl, '-device', DEVICE_LIFE_MS);

/**
 * Over https `__Host-matchd`: browsers accept it only from this host, over https, for the whole host. Over http,
 * which is development, browsers refuse that name; then the name has the port, because a host's cookies are shared
 * by all its ports.
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
