/** Rows of a table as a CSV file (RFC 4180). */

export interface CsvColumn<Row> {
  readonly title: string;
  /** Absent: the column is left out. */
  readonly value?: (row: Row) => string | number | null;
}

/** A text that a spreadsheet would run as a formula is marked as text. */
const FORMULA = /^[=+\-@\t\r]/;

export function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const kept = columns.filter(({ value }) => value !== undefined);
  const lines = [
    kept.map(({ title }) => title),
    ...rows.map((row) => kept.map(({ value }) => value!(row))),
  ];
  return `${lines.map((line) => line.map(field).join(',')).join('\r\n')}\r\n`;
}

function field(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function saveCsv<Row>(
  name: string,
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
): void {
  saveFile(`${name}.csv`, 'text/csv', toCsv(columns, rows));
}

/** Has the browser save a text as a file. */
export function saveFile(name: string, type: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
