/** What ties a token to a request: a challenge that was issued for it, or the request itself. */

import type { Json } from '../../games/game.ts';
import { canonicalJson } from '../../games/json.ts';
import { sha256 } from './app-attest.ts';

/** What a token may be bound to when the app was given no challenge. */
export interface BoundRequest {
  readonly game: string;
  readonly matchType: string;
  /** Ids in their order. */
  readonly players: readonly string[];
}

/** SHA-256 of the request's canonical JSON: `{"game":…,"matchType":…,"players":[…]}`. */
export function requestDigest({ game, matchType, players }: BoundRequest): Buffer {
  return sha256(canonicalJson({ game, matchType, players: [...players] } as Json));
}

/** 32 bytes in base64url: what an issued challenge looks like. */
const CHALLENGE_SHAPE = /^[A-Za-z0-9_-]{43}$/;

export function looksLikeChallenge(text: string): boolean {
  return CHALLENGE_SHAPE.test(text);
}

/** As the store knows a challenge or a token. */
export function digestOf(text: string): string {
  return sha256(text).toString('hex');
}
