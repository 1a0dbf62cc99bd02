/** Player tokens: compact JWTs with one algorithm, HS256 (rule P2). Made by hand: see decision 0004. */

import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../../match/record.ts';
import type { SigningSecret } from '../../store/store.ts';

/** What a token grants. */
export type TokenScope = 'session' | 'lobby' | 'watch' | 'resume' | 'bot';

export interface TokenClaims {
  readonly scope: TokenScope;
  readonly tenant: string;
  readonly mode: Mode;
  /** The player's id; null for watchers. */
  readonly player: string | null;
  /** The session it is for; null for lobbies. */
  readonly session: string | null;
  /**
   * The key that issued it: its origins apply to the socket. For a token made in the dashboard, the member who
   * made it. Null for the service's own.
   */
  readonly key: string | null;
  /** When it stops opening sockets, seconds since 1970. A resume token ends with its session. */
  readonly exp: number;
}

/** How long a token opens sockets, in seconds. */
export const TOKEN_LIFE_S = 300;
/** How long a token of a bot opens its stream and its actions, in seconds: programs run for long. */
export const BOT_TOKEN_LIFE_S = 24 * 60 * 60;
/** A resume token is valid this long after its session's end, in milliseconds. */
export const RESUME_AFTER_END_MS = 600_000;
/** The longest return: the longest turn and the longest pending time together. */
export const RESUME_LIFE_S = 15 * 24 * 60 * 60;

export interface Tokens {
  make(claims: TokenClaims): string;
  /** A device's challenge: determined by its seed, and only this service can make it. Base64url. */
  challenge(seed: string): string;
  /** A keyed digest of a network and a key: reveals neither. Base64url. */
  networkMark(key: string, network: string): string;
  /** The claims of a valid token of ours; null for anything else. */
  parse(token: string, now: number): TokenClaims | null;
}

/** Longest token that is parsed. */
const TOKEN_CHARS_MAX = 2_048;
const SCOPES: readonly TokenScope[] = ['session', 'lobby', 'watch', 'resume', 'bot'];

export function makeTokens({ kid, secret }: SigningSecret): Tokens {
  const header = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT', kid })).toString(
    'base64url',
  );
  const sign = (text: string): Buffer => createHmac('sha256', secret).update(text).digest();
  return {
    make(claims) {
      const text = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
      return `${text}.${sign(text).toString('base64url')}`;
    },
    // No token's text has this prefix.
    challenge: (seed) => sign(`challenge ${seed}`).toString('base64url'),
    networkMark: (key, network) => sign(`network ${key} ${network}`).toString('base64url'),
    parse(token, now) {
      if (token.length > TOKEN_CHARS_MAX) return null;
      const [head, body, signature, ...rest] = token.split('.');
      // The header is compared, not parsed: no token chooses its own algorithm.
      if (head !== header || body === undefined || signature === undefined || rest.length > 0) {
        return null;
      }
      // Compared as texts: one signature has several encodings, and only ours is valid.
      const given = Buffer.from(signature);
      const wanted = Buffer.from(sign(`${head}.${body}`).toString('base64url'));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
      return SCOPES.includes(claims.scope) && claims.exp * 1_000 > now ? claims : null;
    },
  };
}
