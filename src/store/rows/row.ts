/** A row as a database answers it: the names of its columns, and values of whichever kind. */

export type Row = Readonly<Record<string, unknown>>;

export function textOrNull(value: unknown): string | null {
  return value === null || value === undefined ? null : String(value);
}

export function numberOrNull(value: unknown): number | null {
  return value === null || value === undefined ? null : Number(value);
}
