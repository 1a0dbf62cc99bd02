/** A view as the parts of a board: grids, chips, tables by player, facts, and sections of these. Pure. */

import type { Cell } from './cell.ts';
import { makeCell, readNumbers } from './cell.ts';
import type { GridSize } from './grid-size.ts';
import { sizeOf } from './grid-size.ts';
import { namedAs } from './named.ts';

/** A part's path in the view, e.g. `board` or `players.0.hand`; empty for the view itself. */
export type Path = string;

export interface GridPart {
  readonly kind: 'grid';
  readonly path: Path;
  /** The field's own name, as the game's author wrote it. */
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  /** The view's content, row by row. */
  readonly values: readonly unknown[];
}

/** Cards, tiles, dice: short things in a row. */
export interface ChipsPart {
  readonly kind: 'chips';
  readonly path: Path;
  readonly name: string;
  readonly values: readonly unknown[];
  readonly texts: readonly string[];
}

/** One column for each field that has a value for every seat, or for every object of a list. */
export interface TablePart {
  readonly kind: 'table';
  /** Whether its rows are the seats. */
  readonly isBySeat: boolean;
  readonly columns: readonly TableColumn[];
}

export interface TableColumn {
  readonly name: string;
  /** By row; undefined if an object has no such field. */
  readonly values: readonly unknown[];
}

export interface FactsPart {
  readonly kind: 'facts';
  readonly facts: readonly Fact[];
}

export interface Fact {
  readonly name: string;
  readonly value: unknown;
}

export interface SectionPart {
  readonly kind: 'section';
  readonly path: Path;
  readonly name: string;
  /** The seat that a section is about; null if it is not about one. */
  readonly seat: number | null;
  readonly parts: readonly Part[];
}

export type Part = GridPart | ChipsPart | TablePart | FactsPart | SectionPart;

/** Fields of the view only, which the page shows separately. */
const SHOWN_BY_PAGE: ReadonlySet<string> = new Set(['turn', 'seat', 'acting']);
/** Names of rows of things that are not boards, even if their number is a square. */
const isRowName = namedAs(
  'hand card deck pile rack tile dice pool bag stock discard meld trick bid log history moves',
);
/** Names of counts, which are not things themselves. */
const isCountName = namedAs('count left size total score number worth');
/** Names of boards, even if each of their cells holds something else. */
const isBoardName = namedAs('board grid cell square field map ground');
const CHIP_CHARS_MAX = 24;
/** For an object of several fields: more fields are easier to read in a table. */
const THING_CHARS_MAX = 12;
/** The length to which a list or a text is truncated, because a view may be of any size. */
export const LIST_MAX = 200;
const GRID_CELLS_MAX = 1_600;
const DEPTH_MAX = 5;

type Fields = Readonly<Record<string, unknown>>;

/** `columns` is a board's width if the view does not give it; null when unknown. */
export function layOut(
  view: unknown,
  seats: number,
  columns: number | null = null,
): readonly Part[] {
  const place = { seats, columns, siblings: {}, depth: 0 };
  if (!isFields(view)) return partOf('', '', view, place);
  const hidden = Object.keys(view).filter(
    (name) => SHOWN_BY_PAGE.has(name) && isScalar(view[name]),
  );
  return fieldsOf('', view, place, new Set(hidden));
}

/** All parts, including those within sections, from the top. */
export function allParts(parts: readonly Part[]): readonly Part[] {
  return parts.flatMap((part) =>
    part.kind === 'section' ? [part, ...allParts(part.parts)] : [part],
  );
}

/** The cells of a grid. `targets` are those that an action may name. */
export function cellsOf(
  { values }: GridPart,
  seats: number,
  targets: readonly number[],
): readonly Cell[] {
  const numbers = readNumbers(values, seats, targets);
  return values.map((value) => makeCell(value, seats, numbers));
}

interface Place {
  readonly seats: number;
  readonly columns: number | null;
  /** Adjacent fields, which may give its width. */
  readonly siblings: Fields;
  readonly depth: number;
}

/** The parts of an object: playable ones first, then information. */
function fieldsOf(
  path: Path,
  fields: Fields,
  place: Place,
  hidden: ReadonlySet<string> = new Set(),
): readonly Part[] {
  const entries = Object.entries(fields).filter(([name]) => !hidden.has(name));
  const inner = { ...place, siblings: fields };
  // Fields that only give a board's width are left out.
  const sizes = new Set(
    entries.flatMap(([name, value]) => gridSize(name, value, inner)?.named ?? []),
  );
  const table: TableColumn[] = [];
  const facts: Fact[] = [];
  const others: Part[] = [];
  for (const [name, value] of entries) {
    if (sizes.has(name)) continue;
    if (isTable(name, value, place.seats)) table.push({ name, values: value });
    else if (isScalar(value) && gridSize(name, value, inner) === null) facts.push({ name, value });
    else others.push(...partOf(joined(path, name), name, value, inner));
  }
  const ofKind = (kind: Part['kind']): readonly Part[] =>
    others.filter((part) => part.kind === kind);
  return [
    ...ofKind('grid'),
    ...ofKind('chips'),
    ...(table.length > 0 ? [{ kind: 'table', isBySeat: true, columns: table } as const] : []),
    ...(facts.length > 0 ? [{ kind: 'facts', facts } as const] : []),
    ...others.filter(({ kind }) => kind !== 'grid' && kind !== 'chips'),
  ];
}

/** The parts that show one value. */
function partOf(path: Path, name: string, value: unknown, place: Place): readonly Part[] {
  const size = gridSize(name, value, place);
  if (size !== null) {
    const { columns, rows, values } = size;
    return [{ kind: 'grid', path, name, columns, rows, values }];
  }
  if (isScalar(value)) return [{ kind: 'facts', facts: [{ name, value }] }];
  if (place.depth >= DEPTH_MAX) {
    return [{ kind: 'facts', facts: [{ name, value: JSON.stringify(value) }] }];
  }
  const deeper = { ...place, depth: place.depth + 1 };
  if (!Array.isArray(value)) {
    const parts = fieldsOf(path, value as Fields, deeper);
    return parts.length === 0 ? [] : [{ kind: 'section', path, name, seat: null, parts }];
  }
  const list: readonly unknown[] = value;
  const isSeats = list.length === place.seats && place.seats > 1 && !isRowName(name);
  if (list.every(isFields) && isSeats) return recordsOf(path, name, list, true, deeper);
  const texts = list.map(chipText);
  if (texts.every((text) => text !== null)) {
    return [{ kind: 'chips', path, name, values: list, texts }];
  }
  return list.every(isFields)
    ? recordsOf(path, name, list.slice(0, LIST_MAX), false, deeper)
    : [listSection(path, name, list, deeper)];
}

/** Consecutive objects: short fields as a table, longer ones below it. */
function recordsOf(
  path: Path,
  name: string,
  list: readonly Fields[],
  isBySeat: boolean,
  place: Place,
): readonly Part[] {
  const names = [...new Set(list.flatMap((each) => Object.keys(each)))];
  const short = names.filter((field) =>
    list.every((each) => !Object.hasOwn(each, field) || isScalar(each[field])),
  );
  const columns = short.map((field) => ({
    name: field,
    values: list.map((each) => (Object.hasOwn(each, field) ? each[field] : undefined)),
  }));
  const rest = list.flatMap((each, index): Part[] => {
    const own = joined(path, `${index}`);
    const parts = fieldsOf(own, each, place, new Set(short));
    const seat = isBySeat ? index : null;
    return parts.length === 0
      ? []
      : [{ kind: 'section', path: own, name: `${index + 1}`, seat, parts }];
  });
  const table: readonly Part[] = columns.length === 0 ? [] : [{ kind: 'table', isBySeat, columns }];
  return [{ kind: 'section', path, name, seat: null, parts: [...table, ...rest] }];
}

/** A list of objects that have parts. */
function listSection(
  path: Path,
  name: string,
  list: readonly unknown[],
  place: Place,
): SectionPart {
  const isSeats = list.length === place.seats && place.seats > 1;
  const rows = list.slice(0, LIST_MAX).flatMap((each, index): Part[] => {
    // Another player's hand is hidden.
    if (each === null) return [];
    const own = joined(path, `${index}`);
    const inner = { ...place, siblings: {} };
    const parts = isFields(each) ? fieldsOf(own, each, inner) : partOf(own, '', each, inner);
    const seat = isSeats ? index : null;
    return [{ kind: 'section', path: own, name: `${index + 1}`, seat, parts }];
  });
  return { kind: 'section', path, name, seat: null, parts: rows };
}

/** The size of a board; null for everything else. */
function gridSize(name: string, value: unknown, place: Place): GridSize | null {
  const { siblings, seats, columns } = place;
  const isCalledBoard = isBoardName(name);
  // A text is a board only if its name says so.
  if (!isCalledBoard && (typeof value === 'string' || isRowName(name))) return null;
  const size = sizeOf(value, siblings) ?? (isCalledBoard ? sizeOf(value, { columns }) : null);
  if (size === null || size.values.length > GRID_CELLS_MAX) return null;
  if (isCalledBoard || size.named.length > 0) return size;
  const isNested = (value as readonly unknown[]).every((row) => Array.isArray(row));
  if (isNested) return size.rows === seats ? null : size;
  return looksLikeCells(size.values) ? size : null;
}

/** Cells are often empty or the same; cards in a hand rarely are. */
function looksLikeCells(values: readonly unknown[]): boolean {
  if (values.some((value) => value === null || value === '')) return true;
  const different = new Set(values.map((value) => JSON.stringify(value)));
  return different.size * 2 <= values.length;
}

function isTable(name: string, value: unknown, seats: number): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length !== seats || seats < 2) return false;
  const isRow = isRowName(name) && !isCountName(name);
  return value.every(isScalar) && !isRow && !isBoardName(name);
}

/** A short text for a thing in a row; null for none. */
function chipText(value: unknown): string | null {
  if (value === null) return '';
  if (typeof value === 'number') return `${value}`;
  if (typeof value === 'string') return [...value].length <= CHIP_CHARS_MAX ? value : null;
  if (!isFields(value)) return null;
  const words = Object.values(value).map((each) => (isScalar(each) ? `${each ?? ''}` : null));
  if (words.length === 0 || words.some((word) => word === null)) return null;
  const text = words.filter((word) => word !== '').join(' ');
  return [...text].length <= THING_CHARS_MAX ? text : null;
}

export function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function joined(path: Path, name: string): Path {
  return path === '' ? name : `${path}.${name}`;
}
