/** The tokens of a PDN text: tags, moves, results. */

export type PdnToken =
  | { readonly kind: 'tag'; readonly line: number; readonly name: string; readonly text: string }
  | { readonly kind: 'move' | 'result'; readonly line: number; readonly text: string };

/** The tokens of a text, and where it stops being PDN, if it does. */
export interface Tokens {
  readonly tokens: readonly PdnToken[];
  /** Lines are counted from 1. */
  readonly fault: { readonly line: number; readonly error: string } | null;
}

/** Comments in braces, or from a semicolon to the end of the line, count as spaces. */
const SPACE = String.raw`\s+|\{[^}]*\}|;[^\n]*`;
const TAG = String.raw`\[\s*(?<name>[A-Za-z][A-Za-z0-9_]{0,63})\s+"(?<value>(?:[^"\\\n]|\\.)*)"\s*\]`;
/** A star directly after a move marks it as the only good one. If a win is two points, all are doubled. */
const RESULT = String.raw`(?<result>(?:1-0|0-1|1/2-1/2|2-0|0-2|1-1|(?<!\S)\*)(?![^\s{;()[]))`;
const SQUARE = String.raw`(?:\d+|[a-h][1-8])`;
const MOVE = `(?<move>${SQUARE}(?:[-x:]${SQUARE})+)`;
/** Move numbers and annotations, e.g. `$5` and `!?`. */
const MARK = String.raw`\d+\s*\.+|\$\d+|[!?*]+`;
const ANY = new RegExp(
  [SPACE, String.raw`(?<open>\()|(?<close>\))`, TAG, RESULT, MOVE, MARK].join('|'),
  'gy',
);

/** Characters of unreadable text that a message quotes. */
const SHOWN_CHARS = 12;

/** All tokens outside comments and variations, up to the first that is no PDN. */
export function readTokens(text: string): Tokens {
  const tokens: PdnToken[] = [];
  let depth = 0;
  let line = 1;
  let at = 0;
  const stop = (error: string): Tokens => ({ tokens, fault: { line, error } });
  // Each match begins where the last one ended; the first gap ends the loop.
  for (const { 0: whole, groups = {} } of text.matchAll(ANY)) {
    if (groups['open'] !== undefined) depth += 1;
    if (groups['close'] !== undefined) depth -= 1;
    if (depth < 0) return stop('A variation ends that has not begun');
    const token = depth === 0 ? makeToken(groups, line) : null;
    if (token !== null) tokens.push(token);
    line += whole.split('\n').length - 1;
    at += whole.length;
  }
  if (at < text.length) return stop(`"${text.slice(at, at + SHOWN_CHARS)}" is no PDN`);
  return depth === 0 ? { tokens, fault: null } : stop('A variation does not end');
}

function makeToken(
  { name, value, result, move }: Readonly<Record<string, string | undefined>>,
  line: number,
): PdnToken | null {
  if (name !== undefined && value !== undefined) {
    return { kind: 'tag', line, name, text: value.replace(/\\(.)/g, '$1') };
  }
  if (result !== undefined) return { kind: 'result', line, text: result };
  return move === undefined ? null : { kind: 'move', line, text: move };
}
