/** Databases of earlier versions, back to the oldest one that can be migrated. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Database, openDatabase } from '../postgres/connect/database.ts';
import type { History } from './migrations.ts';
import { POSTGRES_HISTORY } from './postgres-history.ts';
import { SQLITE_HISTORY } from './sqlite-history.ts';

/** What the version of 25 November 2026 created, with rows in every table. */
function readOld(database: 'sqlite' | 'postgres', hasRows: boolean): readonly string[] {
  const text = readFileSync(join(import.meta.dir, `old/2026-11-25.${database}.sql`), 'utf8');
  const statements = text.split(/;\n/).filter((each) => each !== '');
  return hasRows ? statements : statements.filter((each) => !isRow(each));
}

/** The list of applied migrations is part of the tables. */
function isRow(statement: string): boolean {
  return /^INSERT INTO (?!(?:matchd_)?migration\b)/.test(statement);
}

function stepsBefore({ steps }: History, name: string | null): History['steps'] {
  if (name === null) return [];
  const at = steps.findIndex((each) => each.name === name);
  if (at < 0) throw new Error(`there is no migration ${name}`);
  return steps.slice(0, at);
}

/** A file with the migrations before one, by its name, and the rows that `fill` writes. */
export function makeOldFile(file: string, before: string, fill: (db: DatabaseSync) => void): void {
  const db = openOldFile(file, before);
  fill(db);
  db.close();
}

export function openOldFile(file: string, before: string): DatabaseSync {
  const db = new DatabaseSync(file);
  db.exec('BEGIN');
  for (const text of readOld('sqlite', false)) db.exec(text);
  for (const { name, sql } of stepsBefore(SQLITE_HISTORY, before)) {
    for (const text of sql) db.exec(text);
    db.prepare('INSERT INTO migration (name) VALUES (?)').run(name);
  }
  db.exec('COMMIT');
  return db;
}

/** A file with data, as the oldest version left it. */
export function makeOldFileWithRows(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('BEGIN');
  for (const text of readOld('sqlite', true)) db.exec(text);
  db.exec('COMMIT');
  db.close();
}

/** Fills an empty database as an earlier matchd did, up to a migration. */
export async function openOldDatabase(url: string, before: string): Promise<Database> {
  const db = openDatabase({ url, max: 2, name: 'test', onHead: () => {} });
  for (const text of readOld('postgres', false)) await db.run(text);
  for (const { name, sql, breaksOlder } of stepsBefore(POSTGRES_HISTORY, before)) {
    for (const text of sql) await db.run(text);
    await db.run('INSERT INTO matchd_migration VALUES ($1, $2)', name, breaksOlder ?? false);
  }
  return db;
}

export async function makeOldDatabaseWithRows(url: string): Promise<void> {
  const db = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
  for (const text of readOld('postgres', true)) await db.run(text);
  await db.close();
}
