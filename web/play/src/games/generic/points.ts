/** An action's target: the cells that its fields name, before the board is known. Pure. */

import { namedAs } from './named.ts';

/** A place on a board: a cell by its number, by row and column, or a whole row or column. */
export type Point =
  | { readonly kind: 'cell'; readonly index: number }
  | { readonly kind: 'at'; readonly row: number; readonly column: number }
  | { readonly kind: 'column'; readonly column: number }
  | { readonly kind: 'row'; readonly row: number };

export interface Pointed {
  /** In the order in which a player taps them: from before to. */
  readonly points: readonly Point[];
  /** Names of the fields from which they come; empty for an action that is a number or a pair itself. */
  readonly fields: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const PAIRS: readonly (readonly [column: RegExp, row: RegExp])[] = [
  [/^(.*?)x$/i, /^(.*?)y$/i],
  [/^(.*?)(?:column|col)$/i, /^(.*?)row$/i],
  [/^(.*?)file$/i, /^(.*?)rank$/i],
  [/^(.*?)c$/, /^(.*?)r$/],
];
const COLUMN = /^(?:column|col|lane|file)$/i;
const ROW = /^row$/i;
const FROM = /^(?:from|source|origin|start)/i;
const TO = /^(?:to|target|dest|end)(?![a-z])/;
/** Names that mark a number as a place. */
const PLACE =
  /^(?:position|pos|cell|square|index|place|at|field|spot|point|tile|node|slot|hole|pit)$/i;
/** Names of lists of cells; a list of two might otherwise be a row and a column. */
const isWay = namedAs('path way route cells squares positions places spots steps');
/** Names of numbers that count something instead of giving a place. */
const isAmount = namedAs(
  'bid bet amount count number points stake raise price coins cost die dice roll value times level score ' +
    'quantity guess seat player opponent rounds',
);

const NONE: Pointed = { points: [], fields: [] };

/** The places that an action names; none where it names none. */
export function pointsOf(action: unknown): Pointed {
  const own = pointOf('', action);
  if (own !== null) return { points: own, fields: [] };
  if (typeof action !== 'object' || action === null || Array.isArray(action)) return NONE;
  const fields = action as Fields;
  const paired = pairsIn(fields);
  const used = new Set(paired.flatMap(({ names }) => names));
  const rest = Object.keys(fields).filter((name) => !used.has(name));
  const singles = rest.flatMap((name) => {
    const points = pointOf(name, fields[name]);
    return points === null ? [] : [{ names: [name], points }];
  });
  const all = [...paired, ...chosenOf(singles, paired.length > 0)].sort(
    (a, b) => orderOf(a) - orderOf(b),
  );
  return {
    points: all.flatMap(({ points }) => points),
    fields: all.flatMap(({ names }) => names),
  };
}

interface Named {
  readonly names: readonly string[];
  readonly points: readonly Point[];
}

/** Of several numbers that may be places, those with such a name; a single one counts as one. */
function chosenOf(singles: readonly Named[], hasPair: boolean): readonly Named[] {
  if (singles.length === 1 && !hasPair) return singles;
  const ends = singles.filter(({ names }) => FROM.test(names[0]!) || TO.test(names[0]!));
  const places = singles.filter(({ names }) => PLACE.test(names[0]!));
  return places.length === 1 ? [...ends, ...places] : ends;
}

function orderOf({ names }: Named): number {
  return FROM.test(names[0]!) ? 0 : TO.test(names[0]!) ? 2 : 1;
}

/** Pairs of fields that form a place: `x` and `y`, `fromRow` and `fromColumn`. */
function pairsIn(fields: Fields): readonly Named[] {
  const names = Object.keys(fields).filter((name) => isPlace(fields[name]));
  return PAIRS.flatMap(([columnName, rowName]) =>
    names.flatMap((column) => {
      const prefix = columnName.exec(column)?.[1];
      if (prefix === undefined) return [];
      const row = names.find((name) => name !== column && rowName.exec(name)?.[1] === prefix);
      return row === undefined ? [] : [makePair(fields, column, row)];
    }),
  );
}

function makePair(fields: Fields, column: string, row: string): Named {
  const point = {
    kind: 'at',
    column: fields[column] as number,
    row: fields[row] as number,
  } as const;
  return { names: [column, row], points: [point] };
}

/** The place or places that one value names; null where it names none. */
function pointOf(name: string, value: unknown): readonly Point[] | null {
  if (isAmount(name)) return null;
  if (isPlace(value)) {
    if (COLUMN.test(name)) return [{ kind: 'column', column: value }];
    return [ROW.test(name) ? { kind: 'row', row: value } : { kind: 'cell', index: value }];
  }
  if (Array.isArray(value)) return pointsIn(value, isWay(name));
  if (typeof value !== 'object' || value === null || name === '') return null;
  const [pair, ...more] = pairsIn(value as Fields);
  const isWhole = pair !== undefined && more.length === 0 && Object.keys(value).length === 2;
  return isWhole ? pair.points : null;
}

/** A pair `[row, column]`, or a path over several cells. */
function pointsIn(list: readonly unknown[], isList: boolean): readonly Point[] | null {
  if (list.length === 0) return null;
  if (list.every(isPlace)) {
    const [row, column] = list as readonly [number, number];
    if (list.length === 2 && !isList) return [{ kind: 'at', row, column }];
    return isList ? list.map((index) => ({ kind: 'cell', index })) : null;
  }
  const points = list.map((each) => (isPlace(each) ? null : pointOf('at', each)));
  return points.every((each) => each?.length === 1) ? points.flatMap((each) => each!) : null;
}

function isPlace(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
