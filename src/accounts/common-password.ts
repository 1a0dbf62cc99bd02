/** Is a password one of those that are tried first, or little more than a name that others know (rule D2)? */

/**
 * `listed`: passwords that are tried first, in small letters. `names`: of the service, the tenants, the
 * person. Simple variants count as the same: capitals, digits and signs around it or between its
 * letters, digits in the place of letters, the same several times over.
 */
export function isPasswordCommon(
  password: string,
  listed: ReadonlySet<string>,
  names: readonly string[],
): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  if (isRun(text)) return true;
  const plain = variantsOf(text);
  if (plain.some((variant) => listed.has(variant))) return true;
  const words = names.flatMap(wordsOf).sort((a, b) => b.length - a.length);
  return plain.some((variant) => isMostlyNames(variant, words));
}

/** Shorter ones say nothing: "abc" with nine digits behind it may be anything. */
const WORD_CHARS_MIN = 4;
/** What has to be left of a password without the names in it: letters and digits. */
const REST_CHARS_MIN = 8;
/** Digits and signs around a word, at most: more of them are a secret of their own. */
const AROUND_CHARS_MAX = 12;

const LETTER = /\p{L}/u;
/** Substitutes for a letter; a 1 for an `i` or an `l`. */
const STAND_INS: Readonly<Record<string, string>> = {
  0: 'o',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/**
 * The text without surrounding characters, with letters in place of substitutes, and only once if
 * it repeats.
 */
function variantsOf(text: string): readonly string[] {
  const inner = trimmed(text);
  const headed = text.slice(0, text.indexOf(inner) + inner.length);
  const isWithin = [...text].length - [...inner].length <= AROUND_CHARS_MAX;
  const cut = isWithin && inner !== '' ? [text, inner, headed] : [text];
  const spelt = cut.flatMap((each) => [each, spell(each, 'l'), spell(each, 'i')]);
  const joined = spelt.map((each) => each.replace(/[^\p{L}\p{N}]/gu, ''));
  const all = [...spelt, ...joined].map(unitOf);
  return [...new Set(all)].filter((each) => each.length >= WORD_CHARS_MIN);
}

/** From its first letter to its last. */
function trimmed(text: string): string {
  const characters = [...text];
  const isLetter = (each: string): boolean => LETTER.test(each);
  const first = characters.findIndex(isLetter);
  return first < 0 ? '' : characters.slice(first, characters.findLastIndex(isLetter) + 1).join('');
}

function spell(text: string, one: string): string {
  return [...text].map((each) => (each === '1' ? one : (STAND_INS[each] ?? each))).join('');
}

/** The repeated part: `abc` of `abcabc`; the text itself if it does not repeat. */
function unitOf(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}

/** Each character follows the one before, as in a row of digits. */
function isRun(text: string): boolean {
  const steps = [...text].slice(1).map((each, i) => {
    const step = each.charCodeAt(0) - text.charCodeAt(i);
    return Math.abs(step) === 9 ? -Math.sign(step) : step;
  });
  return steps.every((step) => step === steps[0]) && Math.abs(steps[0] ?? 0) <= 1;
}

/** The words of a name, and all of them as one. */
function wordsOf(name: string): readonly string[] {
  const words = name
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return [...words, words.join('')].filter((word) => word.length >= WORD_CHARS_MIN);
}

/** `words`: the longest first. */
function isMostlyNames(text: string, words: readonly string[]): boolean {
  let rest = text;
  for (const word of words) rest = rest.replaceAll(word, ' ');
  if (rest === text) return false;
  return [...trimmed(rest.replace(/[^\p{L}\p{N}]/gu, ''))].length < REST_CHARS_MIN;
}
