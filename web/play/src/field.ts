/** Reads fields of a game's view, whose form only its board knows: every field is checked. */

/** The field, if the value is an object that has it. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** A number in 0 to below `end`; null for anything else. */
export function indexIn(value: unknown, end: number): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < end
    ? value
    : null;
}

/** A list of such numbers. */
export function indexesIn(value: unknown, end: number): number[] {
  if (!Array.isArray(value)) return [];
  return value.filter((each) => indexIn(each, end) !== null) as number[];
}

/** A list of `count` entries; missing ones are null. */
export function cellsOf(view: unknown, count: number): unknown[] {
  const board = fieldOf(view, 'board');
  const cells = Array.isArray(board) ? board : [];
  return Array.from({ length: count }, (_, index) => cells[index] ?? null);
}
