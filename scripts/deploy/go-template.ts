/**
 * Renders the part of Go's templates that our Helm chart uses, so that a test can examine the
 * result.
 */

import { printYaml } from './print-yaml.ts';

/** What templates are rendered with: `.Values`, `.Release`, `.Chart`, `.Files`. */
export type Data = Readonly<Record<string, unknown>>;

/** A template of the chart that calls `required` without the value. */
export class RequiredError extends Error {}

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'print'; readonly expr: string }
  | { readonly kind: 'block'; readonly word: string; readonly arms: readonly Arm[] };

/** `expr` is null for `else`. */
interface Arm {
  readonly expr: string | null;
  readonly body: readonly Node[];
}

interface Scope {
  readonly dot: unknown;
  readonly root: unknown;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly templates: Map<string, readonly Node[]>;
}

/** Texts by name; those that begin with `_` only define. Returns the others, rendered. */
export function renderChart(files: ReadonlyMap<string, string>, data: Data): Map<string, string> {
  const templates = new Map<string, readonly Node[]>();
  const scope: Scope = { dot: data, root: data, variables: {}, templates };
  const parsed = [...files].map(([name, text]) => ({ name, nodes: parse(text, templates) }));
  return new Map(
    parsed
      .filter(({ name }) => !name.startsWith('_'))
      .map(({ name, nodes }) => [name, renderNodes(nodes, scope)]),
  );
}

// Parsing

type Token = { readonly isAction: boolean; readonly text: string };

/** `{{-` removes the white space before it, `-}}` that after it. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const action = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g;
  let at = 0;
  let isTrimmed = false;
  for (const match of text.matchAll(action)) {
    let before = text.slice(at, match.index);
    if (isTrimmed) before = before.trimStart();
    if (match[1] === '-') before = before.trimEnd();
    tokens.push({ isAction: false, text: before }, { isAction: true, text: match[2]! });
    isTrimmed = match[3] === '-';
    at = match.index + match[0].length;
  }
  const rest = text.slice(at);
  tokens.push({ isAction: false, text: isTrimmed ? rest.trimStart() : rest });
  return tokens;
}

function parse(text: string, templates: Map<string, readonly Node[]>): Node[] {
  const tokens = tokensOf(text);
  let at = 0;
  const body = (): Node[] => {
    const nodes: Node[] = [];
    while (at < tokens.length) {
      const { isAction, text: words } = tokens[at]!;
      if (isAction && /^(?:end|else)\b/.test(words)) return nodes;
      at += 1;
      const node = isAction ? action(words) : { kind: 'text' as const, text: words };
      if (node !== null) nodes.push(node);
    }
    return nodes;
  };
  const action = (words: string): Node | null => {
    const [, word = '', rest = ''] = /^(if|with|range|define)\s+([\s\S]*)$/.exec(words) ?? [];
    if (word === '') return words.startsWith('/*') ? null : { kind: 'print', expr: words };
    const arms: Arm[] = [{ expr: rest, body: body() }];
    while (tokens[at]?.text.startsWith('else')) {
      const condition = tokens[at]!.text.replace(/^else(?:\s+if)?\s*/, '');
      at += 1;
      arms.push({ expr: condition === '' ? null : condition, body: body() });
    }
    if (tokens[at]?.text !== 'end') throw new Error(`no end of ${words}`);
    at += 1;
    if (word !== 'define') return { kind: 'block', word, arms };
    templates.set(JSON.parse(rest) as string, arms[0]!.body);
    return null;
  };
  const nodes = body();
  if (at < tokens.length) throw new Error(`unexpected ${tokens[at]!.text}`);
  return nodes;
}

// Rendering

function renderNodes(nodes: readonly Node[], scope: Scope): string {
  return nodes.map((node) => renderNode(node, scope)).join('');
}

function renderNode(node: Node, scope: Scope): string {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'print':
      return printed(evaluate(node.expr, scope));
    case 'block':
      return node.word === 'range' ? renderRange(node.arms[0]!, scope) : renderArms(node, scope);
  }
}

function renderArms(block: Extract<Node, { kind: 'block' }>, scope: Scope): string {
  for (const { expr, body } of block.arms) {
    const value = expr === null ? true : evaluate(expr, scope);
    if (!isTrue(value)) continue;
    const isWith = block.word === 'with' && expr !== null;
    return renderNodes(body, isWith ? { ...scope, dot: value } : scope);
  }
  return '';
}

/** `range $name, $value := …` over an object, by name. */
function renderRange({ expr, body }: Arm, scope: Scope): string {
  const [, name, value, list] = /^\$(\w+),\s*\$(\w+)\s*:=\s*(.+)$/.exec(expr ?? '') ?? [];
  if (name === undefined || value === undefined) throw new Error(`range ${expr}: not known here`);
  const entries = Object.entries(evaluate(list!, scope) as object).sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return entries
    .map(([key, each]) => {
      const variables = { ...scope.variables, [name]: key, [value]: each };
      return renderNodes(body, { ...scope, variables, dot: each });
    })
    .join('');
}

// Expressions: pipes of calls; the value before a pipe is the last argument after it.

function evaluate(expr: string, scope: Scope): unknown {
  const stages = splitOutside(expr, '|');
  return stages.reduce<unknown>((piped, stage, i) => {
    const words = splitOutside(stage.trim(), ' ').filter((word) => word !== '');
    const values = i === 0 ? [] : [piped];
    return call(words, values, scope);
  }, undefined);
}

function call(words: readonly string[], piped: readonly unknown[], scope: Scope): unknown {
  const [first = '', ...rest] = words;
  const args = [...rest.map((word) => operand(word, scope)), ...piped];
  if (first === 'include') return renderInclude(args, scope);
  if (first === '.Files.Get') return (scope.root as { Files: Data }).Files[String(args[0])] ?? '';
  const known = FUNCTIONS[first];
  if (known !== undefined) return known(...args);
  if (args.length > 0) throw new Error(`${first}: not known here`);
  return operand(first, scope);
}

function renderInclude([name, dot]: readonly unknown[], scope: Scope): string {
  const nodes = scope.templates.get(String(name));
  if (nodes === undefined) throw new Error(`include ${String(name)}: there is no such template`);
  return renderNodes(nodes, { ...scope, dot, root: scope.root });
}

function operand(word: string, scope: Scope): unknown {
  if (word.startsWith('(')) return evaluate(word.slice(1, -1), scope);
  if (word.startsWith('"')) return JSON.parse(word);
  if (/^-?\d+$/.test(word)) return Number(word);
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === '.') return scope.dot;
  if (word.startsWith('$.')) return pathOf(word.slice(2), scope.root);
  if (word.startsWith('$')) return pathOf(word.slice(1), scope.variables);
  if (word.startsWith('.')) return pathOf(word.slice(1), scope.dot);
  throw new Error(`${word}: not known here`);
}

function pathOf(path: string, from: unknown): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (value === null || typeof value !== 'object') throw new Error(`${path}: nothing there`);
    return (value as Data)[name];
  }, from);
}

/** Splits at a separator outside of strings and parentheses. */
function splitOutside(text: string, sign: string): string[] {
  const parts = [''];
  let depth = 0;
  let isText = false;
  for (const char of text) {
    if (char === '"') isText = !isText;
    if (!isText && char === '(') depth += 1;
    if (!isText && char === ')') depth -= 1;
    if (char === sign && depth === 0 && !isText) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts;
}

function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return Boolean(value);
}

function printed(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}

function indent(width: unknown, text: unknown): string {
  const margin = ' '.repeat(Number(width));
  return String(text)
    .split('\n')
    .map((line) => margin + line)
    .join('\n');
}

const FUNCTIONS: Readonly<Record<string, (...args: readonly unknown[]) => unknown>> = {
  nindent: (width, text) => `\n${indent(width, text)}`,
  indent,
  quote: (value) => JSON.stringify(printed(value)),
  default: (otherwise, value) => (isTrue(value) ? value : otherwise),
  required(message, value) {
    if (value === undefined || value === null || value === '') {
      throw new RequiredError(String(message));
    }
    return value;
  },
  toYaml: (value) => printYaml(value).trimEnd(),
  not: (value) => !isTrue(value),
  and: (...values) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values) => values.find(isTrue) ?? values.at(-1),
  eq: (a, b) => a === b,
  int: (value) => Math.trunc(Number(value)),
  add: (...values) => values.reduce<number>((sum, value) => sum + Number(value), 0),
  div: (a, b) => Math.trunc(Number(a) / Number(b)),
};
