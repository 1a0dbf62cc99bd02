/** The tables and migrations in each database's terms. */

import { POSTGRES_NOW, SQLITE_NOW } from './clocks.ts';
import { FIRST_ROWS, TABLES } from './tables.ts';

/** Statements that make a new database. */
export function newDatabase(inTerms: (text: string) => string): readonly string[] {
  const made = TABLES.flatMap(({ sql, indexes }) => [sql, ...indexes]);
  return [...made, FIRST_ROWS].map(inTerms);
}

/**
 * Ids and names are compared byte by byte, as SQLite and the rest of the house do, whatever language the database was
 * made for.
 */
export function inPostgres(text: string): string {
  return text.replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"').replaceAll('now_ms()', POSTGRES_NOW);
}

const SQLITE_TYPES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:BIGINT|BOOLEAN)\b/g, 'INTEGER'],
  [/\bDOUBLE PRECISION\b/g, 'REAL'],
  [/\bBYTEA\b/g, 'BLOB'],
  // It keeps rows where they are in its own way.
  [/ WITH \(fillfactor = 50\)/g, ''],
  [/now_ms\(\)/g, SQLITE_NOW],
];

/**
 * Records of many matches come one for each in turn. At their keys a hundred would change a hundred pages, and each
 * page is written whole; as they come they fill a few, beside an index of their keys.
 */
const AS_THEY_COME = /^CREATE TABLE log\b/;

/** Values have the types of their columns, and a row lies at its key, nearly everywhere. */
export function inSqlite(text: string): string {
  let written = text;
  for (const [type, its] of SQLITE_TYPES) written = written.replaceAll(type, its);
  if (!written.startsWith('CREATE TABLE ')) return written;
  return AS_THEY_COME.test(written) ? `${written} STRICT` : `${written} STRICT, WITHOUT ROWID`;
}
