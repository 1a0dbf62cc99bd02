/** Small tables for people: columns side by side, two spaces between; a cell may be painted. */

import { paint, plain } from './paint.ts';

const GAP = '  ';

/** A line of titles and a line a row; of no rows, the text for that. */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty;
  const [head = '', ...lines] = printColumns([titles, ...rows]);
  return [paint('title', head), ...lines].join('\n');
}

/** Names and values, one pair a line. */
export function printFields(fields: readonly (readonly [string, string])[]): string {
  return printColumns(fields).join('\n');
}

function printColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => chars(row[column]))));
  return rows.map((row) =>
    row
      .map((text, column) => pad(text, widths[column]!))
      .join(GAP)
      .trimEnd(),
  );
}

function chars(text: string | undefined): number {
  return [...plain(text ?? '')].length;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - chars(text));
}
