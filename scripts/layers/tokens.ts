/** Splits TypeScript into tokens, well enough to find imports, calls and function bodies. */

export type TokenKind =
  | 'word'
  | 'number'
  | 'string'
  | 'template'
  | 'regex'
  | 'punctuation'
  | 'comment';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for strings and templates the text between the quotes, escapes as they are. */
  readonly text: string;
  /** The line it begins on, from 1. */
  readonly line: number;
}

/** Longest first. What is not here is one character wide. */
const LONG_PUNCTUATION = ['**=', '...', '=>', '**', '++', '--', '?.', '${'];

/** After these a slash begins a regular expression although a word precedes it. */
const BEFORE_REGEX = new Set(
  'return typeof case in of delete void throw new else do await yield instanceof'.split(' '),
);

const WORD = /[\p{ID_Start}$_#@][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /(?:\d|\.\d)[\w.]*/y;
const SPACE = /\s+/y;
/** A first line that names the interpreter counts as a comment. */
const LINE_COMMENT = /(?:\/\/|^#!)[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y;
/** A quote without its end on the same line begins no string: JSX text has lone quotes. */
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
/** The part of a template up to its end or to its next expression. */
const TEMPLATE_PART = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

/** The text a sticky pattern matches at `at`, or null. */
function matchAt(pattern: RegExp, source: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? null;
}

function mayBeginRegex(previous: Token | undefined): boolean {
  if (previous === undefined) return true;
  if (previous.kind === 'word') return BEFORE_REGEX.has(previous.text);
  if (previous.kind !== 'punctuation') return false;
  return !['<', ')', ']', '}', '++', '--'].includes(previous.text);
}

/** The token at `at`, except templates. `previous` is the last token that is not a comment. */
function scanToken(source: string, at: number, previous: Token | undefined): [TokenKind, string] {
  const comment = matchAt(LINE_COMMENT, source, at) ?? matchAt(BLOCK_COMMENT, source, at);
  if (comment !== null) return ['comment', comment];
  const string = matchAt(STRING, source, at);
  if (string !== null) return ['string', string];
  const regex = mayBeginRegex(previous) ? matchAt(REGEX, source, at) : null;
  if (regex !== null) return ['regex', regex];
  const number = matchAt(NUMBER, source, at);
  if (number !== null) return ['number', number];
  const word = matchAt(WORD, source, at);
  if (word !== null) return ['word', word];
  const long = LONG_PUNCTUATION.find((text) => source.startsWith(text, at));
  return ['punctuation', long ?? source.charAt(at)];
}

/** All tokens in order, comments among them. Never throws, whatever the text. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each open brace: does a template continue after it? */
  const braces: boolean[] = [];
  let previous: Token | undefined;
  let line = 1;
  let at = 0;

  const push = (kind: TokenKind, raw: string, text = raw): void => {
    const token: Token = { kind, text, line };
    tokens.push(token);
    if (kind !== 'comment') previous = token;
    for (let index = raw.indexOf('\n'); index >= 0; index = raw.indexOf('\n', index + 1)) line += 1;
    at += raw.length;
  };
  const pushTemplatePart = (): void => {
    push('template', matchAt(TEMPLATE_PART, source, at) ?? '');
    if (source.startsWith('${', at)) {
      braces.push(true);
      push('punctuation', '${', '{');
    } else {
      at += 1; // The closing quote.
    }
  };

  while (at < source.length) {
    const space = matchAt(SPACE, source, at);
    if (space !== null) {
      line += space.split('\n').length - 1;
      at += space.length;
    } else if (source[at] === '`') {
      at += 1;
      pushTemplatePart();
    } else {
      const [kind, raw] = scanToken(source, at, previous);
      push(kind, raw, kind === 'string' ? raw.slice(1, -1) : raw);
      if (kind === 'punctuation' && raw === '{') braces.push(false);
      if (kind === 'punctuation' && raw === '}' && braces.pop()) pushTemplatePart();
    }
  }
  return tokens;
}

/** The tokens that are code. */
export function withoutComments(tokens: readonly Token[]): Token[] {
  return tokens.filter((token) => token.kind !== 'comment');
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** Index of the bracket that closes the one at `open`, or the end of the tokens. */
export function closingIndex(tokens: readonly Token[], open: number): number {
  const opener = tokens[open]!.text;
  const closer = CLOSING[opener];
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    const { kind, text } = tokens[index]!;
    if (kind !== 'punctuation') continue;
    if (text === opener) depth += 1;
    if (text === closer) depth -= 1;
    if (depth === 0) return index;
  }
  return tokens.length;
}
