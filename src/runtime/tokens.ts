/** Player tokens: compact JWTs with one algorithm, HS256 (rule P2). Made by hand: see decision 0004. */

import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Mode } from '../match/record.ts';
import type { SigningSecret } from '../store/store.ts';

/** What a token opens. */
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
   * The key that issued it: its origins are those of the socket. For one that was made in the
   * dashboard, the member who made it. Null for the service's own.
   */
  readonly key: string | null;
  /** When it stops opening sockets, seconds since 1970. A resume token ends with its session. */
  readonly exp: number;
}

/** How long a token opens sockets, in seconds. */
export const TOKEN_LIFE_S = 300;
/** A bot's token opens its stream and its actions for so long, in seconds: programs run for long. */
export const BOT_TOKEN_LIFE_S = 24 * 60 * 60;
/** A resume token outlives its session by so much, in milliseconds. */
export const RESUME_AFTER_END_MS = 600_000;
/** Nobody comes back after this long: the longest turn and the longest pending time together. */
export const RESUME_LIFE_S = 15 * 24 * 60 * 60;

export interface Tokens {
  make(claims: TokenClaims): string;
  /** A device's challenge: always the same of one seed, and nobody else makes it of that. Base64url. */
  challenge(seed: string): string;
  /** Stands for a network that a key comes from: nobody else makes it, and it tells neither. Base64url. */
  networkMark(key: string, network: string): string;
  /** The claims of a token of ours that has not expired; null for everything else. */
  parse(token: string, now: number): TokenClaims | null;
}

/** Longest token that is looked at. */
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
    // No token's text begins like these.
    challenge: (seed) => sign(`challenge ${seed}`).toString('base64url'),
    networkMark: (key, network) => sign(`network ${key} ${network}`).toString('base64url'),
    parse(token, now) {
      if (token.length > TOKEN_CHARS_MAX) return null;
      const [head, body, signature, ...rest] = token.split('.');
      // The header is compared, not read: no token chooses its own algorithm.
      if (head !== header || body === undefined || signature === undefined || rest.length > 0) {
        return null;
      }
      // As texts: one signature has several spellings, and only ours is good.
      const given = Buffer.from(signature);
      const wanted = Buffer.from(sign(`${head}.${body}`).toString('base64url'));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
      return SCOPES.includes(claims.scope) && claims.exp * 1_000 > now ? claims : null;
    },
  };
}
