/** Ids: a prefix and a time-ordered random part (rule H11). */

import { ID_ALPHABET, makeTimeDigits, REST_DIGITS, TIME_DIGITS } from '../match/id-text.ts';
import type { Clock, Randomness } from './ports.ts';

export { idTime } from '../match/id-text.ts';

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
  | 'nod'
  | 'acc'
  | 'lgn'
  | 'lnk'
  | 'psk';

export type MakeId = (prefix: IdPrefix) => string;

/** Random bytes are requested in chunks of this size: one system call for many ids. */
const POOL_BYTES = 4_096;
/** All two-digit strings: ids are composed from these. */
const PAIRS = Array.from(ID_ALPHABET, (a) => Array.from(ID_ALPHABET, (b) => a + b)).flat();

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
      timeText = makeTimeDigits(now);
    }
    let text = `${prefix}_${timeText}`;
    for (let i = 0; i < REST_DIGITS; i += 2) text += nextPair();
    return text;
  };
}

const REST_SHAPE = new RegExp(`^[0-9a-hjkmnp-tv-z]{${TIME_DIGITS + REST_DIGITS}}$`);

/** The shape of an id, to check outside input before a look-up. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && REST_SHAPE.test(text.slice(prefix.length + 1));
}
