/** The spelling of ids: a prefix, ten digits of time, sixteen more (rule H11). */

/** Crockford's base 32 in lower case: no look-alikes, and text order is number order. */
export const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
export const TIME_DIGITS = 10;
export const REST_DIGITS = 16;

/** Milliseconds since 1970 as the first digits of an id. */
export function makeTimeDigits(ms: number): string {
  let text = '';
  for (let rest = ms, i = 0; i < TIME_DIGITS; i++, rest = Math.floor(rest / 32)) {
    text = ID_ALPHABET[rest % 32] + text;
  }
  return text;
}

/** The part of an id after its prefix. */
function digitsOf(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

/** When an id was made, ms since 1970. The id must be valid. */
export function idTime(id: string): number {
  const digits = digitsOf(id).slice(0, TIME_DIGITS);
  return Array.from(digits).reduce((ms, digit) => ms * 32 + ID_ALPHABET.indexOf(digit), 0);
}
