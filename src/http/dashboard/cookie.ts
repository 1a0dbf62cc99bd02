/** The session's cookie (rule D3): what it is called, how it is set, read and taken away. */

import { SESSION_LIFE_MS } from '../../accounts/account.ts';

export interface SessionCookie {
  /** The token that a request brings; null for none. */
  read(request: Request): string | null;
  /** `Set-Cookie` that keeps a token, or takes it away. */
  set(token: string): string;
  clear(): string;
}

const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict';
const TOKEN = /^[\w-]{20,64}$/;

/**
 * Over https `__Host-matchd`: set by this very host alone, never over http, for no other path or
 * domain. Over http, which is development, browsers refuse that name; the port stands in the other,
 * as cookies of one host are one for all its ports.
 */
export function makeSessionCookie(publicUrl: string): SessionCookie {
  const { protocol, port } = new URL(publicUrl);
  const isSecure = protocol === 'https:';
  const name = isSecure ? '__Host-matchd' : `matchd-${port || '80'}`;
  const attributes = isSecure ? `${ATTRIBUTES}; Secure` : ATTRIBUTES;
  return {
    read(request) {
      for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
        const [key, value = ''] = pair.trim().split('=');
        if (key === name && TOKEN.test(value)) return value;
      }
      return null;
    },
    set: (token) => `${name}=${token}; ${attributes}; Max-Age=${SESSION_LIFE_MS / 1_000}`,
    clear: () => `${name}=; ${attributes}; Max-Age=0`,
  };
}
