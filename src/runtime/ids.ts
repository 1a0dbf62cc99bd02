/** Ids: a prefix and a time-ordered random part (rule H11). */

import type { Clock, Randomness } from './ports.ts';

export type IdPrefix =
  | 'ses'
  | 'tkt'
  | 'grp'
  | 'bot'
  | 'evt'
  | 'whk'
  | 'key'
  | 'ten'
  | 'ply'
  | 'req'
  | 'nod';

export type MakeId = (prefix: IdPrefix) => string;

/** Crockford's base 32 in lower case: no look-alikes, and text order is number order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
/** Random bytes are asked for in such portions: one call to the system for many ids. */
const POOL_BYTES = 4_096;
/** Every two digits there are: an id is put together of these. */
const PAIRS = Array.from(ALPHABET, (a) => Array.from(ALPHABET, (b) => a + b)).flat();

/**
 * Makes ids like `ses_01jd3k…`: 10 digits of milliseconds since 1970 and 16 random ones (80 bits).
 * Ids of one process made in later milliseconds sort later.
 */
export function makeIds(clock: Clock, randomness: Randomness): MakeId {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  let timeMs = -1;
  let timeText = '';
  /** Ten bits of two bytes. */
  const nextPair = (): string => {
    if (used === pool.length) {
      pool = randomness.bytes(POOL_BYTES);
      used = 0;
    }
    used += 2;
    return PAIRS[((pool[used - 2]! & 3) << 8) | pool[used - 1]!]!;
  };
  return (prefix) => {
    const now = clock.now();
    if (now !== timeMs) {
      timeMs = now;
      timeText = timeDigits(now);
    }
    let text = `${prefix}_${timeText}`;
    for (let i = 0; i < RANDOM_DIGITS; i += 2) text += nextPair();
    return text;
  };
}

function timeDigits(ms: number): string {
  let text = '';
  for (let rest = ms, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) {
    text = ALPHABET[rest % 32] + text;
  }
  return text;
}

/** When an id was made, ms since 1970. The id has been checked. */
export function idTime(id: string): number {
  const start = id.indexOf('_') + 1;
  const digits = id.slice(start, start + TIME_DIGITS);
  return Array.from(digits).reduce((ms, digit) => ms * 32 + ALPHABET.indexOf(digit), 0);
}

/** The shape of an id, for checking what comes from outside before it is looked up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{${TIME_DIGITS + RANDOM_DIGITS}}$`).test(text);
}
