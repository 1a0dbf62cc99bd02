/** Brings a database up to the newest schema. Safe at every start, and by several at once. */

import type { Database } from './database.ts';
import { MIGRATIONS, type Migration } from './schema.ts';
import type { Sql } from './sql.ts';

/** The row of each migration that was run. A table by this name says that the schema is ours. */
const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS matchd_migration (
  name TEXT PRIMARY KEY, breaks_older BOOLEAN NOT NULL
)`;
/** Of the database's advisory locks: "matchd" in ASCII. */
const CLAIM_LOCK = 0x6d_61_74_63_68_64;
const ALL_TABLES = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';
const LIST = 'SELECT name, breaks_older FROM matchd_migration ORDER BY name';

/** Names of the migrations that were run now, in order. Rejects when one fails; all are then undone. */
export async function migrate(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  if (!(await isClaimed(db))) await claim(db);
  return await db.transaction(async (tx) => {
    // Whoever comes second waits here, and then finds the work done. Reading goes on meanwhile.
    await tx.run('LOCK TABLE matchd_migration IN EXCLUSIVE MODE');
    const missing = await missingIn(tx, migrations);
    for (const { name, sql, breaksOlder = false } of missing) {
      for (const text of sql) await tx.run(text);
      await tx.run('INSERT INTO matchd_migration VALUES ($1, $2)', name, breaksOlder);
    }
    return missing.map(({ name }) => name);
  });
}

/** Names of the migrations that `migrate` would run; changes nothing. Rejects where it would. */
export async function pendingMigrations(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  const missing = (await isClaimed(db)) ? await missingIn(db, migrations) : migrations;
  return missing.map(({ name }) => name);
}

/** False for a schema with nothing in it; rejects when it holds somebody else's tables. */
async function isClaimed(db: Sql): Promise<boolean> {
  const tables = (await db.all(ALL_TABLES)).map(({ tablename }) => tablename);
  if (tables.includes('matchd_migration')) return true;
  if (tables.length > 0) throw new Error('it belongs to another program');
  return false;
}

/**
 * Two `IF NOT EXISTS` at the same moment both find nothing, and the second fails in one of several
 * ways (PostgreSQL's own catalogue has no such lock); hence one after the other.
 */
async function claim(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('SELECT pg_advisory_xact_lock($1)', CLAIM_LOCK);
    await tx.run(MAKE_TABLE);
  });
}

async function missingIn(db: Sql, migrations: readonly Migration[]): Promise<Migration[]> {
  const done = await db.all(LIST);
  const known = new Set(migrations.map(({ name }) => name));
  const breaking = done.filter((row) => row['breaks_older'] && !known.has(String(row['name'])));
  if (breaking.length > 0) {
    const names = breaking.map(({ name }) => name).join(', ');
    throw new Error(`a newer matchd has changed it in a way this one does not know (${names})`);
  }
  const names = new Set(done.map(({ name }) => name));
  return migrations.filter(({ name }) => !names.has(name));
}
