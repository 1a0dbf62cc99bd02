/** Small tables for people: columns side by side, two spaces between, no colours. */

const GAP = '  ';

/** A line of titles and a line a row; of no rows, the text for that. */
export function printTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty: string,
): string {
  if (rows.length === 0) return whenEmpty;
  return printColumns([titles, ...rows]);
}

/** Names and values, one pair a line. */
export function printFields(fields: readonly (readonly [string, string])[]): string {
  return printColumns(fields);
}

function printColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => chars(row[column]))));
  return rows
    .map((row) =>
      row
        .map((text, column) => pad(text, widths[column]!))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

function chars(text: string | undefined): number {
  return [...(text ?? '')].length;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(width - chars(text));
}
