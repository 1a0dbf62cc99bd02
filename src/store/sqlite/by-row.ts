/**
 * Statements of given rows that do not depend on each other, as plain ones to be run row by row: in SQLite each costs
 * half as much as its share of one that reads a table of them (decision 0040).
 */

/** A row's fields, as values apart from others. */
export const OF_ROW = 'row_of_';

export interface ByRow {
  /** In the notation of scripts. */
  readonly text: string;
  /** The name of the rows. */
  readonly name: string;
}

/** `INSERT INTO … SELECT … FROM @given(…)`, with what may come behind it. */
const INSERT =
  /^(INSERT INTO \w+ \([^()]+\))\s+SELECT\s+([^@]+?)\s+FROM @(\w+)\(([^()]+)\)(?:\s+WHERE TRUE)?(?:\s+ORDER BY [\w, ]+?)?(\s+(?:ON CONFLICT|RETURNING)[^@]+|\s*)$/;
/** `UPDATE … SET … FROM @given(…) WHERE …` */
const UPDATE = /^(UPDATE \w+\s+SET\s+[^@]+?)\s+FROM @(\w+)\(([^()]+)\)\s+(WHERE\s+[^@]+)$/;

/** `… WHERE (…) IN (SELECT … FROM @given(…))`; no row is given twice. */
const AMONG =
  /^((?:SELECT|DELETE)[^@]+?\sWHERE)\s+\(([\w, ]+)\) IN \(\s*SELECT ([\w, ]+?)\s+FROM @(\w+)\(([^()]+)\)\)\s*$/;

/** Null where it is none of these, or asks for more than a row: it is left as it is then. */
export function toByRow(text: string): ByRow | null {
  const insert = INSERT.exec(text) as unknown as readonly string[] | null;
  if (insert !== null && !insert[2]!.includes('SELECT')) {
    const [, into = '', fields = '', name = '', columns = '', rest = ''] = insert;
    const place = /(\w+) place/.exec(columns)?.[1];
    if (place !== undefined && new RegExp(`\\b${place}\\b`).test(fields)) return null;
    const names = new RegExp(`(?<![.:'\\w])(?:${name}\\.)?(${namesIn(columns)})\\b`, 'g');
    return { name, text: `${into} VALUES (${fields.replaceAll(names, `:${OF_ROW}$1`)})${rest}` };
  }
  const among = AMONG.exec(text) as unknown as readonly string[] | null;
  if (among !== null) {
    const [, start = '', sought = '', given = '', name = ''] = among;
    const fields = given.split(', ');
    const same = sought.split(', ').map((column, i) => `${column} = :${OF_ROW}${fields[i]}`);
    return { name, text: `${start} ${same.join(' AND ')}` };
  }
  const update = UPDATE.exec(text) as unknown as readonly string[] | null;
  if (update === null || text.includes('SELECT')) return null;
  const [, set = '', name = '', columns = '', where = ''] = update;
  const names = new RegExp(`\\b${name}\\.(${namesIn(columns)})\\b`, 'g');
  return { name, text: `${set} ${where}`.replaceAll(names, `:${OF_ROW}$1`) };
}

function namesIn(columns: string): string {
  return columns
    .split(',')
    .map((column) => column.trim().split(' ')[0])
    .join('|');
}
