/** What binds a token to a request: a challenge issued for it, or the request itself. */

import type { Json } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import { sha256 } from './app-attest.ts';

/**
 * What a token may be bound to without a challenge: the fields of the call. No two kinds of call have the same
 * fields, so a token for one does not fit another.
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

/** 32 bytes in base64url: the form of an issued challenge. */
const CHALLENGE_SHAPE = /^[A-Za-z0-9_-]{43}$/;

export function looksLikeChallenge(text: string): boolean {
  return CHALLENGE_SHAPE.test(text);
}

/** The store's name for a challenge or a token. */
export function digestOf(text: string): string {
  return sha256(text).toString('hex');
}
