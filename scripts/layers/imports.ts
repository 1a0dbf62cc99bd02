/** The import graph: reads imports of every kind and checks them against the table of floors. */

import type { Finding, SourceFile } from './finding.ts';
import { type Floor, floorOf, isTest } from './table.ts';
import { closingIndex, type Token } from './tokens.ts';

export interface Import {
  readonly line: number;
  /** As written. */
  readonly specifier: string;
  /** Removed with the types. */
  readonly typeOnly: boolean;
}

const is = (token: Token | undefined, text: string): boolean =>
  token?.text === text && (token.kind === 'word' || token.kind === 'punctuation');

/** `{ type A, type B }`, whose opening brace is at `open`: does every name say `type`? */
function allNamesAreTypes(code: readonly Token[], open: number): boolean {
  const inner = code.slice(open + 1, closingIndex(code, open));
  const starts = inner.filter((_, index) => index === 0 || is(inner[index - 1], ','));
  return starts.length > 0 && starts.every((token) => is(token, 'type'));
}

/** The import or re-export whose keyword is at `at`, if it names a module by `from`. */
function readFrom(code: readonly Token[], at: number): Import | null {
  const keyword = code[at]!;
  const next = code[at + 1];
  const isTypeKeyword = is(next, 'type') && !is(code[at + 2], 'from') && !is(code[at + 2], ',');
  const first = isTypeKeyword ? at + 2 : at + 1;
  const begin = code[first];
  if (keyword.text === 'export' && !is(begin, '{') && !is(begin, '*')) return null;
  let index = first;
  while (index < code.length && !is(code[index], 'from') && !is(code[index], ';')) {
    index = is(code[index], '{') ? closingIndex(code, index) + 1 : index + 1;
  }
  const specifier = code[index + 1];
  if (!is(code[index], 'from') || specifier?.kind !== 'string') return null;
  const typeOnly = isTypeKeyword || (is(begin, '{') && allNamesAreTypes(code, first));
  return { line: keyword.line, specifier: specifier.text, typeOnly };
}

/** `import('x')`: a type when a type's name follows, as in `import('x').Name`. */
function readCall(code: readonly Token[], at: number): Import | null {
  const specifier = code[at + 2];
  if (specifier?.kind !== 'string') return null;
  const typeOnly =
    is(code[at - 1], 'typeof') ||
    (is(code[at + 4], '.') &&
      /^[A-Z]/.test(code[at + 5]?.text ?? '') &&
      !is(code[at - 1], 'await'));
  return { line: code[at]!.line, specifier: specifier.text, typeOnly };
}

/** `new URL('./worker.ts', import.meta.url)`: how a worker's file is named. */
function readUrl(code: readonly Token[], at: number): Import | null {
  const specifier = code[at + 2];
  if (specifier?.kind !== 'string' || !is(code[at + 4], 'import')) return null;
  if (!/\.[a-z]?[jt]sx?$/.test(specifier.text)) return null;
  return { line: specifier.line, specifier: specifier.text, typeOnly: false };
}

function readImport(code: readonly Token[], at: number): Import | null {
  const token = code[at]!;
  if (token.kind !== 'word' || is(code[at - 1], '.')) return null;
  const next = code[at + 1];
  if (is(token, 'import') && next?.kind === 'string') {
    return { line: token.line, specifier: next.text, typeOnly: false };
  }
  if ((is(token, 'import') || is(token, 'require')) && is(next, '(')) return readCall(code, at);
  if (is(token, 'URL') && is(next, '(')) return readUrl(code, at);
  if (is(token, 'import') && !is(next, '.')) return readFrom(code, at);
  return is(token, 'export') ? readFrom(code, at) : null;
}

/** Every module a file names: static, type-only, dynamic, re-exported, or as a worker. */
export function readImports(code: readonly Token[]): Import[] {
  return code.flatMap((_, at) => readImport(code, at) ?? []);
}

/** The project's file that a relative specifier names, else null. */
function resolveOwn(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null;
  const parts = from.split('/').slice(0, -1);
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** `node:fs` → `node:fs`, `@a/b/c` → `@a/b`, `a/b` → `a`. */
function packageOf(specifier: string): string {
  if (specifier.includes(':')) return specifier;
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** `node:*` allows every package that begins with `node:`. */
function allowsPackage(floor: Floor, name: string): boolean {
  if (floor.packages === 'anything') return true;
  const covers = (allowed: string): boolean =>
    allowed.endsWith('*') ? name.startsWith(allowed.slice(0, -1)) : name === allowed;
  return floor.packages.some(covers);
}

/** Floors that only tests and benchmarks use: no user runs them. */
const TEST_FLOORS: ReadonlySet<string> = new Set(['bench', 'e2e', 'sim']);

/** Why a floor may not import a file of another, or null when it may. */
function refuseOwn(floor: Floor, target: string, { typeOnly }: Import): string | null {
  if (isTest(target) && !TEST_FLOORS.has(floor.path)) return `${target} is for tests only`;
  const other = floorOf(target);
  if (other === null || other.path === floor.path || floor.imports === 'everything') return null;
  if (floor.imports.includes(other.path)) return null;
  const asType = floor.typesOf?.includes(other.path) === true;
  if (asType && typeOnly) return null;
  const what = asType ? `only types of ${other.path} (import type)` : `nothing of ${other.path}`;
  return `${floor.path} may import ${what}: ${floor.instead}`;
}

function checkImport(file: SourceFile, floor: Floor, found: Import): Finding[] {
  const target = resolveOwn(file.path, found.specifier);
  const finding = (rule: string, message: string): Finding[] => [
    { path: file.path, line: found.line, rule, message },
  ];
  if (target !== null) {
    const refusal = refuseOwn(floor, target, found);
    return refusal === null ? [] : finding('floor', refusal);
  }
  const name = packageOf(found.specifier);
  if (allowsPackage(floor, name)) return [];
  const message = `${floor.path} may not import ${name}: ${floor.instead}; a new dependency needs a line in docs/decisions/`;
  return finding('package', message);
}

/** Imports of one file that its floor does not allow. Tests may import all. */
export function checkFloors(file: SourceFile): Finding[] {
  if (isTest(file.path)) return [];
  const floor = floorOf(file.path);
  if (floor === null) {
    const message = 'stands on no floor; give its folder a row in scripts/layers/table.ts';
    return [{ path: file.path, line: 1, rule: 'floor', message }];
  }
  return readImports(file.code).flatMap((found) => checkImport(file, floor, found));
}

/** Import cycles, types included, each reported once, at its first file by name. */
export function checkCircles(files: readonly SourceFile[]): Finding[] {
  const known = new Set(files.map((file) => file.path));
  const targets = new Map<string, string[]>();
  for (const file of files) {
    const own = readImports(file.code).map((found) => resolveOwn(file.path, found.specifier));
    targets.set(file.path, [
      ...new Set(own.filter((path) => path !== null && known.has(path))),
    ] as string[]);
  }
  return files.flatMap(({ path }) => {
    const circle = shortestCircle(path, targets);
    if (circle === null || circle.some((other) => other < path)) return [];
    const message = `${[...circle, path].join(' → ')}; move what both need to a file below them`;
    return [{ path, line: 1, rule: 'circle', message }];
  });
}

/** The shortest way from a file back to itself, itself first; null when there is none. */
function shortestCircle(start: string, targets: ReadonlyMap<string, string[]>): string[] | null {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (let way = ways.shift(); way !== undefined; way = ways.shift()) {
    for (const next of targets.get(way.at(-1)!) ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}
