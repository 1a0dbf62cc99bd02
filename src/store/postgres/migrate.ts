/** Brings a database up to the newest schema. Safe at every start, and by several at once. */

import { StoreAway } from '../store-away.ts';
import { isLocked } from './connection.ts';
import type { Database } from './database.ts';
import { MIGRATIONS, type Migration } from './schema.ts';
import type { Sql } from './sql.ts';

/** The row of each migration that was run. A table by this name says that the schema is ours. */
const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS matchd_migration (
  name TEXT PRIMARY KEY, breaks_older BOOLEAN NOT NULL
)`;
/** Of the database's advisory locks: "matchd" in ASCII. */
const CLAIM_LOCK = 0x6d_61_74_63_68_64;
/** Service goes on while a migration waits for a table, this much later at most; in milliseconds. */
const TABLE_WAIT_MS = 1_000;
/** Between two tries, for all who came to wait behind it. */
const RETRY_MS = 1_000;
/** About a minute of a table that is never free; several while somebody else migrates. */
const TRIES_MAX = 30;
const ALL_TABLES = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';
const LIST = 'SELECT name, breaks_older FROM matchd_migration ORDER BY name';

/**
 * Names of the migrations that were run now, in order. Each is a transaction of its own: what it
 * locks is free again before the next. Rejects when one fails; of that one and of those after it
 * nothing is kept.
 */
export async function migrate(
  db: Database,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  if (!(await isClaimed(db))) await claim(db);
  const ran: string[] = [];
  for (const { name } of await missingIn(db, migrations)) {
    if (await persist(name, () => runOne(db, migrations, name))) ran.push(name);
  }
  return ran;
}

/** False when somebody else has run it meanwhile. */
async function runOne(db: Database, all: readonly Migration[], name: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    // Whoever comes second waits here, and then finds the work done. Reading goes on meanwhile.
    await tx.run('LOCK TABLE matchd_migration IN EXCLUSIVE MODE');
    const missing = (await missingIn(tx, all)).find((each) => each.name === name);
    if (missing === undefined) return false;
    // Behind one who waits for a whole table waits everybody else who asks for it.
    await tx.run(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    for (const text of missing.sql) await tx.run(text);
    const isBreaking = missing.breaksOlder ?? false;
    await tx.run('INSERT INTO matchd_migration VALUES ($1, $2)', name, isBreaking);
    return true;
  });
}

/** Does it again, a while later, as long as somebody else holds what it needs. */
async function persist<T>(name: string, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreAway) || !isLocked(error.cause)) throw error;
      if (tries < TRIES_MAX) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      else throw new Error(`others hold what ${name} needs: ${error.message}`, { cause: error });
    }
  }
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
