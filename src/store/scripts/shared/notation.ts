/**
 * The notation of statements in scripts: one text, translated for each database.
 *
 * - `:name` is a value.
 * - `IN :name(type)` and `NOT IN :name(type)` search a list of values.
 * - `@name(column type, …)` is a table of given rows to select from, called `name`. A column
 * `player_id` is the field `playerId` of a row. A column of type `place` is the row's index, from
 * 0.
 * - `json_agg`, `json_build_array` and `json_build_object` are named as in PostgreSQL.
 * - `FOR UPDATE` and the like, `LOCK TABLE …`, and casts (`:game::text`) are for PostgreSQL; SQLite
 * gets the text without them.
 * - Rows locked up to a limit belong in a `WITH`: a subquery may run once for each row of a join.
 * - `strpos(text, part)` is SQLite's `instr`.
 * - `now_ms()` is the time in ms since 1970. PostgreSQL uses its own clock, because nodes' clocks
 * differ; SQLite the clock of the connection, or the machine's, once per statement.
 * - `holds_any(text, :name(any))` tests whether a text contains one of a list of texts, in one
 * search.
 */

export type Scalar = string | number | boolean | null | Uint8Array;
/** Fields that a statement does not name are ignored; an absent one is null. */
export type GivenRow = object;
export type Values = Readonly<Record<string, Scalar | readonly Scalar[] | readonly GivenRow[]>>;

export interface Column {
  readonly name: string;
  /** PostgreSQL's name for it, or `place`. */
  readonly type: string;
  /** The field of a row. */
  readonly field: string;
}

/** A part of a statement: text, or a placeholder. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly name: string }
  | { readonly kind: 'any'; readonly name: string }
  | { readonly kind: 'now'; readonly name: typeof NOW }
  | { readonly kind: 'list'; readonly name: string; readonly type: string; readonly isNot: boolean }
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly Column[] };

const NOW = 'now_ms()';
/** With the brackets right behind it, if there are any. */
const MARKED = /\bnow_ms\(\)|[@:][a-z]\w{0,39}(?:\([^()]{1,900}\))?/g;
/** Followed by this it is a cast, or part of a text. */
const UNMARKED = /[:'\w]/;
const AMONG = 'IN ';
const NOT = 'NOT ';

export function parseStatement(text: string): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  const take = (to: number, part: Part, end: number): void => {
    parts.push({ kind: 'text', text: text.slice(from, to) }, part);
    from = end;
  };
  for (const { index, 0: marked } of text.matchAll(MARKED)) {
    if (UNMARKED.test(text[index - 1] ?? '')) continue;
    if (marked === NOW) {
      take(index, { kind: 'now', name: NOW }, index + marked.length);
      continue;
    }
    const [name, inBrackets] = marked.slice(1).replace(')', '').split('(') as [string, string?];
    const end = index + marked.length;
    if (marked.startsWith('@')) {
      if (inBrackets === undefined) throw new Error(`${marked} has no columns`);
      take(index, { kind: 'table', name, columns: parseColumns(inBrackets) }, end);
    } else if (inBrackets === 'any') {
      take(index, { kind: 'any', name }, end);
    } else if (inBrackets !== undefined && text.slice(from, index).endsWith(AMONG)) {
      const before = text.slice(from, index - AMONG.length);
      const isNot = before.endsWith(NOT);
      const to = index - AMONG.length - (isNot ? NOT.length : 0);
      take(to, { kind: 'list', name, type: inBrackets, isNot }, end);
    } else take(index, { kind: 'value', name }, index + 1 + name.length);
  }
  return [...parts, { kind: 'text', text: text.slice(from) }];
}

function parseColumns(text: string): Column[] {
  return text.split(',').map((each) => {
    const [name, type] = each.trim().split(/\s+/);
    if (type === undefined) throw new Error(`a given column has no type: ${each}`);
    return { name: name!, type, field: fieldOf(name!) };
  });
}

/** The row's field for a column. */
export function fieldOf(column: string): string {
  return column.replaceAll(/_(\w)/g, (_, c: string) => c.toUpperCase());
}

/** A value for a statement. Throws if the statement names one that is not given. */
export function scalarOf(values: Values, name: string): Scalar {
  const value = givenOf(values, name);
  if (Array.isArray(value)) throw new Error(`:${name} is given a list`);
  return value as Scalar;
}

export function listOf(values: Values, name: string): readonly Scalar[] {
  return arrayOf(values, name) as readonly Scalar[];
}

export function rowsOf(values: Values, name: string): readonly GivenRow[] {
  return arrayOf(values, name) as readonly GivenRow[];
}

function arrayOf(values: Values, name: string): readonly unknown[] {
  const value = givenOf(values, name);
  if (!Array.isArray(value)) throw new Error(`${name} is given no list`);
  return value;
}

function givenOf(values: Values, name: string): Values[string] {
  const value = values[name];
  if (value === undefined) throw new Error(`a statement names ${name}, which is not given`);
  return value;
}

/** Numbers the values in the order in which they are first named, each once. */
export function makePlaces(): (name: string, count: number) => number {
  const places = new Map<string, number>();
  let taken = 0;
  return (name, count) => {
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, taken + 1);
    taken += count;
    return taken - count + 1;
  };
}
