/** The tables and migrations in each database's SQL. */

import { POSTGRES_NOW, SQLITE_NOW } from './clocks.ts';
import { FIRST_ROWS, TABLES } from './tables.ts';

/** Statements that create a new database. */
export function newDatabase(inTerms: (text: string) => string): readonly string[] {
  const made = TABLES.flatMap(({ sql, indexes }) => [sql, ...indexes]);
  return [...made, FIRST_ROWS].map(inTerms);
}

/** Ids and names compare byte by byte, as in SQLite and in our code, whatever the database's locale is. */
export function inPostgres(text: string): string {
  return text.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replaceAll('now_ms()', POSTGRES_NOW);
}

const SQLITE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:BIGINT|BOOLEAN)\b/g, 'INTEGER'],
  [/\bDOUBLE PRECISION\b/g, 'REAL'],
  [/\bBYTEA\b/g, 'BLOB'],
  // PostgreSQL only.
  [/ WITH \(fillfactor = 50\)/g, ''],
  [/now_ms\(\)/g, SQLITE_NOW],
];

/**
 * Records of many matches arrive interleaved. Clustered by key, a hundred records would change a
 * hundred pages, and each page is written whole. In arrival order they fill a few pages; an index
 * has the keys.
 */
const AS_THEY_COME = /^CREATE TABLE log\b/;

/** Nearly all tables are STRICT and WITHOUT ROWID. */
export function inSqlite(text: string): string {
  let written = text;
  for (const [type, its] of SQLITE_TYPES) written = written.replaceAll(type, its);
  if (!written.startsWith('CREATE TABLE ')) return written;
  return AS_THEY_COME.test(written) ? `${written} STRICT` : `${written} STRICT, WITHOUT ROWID`;
}
