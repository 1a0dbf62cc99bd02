/** Statements of scripts in PostgreSQL's terms. */

import { POSTGRES_NOW } from '../../schema/clocks.ts';
import type { Dialect } from '../../scripts/shared/dialect.ts';
import {
  listOf,
  makePlaces,
  type Part,
  parseStatement,
  rowsOf,
  type Scalar,
  scalarOf,
  type Values,
} from '../../scripts/shared/notation.ts';
import type { Bind as BindStatement, Value } from './sql.ts';

export const POSTGRES: Dialect = {
  sessionsOfPairs: `session_metadata AS pairs CROSS JOIN LATERAL (
    SELECT * FROM session WHERE session.id = pairs.session LIMIT 1) AS session`,
  sessionsOfSeats: 'seat JOIN session ON session.id = seat.session',
  openSessionsOfGame: 'session',
};

type Given = Extract<Part, { kind: 'table' }>;
/** The values of a name: one value, or a list for each column. */
type Bind = (values: Values) => readonly Value[];

interface Written {
  readonly text: string;
  /** One for each name, in the order of `$1`, `$2` and so on. */
  readonly binds: readonly Bind[];
}

/** Binds a statement: given values become `$1` and so on, and each column of given rows a list. */
export function makeBinder(): BindStatement {
  const known = new Map<string, Written>();
  return (text, values) => {
    let written = known.get(text);
    if (written === undefined) {
      written = write(parseStatement(text));
      known.set(text, written);
    }
    return [written.text, ...written.binds.flatMap((bind) => bind(values))];
  };
}

function write(parts: readonly Part[]): Written {
  const take = makePlaces();
  const binds = new Map<string, Bind>();
  const text = parts.map((part) => {
    const isGiven = part.kind !== 'text' && part.kind !== 'now';
    if (isGiven && !binds.has(part.name)) binds.set(part.name, bindOf(part));
    return writePart(part, take);
  });
  return { text: text.join(''), binds: [...binds.values()] };
}

function writePart(part: Part, take: ReturnType<typeof makePlaces>): string {
  switch (part.kind) {
    case 'text':
      return part.text.replaceAll('holds_any(', 'textregexeq(');
    case 'now':
      return POSTGRES_NOW;
    case 'any':
    case 'value':
      return `$${take(part.name, 1)}`;
    case 'list':
      return `${part.isNot ? '<> ALL' : '= ANY'}($${take(part.name, 1)}::${part.type}[])`;
    case 'table':
      return tableText(part, take(part.name, givenOf(part).length));
  }
}

function bindOf(part: Exclude<Part, { kind: 'text' | 'now' }>): Bind {
  switch (part.kind) {
    case 'value':
      return (values) => [scalarOf(values, part.name)];
    case 'any':
      return (values) => [expressionOf(listOf(values, part.name))];
    case 'list':
      return (values) => [listOf(values, part.name) as Value];
    case 'table':
      return bindColumns(part);
  }
}

/** Matches a text that contains one of these texts. */
function expressionOf(texts: readonly Scalar[]): string {
  return texts.map((text) => escapeText(String(text))).join('|');
}

/** Outside ASCII no character has a meaning in a regular expression. */
function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are among those that may stand there.
  return text.replaceAll(/[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/g, '\\$&');
}

function givenOf({ columns }: Given) {
  return columns.filter(({ type }) => type !== 'place');
}

function bindColumns(part: Given): Bind {
  const fields = givenOf(part).map(({ field }) => field);
  return (values) => {
    const rows = rowsOf(values, part.name);
    return fields.map(
      (field) => rows.map((row): unknown => Reflect.get(row, field) ?? null) as Value,
    );
  };
}

function tableText(part: Given, first: number): string {
  const given = givenOf(part);
  const lists = given.map(({ type }, i) => `$${first + i}::${type}[]`).join(', ');
  const names = given.map(({ name }) => name).join(', ');
  const place = part.columns.find(({ type }) => type === 'place');
  if (place === undefined) return `unnest(${lists}) AS ${part.name} (${names})`;
  // PostgreSQL counts from 1.
  return `(SELECT ${names}, place - 1 AS ${place.name} FROM unnest(${lists}) WITH ORDINALITY AS given (${names}, place)) AS ${part.name}`;
}
