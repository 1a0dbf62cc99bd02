/** A row as a database returns it: column names, and values of any kind. */

export type Row = Readonly<Record<string, unknown>>;

export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
