/** What ties a token to a request: a challenge that was issued for it, or the request itself. */

import type { Json } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import { sha256 } from './app-attest.ts';

/**
 * What a token may be bound to when the app was given no challenge: of each call what it is about. No
 * two calls have the same fields, so a token for one is bound to no other.
 */
export type BoundRequest =
  /** A create; ids in their order. */
  | { readonly game: string; readonly matchType: string; readonly players: readonly string[] }
  /** A join; the code as sessions show it. */
  | { readonly game: string; readonly player: string; readonly roomCode: string }
  /** An add to a ticket. */
  | { readonly game: string; readonly player: string; readonly ticket: string }
  /** A lobby token. */
  | { readonly player: string };

/** SHA-256 of the request's canonical JSON: its fields in alphabetical order. */
export function requestDigest(bound: BoundRequest): Buffer {
  return sha256(canonicalJson(bound as Json));
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
