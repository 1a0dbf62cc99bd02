/** JSON for people and for diffs: a value that fits on one line is written on one. */

const LINE_MAX = 100;
const INDENT = '  ';

/**
 * Ends with a line break. Accepts plain data only: no `toJSON`, and undefined fields are left out.
 */
export function printJson(document: object): string {
  return `${print(document, '')}\n`;
}

function print(value: unknown, indent: string): string {
  const short = printShort(value);
  if (typeof value !== 'object' || value === null) return short;
  if (indent.length + short.length <= LINE_MAX) return short;
  const inner = indent + INDENT;
  const parts = Array.isArray(value)
    ? value.map((each) => print(each, inner))
    : entriesOf(value).map(([name, each]) => `${JSON.stringify(name)}: ${print(each, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function printShort(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(printShort).join(', ')}]`;
  const parts = entriesOf(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${printShort(each)}`,
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function entriesOf(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, each]) => each !== undefined);
}
