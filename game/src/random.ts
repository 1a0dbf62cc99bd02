/** Provable randomness (rule S9): every value follows from seed, entropy and a counter. */

import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Values drawn by one match, in order. Passed to a game's `apply`, which must not keep it. */
export interface Random {
  /** The next integer in 0 to `below` - 1, evenly. `below` is 1 to 2^32. */
  integer(below: number): number;
}

/** A `Random` that reports its counter, so that the next action continues from there. */
export interface CountedRandom extends Random {
  /** How many 32-bit values have been drawn since the match began. */
  readonly drawn: () => number;
}

/** A drawn value and its range: 0 to `below` - 1. */
export type Draw = readonly [below: number, value: number];

/** A source that also records its draws. */
export interface RecordedRandom extends CountedRandom {
  readonly draws: readonly Draw[];
}

const RANGE = 2 ** 32;

/** Hex SHA-256 of a text in UTF-8: `fairness.commitment` is that of the seed. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256Bytes(text));
}

/** The same as bytes. */
export function sha256Bytes(text: string): Uint8Array {
  return sha256(utf8ToBytes(text));
}

/**
 * The match's random values from number `drawn` on. Value n is the first four bytes, big-endian, of
 * HMAC-SHA256(key: seed, message: `<entropy>:<n>`), both texts in UTF-8. The entropy is computed on
 * demand, because most actions draw nothing. A value in the last, incomplete multiple of `below` is
 * rejected, so that every outcome is equally likely.
 */
export function makeRandom(seed: string, entropy: () => string, drawn: number): CountedRandom {
  let key: Uint8Array | null = null;
  let counter = drawn;
  const next = (): number => {
    key ??= utf8ToBytes(seed);
    const mac = hmac(sha256, key, utf8ToBytes(`${entropy()}:${counter}`));
    counter += 1;
    return new DataView(mac.buffer, mac.byteOffset, 4).getUint32(0);
  };
  return {
    drawn: () => counter,
    integer(below) {
      if (!Number.isInteger(below) || below < 1 || below > RANGE) {
        throw new RangeError(`integer(${below}): must be an integer from 1 to 2^32`);
      }
      const limit = RANGE - (RANGE % below);
      for (;;) {
        const value = next();
        if (value < limit) return value % below;
      }
    },
  };
}

/** The same source, with a list of its draws from now on. */
export function recordDraws({ drawn, integer }: CountedRandom): RecordedRandom {
  const draws: Draw[] = [];
  return {
    drawn,
    draws,
    integer(below) {
      const value = integer(below);
      draws.push([below, value]);
      return value;
    },
  };
}
