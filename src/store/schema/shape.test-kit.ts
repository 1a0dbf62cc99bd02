/** The shape of a database: tables, columns, indexes and checks, one per line, the same for both databases. */

import type { DatabaseSync } from 'node:sqlite';
import type { Database } from '../postgres/connect/database.ts';

/** Each database has its own table of applied migrations. */
const IS_OWN = /^(?:matchd_migration|migration|sqlite_\w+)$/;

const plain = (sql: unknown): string =>
  String(sql ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const TRUTHS: Readonly<Record<string, string>> = { TRUE: '1', FALSE: '0', true: '1', false: '0' };

const defaultOf = (value: unknown): string => {
  const text = plain(value).replace(/^'?(\w*?)'?::\w+$/, "'$1'");
  return TRUTHS[text] ?? text;
};

export function sqliteShape(db: DatabaseSync): readonly string[] {
  const lines: string[] = [];
  for (const { name, wr, strict } of db.prepare('PRAGMA table_list').all()) {
    const table = String(name);
    if (IS_OWN.test(table)) continue;
    lines.push(`table ${table}${wr ? ' at its key' : ''}${strict ? ' strict' : ''}`);
    for (const column of db.prepare(`PRAGMA table_xinfo("${table}")`).all()) {
      const { name: its, type, notnull, dflt_value, pk } = column;
      const isNull = notnull || pk ? '' : ' null';
      lines.push(`column ${table}.${its} ${type}${isNull} ${defaultOf(dflt_value)} key ${pk}`);
    }
    const made = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table);
    for (const [check] of plain(made?.['sql']).matchAll(
      /CHECK \(.+?\)(?=,| [a-z]| ?\)(?: STRICT|$))/g,
    )) {
      lines.push(`check ${table} ${check}`);
    }
    for (const index of db.prepare(`PRAGMA index_list("${table}")`).all()) {
      const id = String(index['name']);
      const columns = db.prepare(`PRAGMA index_info("${id}")`).all();
      const sql = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(id)?.['sql'];
      const [, where = ''] = plain(sql).split(' WHERE ');
      const its = `(${columns.map((each) => each['name']).join(', ')})`;
      const label = sql ? id : `of ${index['origin']}`;
      lines.push(`index ${table} ${label} ${its}${index['unique'] ? ' unique' : ''} ${where}`);
    }
  }
  return lines.map((line) => line.trim()).sort();
}

const COLUMNS = `SELECT table_name AS t, column_name AS c, data_type AS type, is_nullable AS nullable,
    column_default AS its, collation_name AS collation
  FROM information_schema.columns WHERE table_schema = current_schema()`;
const INDEXES = `SELECT tablename AS t, indexdef AS def FROM pg_indexes
  WHERE schemaname = current_schema()`;
const CONSTRAINTS = `SELECT conrelid::regclass::text AS t, pg_get_constraintdef(oid) AS def
  FROM pg_constraint WHERE connamespace = current_schema()::regnamespace`;
const OPTIONS = `SELECT relname AS t, reloptions::text AS def FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`;

export async function postgresShape(db: Database): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { t, c, type, nullable, its, collation } of await db.all(COLUMNS)) {
    lines.push(
      `${t} column ${c} ${type} ${nullable === 'YES' ? 'null' : ''} ${defaultOf(its)} ${collation ?? ''}`,
    );
  }
  for (const [what, sql] of Object.entries({ INDEXES, CONSTRAINTS, OPTIONS })) {
    for (const { t, def } of await db.all(sql)) lines.push(`${t} ${what} ${plain(def)}`);
  }
  return lines.filter((line) => !IS_OWN.test(line.split(' ')[0]!)).sort();
}

/** The part of a shape that both databases share: tables with their columns. */
export function columnsOfSqlite(shape: readonly string[]): readonly string[] {
  return shape.flatMap((line) => /^column (\w+\.\w+)/.exec(line)?.[1] ?? []).sort();
}

export function columnsOfPostgres(shape: readonly string[]): readonly string[] {
  return shape
    .flatMap((line) => {
      const [, table, column] = /^(\w+) column (\w+)/.exec(line) ?? [];
      return column === undefined ? [] : [`${table}.${column}`];
    })
    .sort();
}
