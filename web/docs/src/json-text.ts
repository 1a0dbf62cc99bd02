/** JSON as people write it: what is short stands on one line. */

/** A list or an object up to so many characters keeps to its line. */
const SHORT_CHARS_MAX = 44;
const INDENT = '  ';

export function formatJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = isList
    ? value.map((each) => formatJson(each, indent + INDENT))
    : Object.entries(value).map(
        ([name, each]) => `${JSON.stringify(name)}: ${formatJson(each, indent + INDENT)}`,
      );
  if (parts.length === 0) return open + close;
  const line = isList ? `[${parts.join(', ')}]` : `{ ${parts.join(', ')} }`;
  // The outermost one is easier to read line by line.
  if (indent !== '' && isShort(line)) return line;
  const lines = isList && value.every(isScalar) ? fillLines(parts) : parts;
  return `${open}\n${lines.map((each) => indent + INDENT + each).join(',\n')}\n${indent}${close}`;
}

function isShort(line: string): boolean {
  return line.length <= SHORT_CHARS_MAX && !line.includes('\n');
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** As many to a line as it holds. */
function fillLines(parts: readonly string[]): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    const longer = last === undefined ? part : `${last}, ${part}`;
    if (last === undefined || !isShort(longer)) lines.push(part);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
