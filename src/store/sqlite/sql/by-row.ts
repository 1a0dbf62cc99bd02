/**
 * Turns statements over given rows that do not depend on each other into plain ones, run row by
 * row: in SQLite each costs half its share of one statement that reads a table of them (decision
 * 0040). They are recognized by their form:
 *
 * - `INSERT INTO … SELECT … FROM @given(…)`, with `WHERE TRUE`, `ORDER BY`, `ON CONFLICT`,
 * `RETURNING`;
 * - `UPDATE … SET … FROM @given(…) WHERE …`;
 * - `SELECT` or `DELETE … WHERE (…) IN (SELECT … FROM @given(…))`, where no row is given twice.
 */

/** The prefix that keeps a row's fields apart from other values. */
export const OF_ROW = 'row_of_';

export interface ByRow {
  /** In the notation of scripts. */
  readonly text: string;
  /** The name of the given rows. */
  readonly name: string;
  /**
   * What to return for each written row if it only repeats given values: columns and the fields
   * they come from. For a `RETURNING`, SQLite would build a temporary table, which costs as much as
   * the row.
   */
  readonly returned: readonly Returned[] | null;
}

export interface Returned {
  readonly column: string;
  readonly field: string;
}

/** A statement split around its given rows: the text before, their name and columns, and the text after. */
interface Pieces {
  readonly before: string;
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that are the row's index. */
  readonly places: readonly string[];
  readonly after: string;
}

/** Null for any other form, or if it reads more than one row: the statement is then left as it is. */
export function toByRow(text: string): ByRow | null {
  const pieces = cut(text.trim().split(/\s+/).join(' '));
  if (pieces === null) return null;
  return insertOf(pieces) ?? updateOf(pieces) ?? amongOf(pieces);
}

const FROM = ' FROM @';

function cut(text: string): Pieces | null {
  const from = text.indexOf(FROM);
  const open = text.indexOf('(', from);
  const close = text.indexOf(')', open);
  if (from < 0 || text.indexOf('@', from + FROM.length) > 0) return null;
  const given = text.slice(open + 1, close).split(', ');
  const [places, columns] = [true, false].map((isPlace) =>
    given
      .map((column) => column.split(' '))
      .filter(([, type]) => (type === 'place') === isPlace)
      .map(([column]) => column!),
  ) as [string[], string[]];
  const name = text.slice(from + FROM.length, open);
  return { before: text.slice(0, from), name, columns, places, after: text.slice(close + 1) };
}

const SELECT = ') SELECT ';
const EVERY = ' WHERE TRUE';
const ORDERED = ' ORDER BY ';
const RETURNING = ' RETURNING ';
const ENDS = [' ON CONFLICT', RETURNING];

function insertOf({ before, name, columns, places, after }: Pieces): ByRow | null {
  const select = before.indexOf(SELECT);
  if (!before.startsWith('INSERT INTO ') || select < 0) return null;
  const fields = before.slice(select + SELECT.length);
  let rest = after.startsWith(EVERY) ? after.slice(EVERY.length) : after;
  const behind = Math.min(...ENDS.map((each) => rest.indexOf(each)).filter((at) => at >= 0));
  if (rest.startsWith(ORDERED)) rest = behind === Infinity ? '' : rest.slice(behind);
  const isPlain = rest === '' || ENDS.some((each) => rest.startsWith(each));
  if (!isPlain || fields.includes('SELECT') || names(fields, name, places).length > 0) return null;
  const values = withFields(fields, name, columns, true);
  const into = before.slice(before.indexOf('(') + 1, select).split(', ');
  const returned = returnedOf(rest, into, fields.split(', '), columns);
  const end = returned === null ? rest : rest.slice(0, rest.indexOf(RETURNING));
  return { name, returned, text: `${before.slice(0, select)}) VALUES (${values})${end}` };
}

/** Null if nothing is returned, or only the database knows the values. */
function returnedOf(
  rest: string,
  into: readonly string[],
  fields: readonly string[],
  columns: readonly string[],
): readonly Returned[] | null {
  const [conflict, wanted] = rest.split(RETURNING);
  if (wanted === undefined || into.length !== fields.length) return null;
  const [, set] = conflict!.split(' SET ');
  const assigned = set?.split(' WHERE ')[0]?.split(', ');
  const returned = wanted.split(', ').map((column): Returned | null => {
    const field = fields[into.indexOf(column)] ?? '';
    const isGiven = assigned?.includes(`${column} = excluded.${column}`) ?? true;
    return isGiven && columns.includes(field) ? { column, field } : null;
  });
  return returned.every((each) => each !== null) ? returned : null;
}

function updateOf({ before, name, columns, after }: Pieces): ByRow | null {
  const isPlain = before.startsWith('UPDATE ') && after.startsWith(' WHERE ');
  if (!isPlain || `${before}${after}`.includes('SELECT')) return null;
  return { name, returned: null, text: withFields(`${before}${after}`, name, columns, false) };
}

const AMONG = ' IN (';

function amongOf({ before, name, after }: Pieces): ByRow | null {
  const among = before.lastIndexOf(`)${AMONG}`);
  const where = before.lastIndexOf(' WHERE (', among);
  const isPlain = before.startsWith('SELECT ') || before.startsWith('DELETE ');
  if (!isPlain || where < 0 || among < where || after !== ')') return null;
  const sought = before.slice(where + ' WHERE ('.length, among).split(', ');
  const given = before.slice(among + 1 + AMONG.length).trim();
  if (!given.startsWith('SELECT ')) return null;
  const fields = given.slice('SELECT '.length).split(', ');
  const same = sought.map((column, i) => `${column} = :${OF_ROW}${fields[i]}`);
  return { name, returned: null, text: `${before.slice(0, where)} WHERE ${same.join(' AND ')}` };
}

/** Words together with what gives them another meaning: a value, a text, a column of another table. */
const WORDS = /[\w.:']+/g;

function names(text: string, name: string, columns: readonly string[]): readonly string[] {
  const all: readonly string[] = text.match(WORDS) ?? [];
  return all.filter((word) => columns.some((each) => word === each || word === `${name}.${each}`));
}

/** `isBare`: columns may also be named without their table. */
function withFields(
  text: string,
  name: string,
  columns: readonly string[],
  isBare: boolean,
): string {
  return text.replaceAll(WORDS, (word) => {
    const column = columns.find((each) => word === `${name}.${each}` || (isBare && word === each));
    return column === undefined ? word : `:${OF_ROW}${column}`;
  });
}
