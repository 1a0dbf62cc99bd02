/** Turns names that a game's author gave to fields and values into words. Pure. */

/** A word in capitals, such as `JSON` or `K`, stays so. */
const CAPITALS = /^[A-Z0-9]+$/;

/** `lastMove`, `three_in_a_row` or `rock-paper` as words: `Last move`, `Three in a row`, `Rock paper`. */
export function readable(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_-]+/)
    .filter((word) => word !== '')
    .map((word) => (CAPITALS.test(word) ? word : word.toLowerCase()));
  const text = words.join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
