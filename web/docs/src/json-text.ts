/** Values as people write them, in JSON and other languages: a short value is on one line. */

/** A list or an object of up to this many characters stays on its line. */
const SHORT_CHARS_MAX = 44;

/** How a language writes what JSON holds. */
export interface ValueStyle {
  /** A text, number, boolean or null. */
  scalar(value: unknown): string;
  key(name: string): string;
  /** Of one level. */
  readonly indent: string;
  /** Between the braces of an object on one line and its content. */
  readonly pad: string;
  /** After the last part of a value that is broken into lines. */
  readonly last: string;
}

const JSON_STYLE: ValueStyle = {
  scalar: (value) => JSON.stringify(value) ?? 'null',
  key: (name) => JSON.stringify(name),
  indent: '  ',
  pad: ' ',
  last: '',
};

export function formatJson(value: unknown): string {
  return formatValue(value, JSON_STYLE);
}

/** `indent` is that of the line on which the value begins: empty for a value of its own. */
export function formatValue(value: unknown, style: ValueStyle, indent = ''): string {
  if (isScalar(value)) return style.scalar(value);
  const isList = Array.isArray(value);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  const parts = isList
    ? value.map((each) => formatValue(each, style, indent + style.indent))
    : Object.entries(value as object).map(
        ([name, each]) => `${style.key(name)}: ${formatValue(each, style, indent + style.indent)}`,
      );
  if (parts.length === 0) return open + close;
  const pad = isList ? '' : style.pad;
  const line = open + pad + parts.join(', ') + pad + close;
  // The outermost one is easier to read line by line.
  if (indent !== '' && isShort(line)) return line;
  const lines = isList && value.every(isScalar) ? fillLines(parts) : parts;
  return `${open}\n${lines.map((each) => indent + style.indent + each).join(',\n')}${style.last}\n${indent}${close}`;
}

function isShort(line: string): boolean {
  return line.length <= SHORT_CHARS_MAX && !line.includes('\n');
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** As many to a line as fit. */
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
