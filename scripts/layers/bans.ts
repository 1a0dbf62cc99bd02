/** Calls that are forbidden in a folder, each with its replacement. */

import type { Finding, SourceFile } from './finding.ts';
import { isPure, isShell, isTest } from './table.ts';
import { closingIndex, type Token } from './tokens.ts';

const CLOCK = 'take the time as an argument (`now`); effects carry deadlines';
const CHANCE = "draw from the match's Random, handed in; ids are handed in too";
const TIMER = 'return a deadline in the state; src/runtime arms the timer';
const WAITING = 'pure code answers at once: return an effect and get its result as a command';
const OUTSIDE = 'hand in what it is for, or return an effect that src/runtime carries out';
const LOCALE = 'the answer depends on the machine: compare and print by code, without a locale';

/** Names that pure code may not mention. */
const PURE_BANS: ReadonlyMap<string, string> = new Map([
  ['performance', CLOCK],
  ['crypto', CHANCE],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'].map(
    (name) => [name, TIMER] as const,
  ),
  ...['clearTimeout', 'clearInterval', 'requestAnimationFrame'].map(
    (name) => [name, TIMER] as const,
  ),
  ...['async', 'await', 'Promise'].map((name) => [name, WAITING] as const),
  ...['console', 'process', 'globalThis', 'fetch', 'Bun', 'Buffer'].map(
    (name) => [name, OUTSIDE] as const,
  ),
  ['Intl', LOCALE],
]);

/** The language leaves these to each engine, so two machines may differ in the last bit. */
const INEXACT = new Set(
  (
    'sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh ' +
    'exp expm1 log log2 log10 log1p pow hypot cbrt'
  ).split(' '),
);

const is = (token: Token | undefined, text: string): boolean =>
  token?.text === text && (token.kind === 'word' || token.kind === 'punctuation');

/** The name itself, not a property or a key that happens to be called so. */
function isReference(code: readonly Token[], at: number): boolean {
  const previous = code[at - 1];
  if (is(previous, '.') || is(previous, '?.')) return false;
  const isKey = is(code[at + 1], ':') && (is(previous, '{') || is(previous, ','));
  return !isKey;
}

/** `new Date(ms).toISOString()` only formats a given time. */
function isDateAsFormat(code: readonly Token[], at: number): boolean {
  if (!is(code[at - 1], 'new') || !is(code[at + 1], '(') || is(code[at + 2], ')')) return false;
  const after = closingIndex(code, at + 1) + 1;
  return is(code[after], '.') && is(code[after + 1], 'toISOString');
}

function banMath(code: readonly Token[], at: number, inGames: boolean): string | null {
  const name = code[at + 2]?.text ?? '';
  if (!is(code[at + 1], '.'))
    return 'Math is used as Math.<name> only, so that the check can see it';
  if (name === 'random') return `Math.random: ${CHANCE}`;
  if (!inGames || !INEXACT.has(name)) return null;
  return `Math.${name} differs between engines: use a table or an own polynomial`;
}

/** `**` is exact between two literals; with computed values it is `Math.pow`. */
function banPower(code: readonly Token[], at: number): string | null {
  if (code[at - 1]?.kind === 'number' && code[at + 1]?.kind === 'number') return null;
  return '** differs between engines as Math.pow does: multiply';
}

function banAccess(name: string): string | null {
  if (!name.startsWith('toLocale') && name !== 'localeCompare') return null;
  return `${name}: ${LOCALE}`;
}

/** Why a token is forbidden in a pure folder, or null. */
function banInPure(code: readonly Token[], at: number, inGames: boolean): string | null {
  const { kind, text } = code[at]!;
  if (inGames && kind === 'punctuation' && (text === '**' || text === '**=')) {
    return banPower(code, at);
  }
  if (kind !== 'word') return null;
  if (is(code[at - 1], '.') || is(code[at - 1], '?.')) return banAccess(text);
  if (!isReference(code, at)) return null;
  if (text === 'Math') return banMath(code, at, inGames);
  if (text === 'Date') return isDateAsFormat(code, at) ? null : `Date: ${CLOCK}`;
  const instead = PURE_BANS.get(text);
  return instead === undefined ? null : `${text}: ${instead}`;
}

function everyToken(
  file: SourceFile,
  rule: string,
  ban: (code: readonly Token[], at: number) => string | null,
): Finding[] {
  return file.code.flatMap(({ line }, at) => {
    const message = ban(file.code, at);
    return message === null ? [] : [{ path: file.path, line, rule, message }];
  });
}

/** Clock, chance, waiting, locale and the world outside in pure folders. */
export function checkPurity(file: SourceFile): Finding[] {
  if (!isPure(file.path)) return [];
  const inGames = /^(?:src|examples)\/games\//.test(file.path);
  return everyToken(file, 'pure', (code, at) => banInPure(code, at, inGames));
}

/** A direct use of the machine's time or randomness, or null. */
function asksMachine(code: readonly Token[], at: number): string | null {
  if (!isReference(code, at)) return null;
  const member = is(code[at + 1], '.') ? `${code[at]!.text}.${code[at + 2]?.text}` : '';
  if (member === 'Date.now' || member === 'Math.random' || member === 'crypto.randomUUID') {
    return member;
  }
  const makesNow = is(code[at], 'Date') && is(code[at - 1], 'new') && is(code[at + 2], ')');
  return makesNow ? 'new Date()' : null;
}

/** Time and chance in the shell come from its ports. */
export function checkShell(file: SourceFile): Finding[] {
  if (!isShell(file.path)) return [];
  return everyToken(file, 'port', (code, at) => {
    const asked = asksMachine(code, at);
    return asked && `${asked}: use the Clock or the Randomness of src/runtime/ports.ts`;
  });
}

/** The global `Bun` in the service outside `src/platform/bun`. */
export function checkRuntimeSeam(file: SourceFile): Finding[] {
  const { path } = file;
  if (!path.startsWith('src/') || path.startsWith('src/platform/bun/') || isTest(path)) return [];
  if (isPure(path)) return []; // `checkPurity` reports it.
  return everyToken(file, 'runtime', (code, at) =>
    is(code[at], 'Bun') && isReference(code, at)
      ? 'Bun: matchd runs on Node too; put the call behind src/platform/platform.ts'
      : null,
  );
}

/** Settings are read in one place. */
export function checkEnvironment(file: SourceFile): Finding[] {
  const { path } = file;
  const inService = path.startsWith('src/') || path.startsWith('web/');
  if (!inService || path === 'src/config.ts' || isTest(path)) return [];
  return everyToken(file, 'environment', (code, at) =>
    is(code[at], 'env') &&
    is(code[at - 1], '.') &&
    /^(?:process|Bun|meta)$/.test(code[at - 2]?.text ?? '')
      ? 'the environment is read in src/config.ts only; hand the setting in'
      : null,
  );
}
