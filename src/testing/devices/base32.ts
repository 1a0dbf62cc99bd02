/** Decodes Base32 (RFC 4648, no padding), as an authenticator does with its secret. */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function fromBase32(text: string): Uint8Array {
  let bits = '';
  for (const digit of text) bits += DIGITS.indexOf(digit).toString(2).padStart(5, '0');
  return Uint8Array.from(bits.match(/.{8}/g)!, (byte) => Number.parseInt(byte, 2));
}
