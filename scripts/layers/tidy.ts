/** The countable parts of STYLE.md: length, opening sentence, leftovers, module-level state, needless spreads. */

import type { Finding, SourceFile } from './finding.ts';
import { isTest } from './table.ts';
import { closingIndex, type Token } from './tokens.ts';

const FILE_LINES_MAX = 500;
const FUNCTION_LINES_MAX = 80;

/** A file that is one long table has a comment with this word at its beginning. */
const TABLE_MARKER = /^\/[/*]+\s*@table\b/m;

/** Marks of unfinished work. Assembled here, so that this file contains none. */
const LEFTOVER = new RegExp(`\\b(?:FIX${''}ME|XX${''}X)\\b`);

/** Words an opening sentence has at least. */
const SENTENCE_WORDS_MIN = 4;

const is = (token: Token | undefined, text: string): boolean =>
  token?.text === text && (token.kind === 'word' || token.kind === 'punctuation');

function checkFileLength({ path, text, tokens }: SourceFile): Finding[] {
  const lines = text.trimEnd().split('\n').length;
  const isTable = tokens.some((token) => token.kind === 'comment' && TABLE_MARKER.test(token.text));
  if (lines <= FILE_LINES_MAX || isTable) return [];
  const message = `${lines} lines, at most ${FILE_LINES_MAX}: split it by meaning`;
  return [{ path, line: 1, rule: 'length', message }];
}

/** After `)` at `close`: the index of the body's brace, past a return type; null without a body. */
function bodyAfter(code: readonly Token[], close: number): number | null {
  if (is(code[close + 1], '{')) return close + 1;
  if (!is(code[close + 1], ':')) return null;
  let operandExpected = true;
  for (let index = close + 2; index < code.length; index += 1) {
    const { kind, text } = code[index]!;
    if (kind === 'punctuation' && (text === '{' || text === '(' || text === '[')) {
      if (text === '{' && !operandExpected) return index;
      index = closingIndex(code, index);
      operandExpected = false;
    } else if (kind === 'punctuation' && /^[;,)\]}=?]$/.test(text)) {
      return null;
    } else {
      const joins = /^(?:[|&<:]|=>)$/.test(text) && kind === 'punctuation';
      operandExpected = joins || /^(?:is|keyof|typeof|readonly|extends|infer|asserts)$/.test(text);
    }
  }
  return null;
}

/** Brackets after these words hold no parameters. */
const CONTROL = new Set(
  'if for while switch catch with return await typeof super import'.split(' '),
);

interface Body {
  readonly line: number;
  readonly open: number;
}

/** The function body that a token announces: an arrow, or the bracket that opens parameters. */
function bodyAt(code: readonly Token[], at: number): Body | null {
  const token = code[at]!;
  if (is(token, '=>') && is(code[at + 1], '{')) return { line: token.line, open: at + 1 };
  const before = code[at - 1];
  if (!is(token, '(') || before === undefined) return null;
  const named = before.kind === 'word' && !CONTROL.has(before.text);
  if (!named && !is(before, '>') && !is(before, ']') && !is(before, '*')) return null;
  const open = bodyAfter(code, closingIndex(code, at));
  return open === null ? null : { line: before.line, open };
}

function checkFunctionLength({ path, code }: SourceFile): Finding[] {
  if (isTest(path)) return []; // A group of tests is one function.
  return code.flatMap((_, at) => {
    const body = bodyAt(code, at);
    if (body === null) return [];
    const end = code[closingIndex(code, body.open)]?.line ?? body.line;
    const lines = end - body.line + 1;
    if (lines <= FUNCTION_LINES_MAX) return [];
    const message = `a function of ${lines} lines, at most ${FUNCTION_LINES_MAX}: split it by meaning`;
    return [{ path, line: body.line, rule: 'length', message }];
  });
}

function checkOpening({ path, tokens }: SourceFile): Finding[] {
  const first = tokens.find(({ kind, text }) => kind !== 'comment' || !/^(?:#!|\/\/ @)/.test(text));
  const words = first?.text.replace(/[/*]/g, ' ').trim() ?? '';
  const isSentence = /[.:!?]/.test(words) && words.split(/\s+/).length >= SENTENCE_WORDS_MIN;
  if (first?.kind === 'comment' && isSentence) return [];
  const message = 'a file opens with a comment: one sentence on what it is for';
  return [{ path, line: 1, rule: 'opening', message }];
}

function checkLeftovers({ path, tokens }: SourceFile): Finding[] {
  return tokens
    .filter((token) => token.kind === 'comment' && LEFTOVER.test(token.text))
    .map(({ line }) => ({
      path,
      line,
      rule: 'leftover',
      message: 'finish it, or write it down where work is kept',
    }));
}

function checkModuleState({ path, code }: SourceFile): Finding[] {
  if (!path.startsWith('src/') || isTest(path)) return [];
  const findings: Finding[] = [];
  let depth = 0;
  for (const [at, token] of code.entries()) {
    if (token.kind === 'punctuation' && '{(['.includes(token.text)) depth += 1;
    if (token.kind === 'punctuation' && '})]'.includes(token.text)) depth -= 1;
    const declares = is(token, 'let') || is(token, 'var');
    if (depth > 0 || !declares || is(code[at - 1], '.')) continue;
    const message = `module-level ${token.text}: state belongs to what makeX returns`;
    findings.push({ path, line: token.line, rule: 'state', message });
  }
  return findings;
}

/** `{ ...{ a, b }, c }` is `{ a, b, c }`. */
function checkSpreads({ path, code }: SourceFile): Finding[] {
  return code.flatMap((token, at) => {
    if (!is(token, '...') || !is(code[at + 1], '{')) return [];
    const after = code[closingIndex(code, at + 1) + 1];
    if (!is(after, ',') && !is(after, '}')) return [];
    const message = 'a literal spread into a literal: write its properties in their place';
    return [{ path, line: token.line, rule: 'spread', message }];
  });
}

/** All of it for one file. */
export function checkTidiness(file: SourceFile): Finding[] {
  return [
    ...checkFileLength(file),
    ...checkFunctionLength(file),
    ...checkOpening(file),
    ...checkLeftovers(file),
    ...checkModuleState(file),
    ...checkSpreads(file),
  ];
}
