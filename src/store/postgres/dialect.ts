/** Statements of scripts in PostgreSQL's terms. */

import {
  listOf,
  type Part,
  parseStatement,
  rowsOf,
  scalarOf,
  type Values,
} from '../scripts/notation.ts';
import type { Value } from './sql.ts';

type Given = Extract<Part, { kind: 'table' }>;
type Bind = (values: Values) => Value | readonly Value[];

interface Written {
  readonly text: string;
  /** One for each name, in the order of their `$1`, `$2` and so on. */
  readonly binds: readonly Bind[];
}

/** Binds a statement: what is given to it becomes `$1` and so on, and each column of given rows a list. */
export function makeBinder(): (text: string, values: Values) => readonly [string, ...Value[]] {
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
  const places = new Map<string, number>();
  const binds: Bind[] = [];
  let count = 0;
  const take = (name: string, n: number, bind: Bind): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    binds.push(bind);
    places.set(name, count + 1);
    count += n;
    return count - n + 1;
  };
  const text = parts.map((part) => {
    switch (part.kind) {
      case 'text':
        return part.text;
      case 'value':
        return `$${take(part.name, 1, (values) => [scalarOf(values, part.name)])}`;
      case 'list': {
        const at = take(part.name, 1, (values) => [listOf(values, part.name) as Value]);
        return `${part.isNot ? '<> ALL' : '= ANY'}($${at}::${part.type}[])`;
      }
      case 'table':
        return tableText(part, take(part.name, givenOf(part).length, bindColumns(part)));
    }
  });
  return { text: text.join(''), binds };
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
  // Places are counted from 1 there.
  return `(SELECT ${names}, place - 1 AS ${place.name} FROM unnest(${lists}) WITH ORDINALITY AS given (${names}, place)) AS ${part.name}`;
}
