/** Statements of scripts in SQLite's terms. */

import type { SQLInputValue } from 'node:sqlite';
import type { Row } from '../../rows/row.ts';
import { SQLITE_NOW } from '../../schema/clocks.ts';
import type { Dialect } from '../../scripts/shared/dialect.ts';
import {
  fieldOf,
  type GivenRow,
  listOf,
  makePlaces,
  type Part,
  parseStatement,
  rowsOf,
  type Scalar,
  scalarOf,
  type Values,
} from '../../scripts/shared/notation.ts';
import { OF_ROW, type Returned, toByRow } from './by-row.ts';

/** A text, and the values for its `?1`, `?2` and so on, for one run. */
export interface Bound {
  readonly text: string;
  readonly runs: readonly (readonly SQLInputValue[])[];
  /** What a run that wrote its row returns, if the statement itself returns nothing. */
  readonly returned?: (run: number) => Row;
}

export const SQLITE: Dialect = {
  sessionsOfPairs: 'session_metadata AS pairs CROSS JOIN session ON session.id = pairs.session',
  sessionsOfSeats: 'seat CROSS JOIN session ON session.id = seat.session',
  openSessionsOfGame: 'session INDEXED BY session_open_game',
};

export type Binder = (text: string, values: Values) => Bound;

type Clock = (() => number) | undefined;
type Named = Exclude<Part, { kind: 'text' }>;
type Given = Extract<Part, { kind: 'table' }>;

/** One transaction runs at a time: there is nothing to lock. */
const LOCKS =
  /\bFOR (?:NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)(?: OF [\w, ]{1,80})?(?: SKIP LOCKED)?/g;
/**
 * A failure throws and rolls the transaction back, so SQLite need not be able to undo the statement
 * alone. For that it would copy each page before writing it (23 µs per session instead of 6,
 * measured).
 */
const WRITES = /\b(INSERT(?= INTO\b)|UPDATE(?= \w+\s+SET\b))/g;
/** A lock on a whole table: nothing is left of such a statement. */
const TABLE_LOCK = /^LOCK TABLE .+$/;
const CASTS = /::\w+(?:\[\])?/g;
/** Functions under PostgreSQL's names. */
const FUNCTIONS = /\b(?:json_agg|json_build_array|json_build_object|strpos)(?=\()/g;
const NAMES = {
  json_agg: 'json_group_array',
  json_build_array: 'json_array',
  json_build_object: 'json_object',
  strpos: 'instr',
};

/** Up to this many rows, those of a match's players, binding field by field is cheaper than JSON (measured). */
const FIELD_BY_FIELD_MAX = 2;

/** A parsed statement. */
interface Known {
  readonly parts: readonly Part[];
  /** Its values, each once, in binding order. */
  readonly given: readonly Named[];
  readonly tables: readonly Given[];
  readonly lists: readonly Named[];
  /** By how many rows its tables have, and which lists have one value, as far as the text depends on that. */
  readonly texts: Map<string, string>;
}

/**
 * Binds a statement. One or two given rows are bound field by field, more as one JSON text. `clock`
 * is the time for `now_ms()` (default: the machine's).
 */
export function makeBinder(clock?: () => number): Binder {
  const isTold = clock !== undefined;
  const statements = new Map<string, Known | KnownByRow>();
  return (text, values) => {
    let known = statements.get(text);
    if (known === undefined) {
      known = readByRow(text, isTold) ?? read(text, isTold);
      statements.set(text, known);
    }
    if ('binds' in known) return bindByRow(known, values, clock);
    const bound: SQLInputValue[] = [];
    for (const each of known.given) bindTo(bound, each, values, clock);
    return { text: textOf(known, values), runs: [bound] };
  };
}

/** A statement that is run once per given row. */
interface KnownByRow {
  readonly text: string;
  /** The name of the given rows. */
  readonly name: string;
  /** By index: the field of a row, or another given value. */
  readonly binds: readonly (string | Named)[];
  readonly returned: readonly Returned[] | null;
}

function readByRow(text: string, isTold: boolean): KnownByRow | null {
  const byRow = toByRow(text);
  if (byRow === null) return null;
  const { parts, given } = read(byRow.text, isTold);
  const binds = given.map((part) =>
    part.name.startsWith(OF_ROW) ? fieldOf(part.name.slice(OF_ROW.length)) : part,
  );
  const returned =
    byRow.returned?.map(({ column, field }) => ({ column, field: fieldOf(field) })) ?? null;
  return { text: write(parts, {}), name: byRow.name, binds, returned };
}

function bindByRow(known: KnownByRow, values: Values, clock: Clock): Bound {
  const { text, name, binds, returned } = known;
  const rows = rowsOf(values, name);
  const runs = rows.map((row) => {
    const bound: SQLInputValue[] = [];
    for (const bind of binds) {
      if (typeof bind !== 'string') bindTo(bound, bind, values, clock);
      else bound.push(inputOf((Reflect.get(row, bind) ?? null) as Scalar));
    }
    return bound;
  });
  if (returned === null) return { text, runs };
  return { text, runs, returned: (run) => rowOf(rows[run]!, returned) };
}

function rowOf(row: GivenRow, returned: readonly Returned[]): Row {
  const values: Record<string, SQLInputValue> = {};
  for (const { column, field } of returned) {
    values[column] = inputOf((Reflect.get(row, field) ?? null) as Scalar);
  }
  return values;
}

function textOf({ parts, tables, lists, texts }: Known, values: Values): string {
  let shape = '';
  for (const { name } of tables) shape += `${boundRows(rowsOf(values, name))} `;
  for (const { name } of lists) shape += isOne(values, name) ? '1' : '*';
  let written = texts.get(shape);
  if (written === undefined) {
    written = write(parts, values);
    texts.set(shape, written);
  }
  return written;
}

function isOne(values: Values, name: string): boolean {
  return listOf(values, name).length === 1;
}

/** `isTold`: the time is a given value. */
function read(text: string, isTold: boolean): Known {
  const parts = parseStatement(withoutLockOrder(text)).map(
    (part): Part => (part.kind === 'now' && !isTold ? { kind: 'text', text: SQLITE_NOW } : part),
  );
  const named = new Map<string, Named>();
  for (const part of parts)
    if (part.kind !== 'text' && !named.has(part.name)) named.set(part.name, part);
  const given = [...named.values()];
  const tables = given.filter((part): part is Given => part.kind === 'table');
  const lists = given.filter(({ kind }) => kind === 'list');
  return { parts, given, tables, lists, texts: new Map() };
}

const ORDER = 'ORDER BY';
const LOCK = 'FOR UPDATE';

/** In DELETE and UPDATE an order only says in which order rows are locked. */
function withoutLockOrder(text: string): string {
  const start = text.trimStart();
  const lock = text.indexOf(LOCK);
  const order = text.lastIndexOf(ORDER, lock);
  const isChange = start.startsWith('DELETE') || start.startsWith('UPDATE');
  if (!isChange || order < 0 || lock < order) return text;
  const between = text.slice(order, lock);
  return between.includes('LIMIT') || between.includes('(')
    ? text
    : `${text.slice(0, order)}${text.slice(lock)}`;
}

function write(parts: readonly Part[], values: Values): string {
  const take = makePlaces();
  return parts.map((part) => writePart(part, values, take)).join('');
}

function writePart(part: Part, values: Values, take: ReturnType<typeof makePlaces>): string {
  switch (part.kind) {
    case 'text':
      return plainText(part.text);
    case 'now':
    case 'any':
    case 'value':
      return `?${take(part.name, 1)}`;
    case 'list': {
      const place = `?${take(part.name, 1)}`;
      const list = isOne(values, part.name) ? place : `SELECT value FROM json_each(${place})`;
      return `${part.isNot ? 'NOT ' : ''}IN (${list})`;
    }
    case 'table': {
      const rows = boundRows(rowsOf(values, part.name));
      const first = take(part.name, rows === 0 ? 1 : rows * fieldsOf(part).length);
      return rows === 0 ? manyRows(part, first) : fewRows(part, first, rows);
    }
  }
}

function plainText(text: string): string {
  return text
    .replace(TABLE_LOCK, '')
    .replaceAll(LOCKS, '')
    .replaceAll(CASTS, '')
    .replaceAll(WRITES, '$1 OR FAIL')
    .replaceAll(FUNCTIONS, (name) => NAMES[name as keyof typeof NAMES]);
}

/** How many rows are bound field by field; 0: as JSON. */
function boundRows(rows: readonly GivenRow[]): number {
  return rows.length <= FIELD_BY_FIELD_MAX ? rows.length : 0;
}

function fewRows({ name, columns }: Given, first: number, rows: number): string {
  let at = first;
  const selected = Array.from({ length: rows }, (_, row) => {
    const values = columns.map((column) =>
      column.type === 'place' ? `${row} AS ${column.name}` : `?${at++} AS ${column.name}`,
    );
    return `SELECT ${values.join(', ')}`;
  });
  return `(${selected.join(' UNION ALL ')}) AS ${name}`;
}

function manyRows({ name, columns }: Given, at: number): string {
  let i = 0;
  const selected = columns.map((column) =>
    column.type === 'place' ? `key AS ${column.name}` : `value ->> ${i++} AS ${column.name}`,
  );
  // With `json_each`, each column would be written as text and parsed again.
  return `(SELECT ${selected.join(', ')} FROM jsonb_each(?${at})) AS ${name}`;
}

function bindTo(bound: SQLInputValue[], part: Named, values: Values, clock: Clock): void {
  if (part.kind === 'now') bound.push(clock!());
  else if (part.kind === 'value') bound.push(inputOf(scalarOf(values, part.name)));
  else if (part.kind === 'list' && isOne(values, part.name)) {
    bound.push(inputOf(listOf(values, part.name)[0]!));
  } else if (part.kind !== 'table') bound.push(JSON.stringify(listOf(values, part.name)));
  else {
    const rows = rowsOf(values, part.name);
    const fields = fieldsOf(part);
    const tuple = (row: GivenRow): Scalar[] =>
      fields.map((field) => (Reflect.get(row, field) ?? null) as Scalar);
    if (boundRows(rows) > 0) {
      for (const row of rows) for (const value of tuple(row)) bound.push(inputOf(value));
    } else bound.push(JSON.stringify(rows.map(tuple)));
  }
}

function fieldsOf({ columns }: Given): string[] {
  return columns.filter(({ type }) => type !== 'place').map(({ field }) => field);
}

function inputOf(value: Scalar): SQLInputValue {
  return typeof value === 'boolean' ? Number(value) : value;
}
