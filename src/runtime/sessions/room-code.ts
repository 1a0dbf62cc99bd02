/** Room codes for friends (rule S3): six characters that are hard to confuse. */

import type { Randomness } from '../ports.ts';

/** Without 0 and O, 1, I and L, 5 and S, U. 28 characters: 482 million codes. */
const ALPHABET = '2346789ABCDEFGHJKMNPQRTVWXYZ';
const CODE_CHARS = 6;
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_CHARS}}$`);
const BYTE_VALUES = 256;

export function makeRoomCode(randomness: Randomness): string {
  const even = BYTE_VALUES - (BYTE_VALUES % ALPHABET.length);
  let code = '';
  while (code.length < CODE_CHARS) {
    for (const byte of randomness.bytes(CODE_CHARS)) {
      if (byte < even && code.length < CODE_CHARS) code += ALPHABET[byte % ALPHABET.length];
    }
  }
  return code;
}

/** Normalizes a typed code: case and spaces do not matter. Null for an invalid one. */
export function parseRoomCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? code : null;
}
