/** Statements of scripts in SQLite's terms. */

import type { SQLInputValue } from 'node:sqlite';
import { SQLITE_NOW } from '../schema/clocks.ts';
import type { Dialect } from '../scripts/dialect.ts';
import {
  type GivenRow,
  listOf,
  makePlaces,
  type Part,
  parseStatement,
  rowsOf,
  type Scalar,
  scalarOf,
  type Values,
} from '../scripts/notation.ts';

/** A text, and what is bound to its `?1`, `?2` and so on. */
export interface Bound {
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

export const SQLITE: Dialect = {
  sessionsOfPairs: 'session_metadata AS pairs CROSS JOIN session ON session.id = pairs.session',
  sessionsOfSeats: 'seat CROSS JOIN session ON session.id = seat.session',
  openSessionsOfGame: 'session INDEXED BY session_open_game',
};

type Named = Exclude<Part, { kind: 'text' }>;
type Given = Extract<Part, { kind: 'table' }>;

/** One transaction is under way at a time: there is nothing to lock. */
const LOCKS =
  /\bFOR (?:NO KEY UPDATE|KEY SHARE|UPDATE|SHARE)(?: OF [\w, ]{1,80})?(?: SKIP LOCKED)?/g;
/** Of a whole table: nothing is left of such a statement. */
const TABLE_LOCK = /^LOCK TABLE .+$/;
const CASTS = /::\w+(?:\[\])?/g;
/** Functions by PostgreSQL's names. */
const FUNCTIONS = /\b(?:json_agg|json_build_array|json_build_object|strpos)(?=\()/g;
const NAMES = {
  json_agg: 'json_group_array',
  json_build_array: 'json_array',
  json_build_object: 'json_object',
  strpos: 'instr',
};

/** So many rows, those of a match's players, cost less when they are bound field by field than as JSON (measured). */
const FIELD_BY_FIELD_MAX = 2;

/** A statement that was read once. */
interface Known {
  readonly parts: readonly Part[];
  /** What is given to it, each once, in the order of their places. */
  readonly given: readonly Named[];
  readonly tables: readonly Given[];
  /** By how many rows its tables have, as far as the text depends on it. */
  readonly texts: Map<string, string>;
}

/**
 * Binds a statement. One or two given rows are bound field by field, more as one text of JSON. `clock` tells `now_ms()`
 * (default: the machine's).
 */
export function makeBinder(clock?: () => number): (text: string, values: Values) => Bound {
  const statements = new Map<string, Known>();
  return (text, values) => {
    let known = statements.get(text);
    if (known === undefined) {
      known = read(text);
      statements.set(text, known);
    }
    const { parts, given, tables, texts } = known;
    let shape = '';
    for (const { name } of tables) shape += `${boundRows(rowsOf(values, name))} `;
    let written = texts.get(shape);
    if (written === undefined) {
      written = write(parts, values, clock !== undefined);
      texts.set(shape, written);
    }
    const bound: SQLInputValue[] = [];
    for (const each of given) {
      if (each.kind !== 'now') bindTo(bound, each, values);
      else if (clock !== undefined) bound.push(clock());
    }
    return { text: written, values: bound };
  };
}

function read(text: string): Known {
  const parts = parseStatement(text);
  const given = new Map<string, Named>();
  for (const part of parts)
    if (part.kind !== 'text' && !given.has(part.name)) given.set(part.name, part);
  const tables = [...given.values()].filter((part): part is Given => part.kind === 'table');
  return { parts, given: [...given.values()], tables, texts: new Map() };
}

/** `isTold`: the time is given. */
function write(parts: readonly Part[], values: Values, isTold: boolean): string {
  const take = makePlaces();
  return parts
    .map((part) => (part.kind === 'now' && !isTold ? SQLITE_NOW : writePart(part, values, take)))
    .join('');
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
      const list = `(SELECT value FROM json_each(?${take(part.name, 1)}))`;
      return `${part.isNot ? 'NOT ' : ''}IN ${list}`;
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
    .replaceAll(FUNCTIONS, (name) => NAMES[name as keyof typeof NAMES]);
}

/** How many are bound field by field; 0: as JSON. */
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
  // Of `json_each` each column would be written as text and parsed once more.
  return `(SELECT ${selected.join(', ')} FROM jsonb_each(?${at})) AS ${name}`;
}

function bindTo(
  bound: SQLInputValue[],
  part: Exclude<Named, { kind: 'now' }>,
  values: Values,
): void {
  if (part.kind === 'value') bound.push(inputOf(scalarOf(values, part.name)));
  else if (part.kind !== 'table') bound.push(JSON.stringify(listOf(values, part.name)));
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
