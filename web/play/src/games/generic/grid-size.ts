/** A board's width, from its own form or from adjacent fields. Pure. */

export interface GridSize {
  readonly columns: number;
  readonly rows: number;
  /** Names of the adjacent fields that determined it. */
  readonly named: readonly string[];
  /** Its contents, row by row. */
  readonly values: readonly unknown[];
}

/** Pairs of fields that give a width and a height, and single ones that give both. */
const PAIRS: readonly (readonly [columns: string, rows: string])[] = [
  ['columns', 'rows'],
  ['cols', 'rows'],
  ['width', 'height'],
];
const SIDES: readonly string[] = ['size', 'side', 'boardSize'];
/** Fewer cells are not a board. */
const SIDE_MIN = 2;

type Fields = Readonly<Record<string, unknown>>;

/** The size of a list, a list of lists or a text as a board; null if it cannot be one. */
export function sizeOf(value: unknown, beside: Fields): GridSize | null {
  if (typeof value === 'string') return sizeOfText(value, beside);
  if (!Array.isArray(value)) return null;
  const list: readonly unknown[] = value;
  const [first] = list;
  if (Array.isArray(first)) {
    const isEven = list.every((row) => Array.isArray(row) && row.length === first.length);
    if (!isEven || list.length < SIDE_MIN || first.length < SIDE_MIN) return null;
    const named = namesOf(beside, first.length, list.length);
    return { columns: first.length, rows: list.length, named, values: list.flat() };
  }
  return sizeOfFlat(list, beside);
}

/** Rows may be separated by line breaks or by slashes. */
function sizeOfText(text: string, beside: Fields): GridSize | null {
  const rows = text.split(/[\n/]/).map((row) => [...row]);
  return rows.length > 1 ? sizeOf(rows, beside) : sizeOfFlat(rows[0]!, beside);
}

function sizeOfFlat(values: readonly unknown[], beside: Fields): GridSize | null {
  const count = values.length;
  if (count < SIDE_MIN * SIDE_MIN) return null;
  const make = (columns: number): GridSize => {
    const rows = count / columns;
    return { columns, rows, named: namesOf(beside, columns, rows), values };
  };
  for (const [width, height] of PAIRS) {
    const [columns, rows] = [sideIn(beside, width), sideIn(beside, height)];
    if (columns !== null && (rows === null ? count % columns === 0 : columns * rows === count)) {
      return make(columns);
    }
    if (columns === null && rows !== null && count % rows === 0) return make(count / rows);
  }
  const side = Math.sqrt(count);
  return Number.isInteger(side) ? make(side) : null;
}

/** Adjacent fields that only give the board's size. */
function namesOf(beside: Fields, columns: number, rows: number): readonly string[] {
  const pairs = PAIRS.flatMap(([width, height]) => [
    ...(beside[width] === columns ? [width] : []),
    ...(beside[height] === rows ? [height] : []),
  ]);
  const sides = columns === rows ? SIDES.filter((name) => beside[name] === columns) : [];
  return [...new Set([...pairs, ...sides])];
}

function sideIn(beside: Fields, name: string): number | null {
  const value = Object.hasOwn(beside, name) ? beside[name] : null;
  const isSide = typeof value === 'number' && Number.isInteger(value) && value >= SIDE_MIN;
  return isSide ? value : null;
}
