/** Tables of figures in Markdown, as they go into docs/measurements.md. */

export interface Column {
  readonly title: string;
  /** Numbers are right-aligned. */
  readonly align: 'left' | 'right';
}

/** A table whose columns are padded, so that it reads well unrendered too. */
export function makeTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string {
  const widths = columns.map(({ title }, i) =>
    Math.max(title.length, ...rows.map((row) => row[i]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => pad(cell, widths[i]!, columns[i]!.align)).join(' | ')} |`;
  const rule = columns.map(({ align }, i) =>
    align === 'right' ? `${'-'.repeat(widths[i]! - 1)}:` : '-'.repeat(widths[i]!),
  );
  return [line(columns.map(({ title }) => title)), line(rule), ...rows.map(line)].join('\n');
}

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? Number.NaN : (upper + lower) / 2;
}

/** Three significant digits, and thousands apart: 0.123, 12.3, 12,345. A dash for what is not. */
export function makeNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return value.toPrecision(3);
}

/** The median, and behind it the least and the most when there are several values. */
export function makeSpread(values: readonly number[]): string {
  const middle = makeNumber(median(values));
  if (values.length < 2) return middle;
  return `${middle} (${makeNumber(Math.min(...values))}–${makeNumber(Math.max(...values))})`;
}

function pad(text: string, width: number, align: Column['align']): string {
  return align === 'right' ? text.padStart(width) : text.padEnd(width);
}
