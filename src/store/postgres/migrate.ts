/** Migrates a database to the newest schema. Safe at every start, and by several nodes at once. */

import { inPostgres, newDatabase } from '../schema/dialects.ts';
import { type Migration, namesFrom, tooOld } from '../schema/migrations.ts';
import { POSTGRES_HISTORY } from '../schema/postgres-history.ts';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import { isLocked } from './connect/connection.ts';
import type { Database } from './connect/database.ts';
import type { Sql, Tx } from './connect/sql.ts';

/** One row per applied migration. A table of this name marks the schema as ours. */
const MAKE_TABLE = `CREATE TABLE IF NOT EXISTS matchd_migration (
  name TEXT PRIMARY KEY, breaks_older BOOLEAN NOT NULL
)`;
/** An advisory lock of the database: "matchd" in ASCII. */
const CLAIM_LOCK = 0x6d_61_74_63_68_64;
/** How long a migration that waits for a table may block other work; in milliseconds. */
const TABLE_WAIT_MS = 1_000;
/** The pause between two attempts, for everyone who queued behind it. */
const RETRY_MS = 1_000;
/** About a minute for a table that is never free; several while another node migrates. */
const ATTEMPTS_MAX = 30;
const ALL_TABLES = 'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()';
const LIST = 'SELECT name, breaks_older FROM matchd_migration ORDER BY name';

const { before: BEFORE, steps: STEPS } = POSTGRES_HISTORY;
/** A new database is recorded as having all of these: its schema includes them. */
const NEW_NAMES = namesFrom(POSTGRES_HISTORY);

/**
 * Returns the names of the migrations it ran, in order. Each has its own transaction, which
 * releases its locks before the next; `onStep` gets it before it runs. Rejects when one fails; that
 * one and those after it leave nothing.
 */
export async function migrate(
  db: Database,
  steps: readonly Migration[] = STEPS,
  onStep: (name: string) => void = () => {},
): Promise<readonly string[]> {
  if (!(await isClaimed(db))) await claim(db);
  const ran: string[] = [];
  if (await isBlank(db)) {
    if (await persist('the first tables', () => makeAll(db))) ran.push(...NEW_NAMES);
  }
  for (const { name } of await missingIn(db, steps)) {
    onStep(name);
    if (await persist(name, () => runOne(db, steps, name))) ran.push(name);
  }
  return ran;
}

/** False when another node has created them meanwhile. */
async function makeAll(db: Database): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await lockMigrations(tx);
    if (!(await isBlank(tx))) return false;
    for (const text of newDatabase(inPostgres)) await tx.run(text);
    for (const each of [...BEFORE, ...STEPS]) await note(tx, each);
    return true;
  });
}

/** A second node waits here, and then finds the work done. Reads continue meanwhile. */
async function lockMigrations(tx: Tx): Promise<void> {
  await tx.run('LOCK TABLE matchd_migration IN EXCLUSIVE MODE');
}

async function note(
  tx: Tx,
  { name, breaksOlder }: Pick<Migration, 'name' | 'breaksOlder'>,
): Promise<void> {
  await tx.run('INSERT INTO matchd_migration VALUES ($1, $2)', name, breaksOlder ?? false);
}

/** False when another node has run it meanwhile. */
async function runOne(db: Database, all: readonly Migration[], name: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await lockMigrations(tx);
    const missing = (await missingIn(tx, all)).find((each) => each.name === name);
    if (missing === undefined) return false;
    // Everyone who asks for the table queues behind a lock request for the whole table.
    await tx.run(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    for (const text of missing.sql) await tx.run(text);
    await note(tx, missing);
    return true;
  });
}

/** Retries after a while, as long as another transaction has the locks it needs. */
async function persist<T>(name: string, run: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || !isLocked(error.cause)) throw error;
      if (tries < ATTEMPTS_MAX) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      else throw new Error(`others hold what ${name} needs: ${error.message}`, { cause: error });
    }
  }
}

/** Names of the migrations that `migrate` would run; changes nothing. Rejects where `migrate` would. */
export async function pendingMigrations(
  db: Database,
  steps: readonly Migration[] = STEPS,
): Promise<readonly string[]> {
  if (!(await hasTables(db))) return NEW_NAMES;
  return (await missingIn(db, steps)).map(({ name }) => name);
}

/** False for a database without our tables; rejects when it has another program's tables. */
export async function hasTables(db: Sql): Promise<boolean> {
  return (await isClaimed(db)) && !(await isBlank(db));
}

/** It is ours and empty. */
async function isBlank(db: Sql): Promise<boolean> {
  return (await db.get('SELECT 1 FROM matchd_migration LIMIT 1')) === undefined;
}

/** False for an empty schema; rejects when it has another program's tables. */
async function isClaimed(db: Sql): Promise<boolean> {
  const tables = (await db.all(ALL_TABLES)).map(({ tablename }) => tablename);
  if (tables.includes('matchd_migration')) return true;
  if (tables.length > 0) throw new Error('it belongs to another program');
  return false;
}

/**
 * Two parallel `IF NOT EXISTS` both find nothing, and the second fails in one of several ways,
 * because PostgreSQL's catalogue has no such lock. Hence one after the other.
 */
export async function claim(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.run('SELECT pg_advisory_xact_lock($1)', CLAIM_LOCK);
    await tx.run(MAKE_TABLE);
  });
}

async function missingIn(db: Sql, steps: readonly Migration[]): Promise<Migration[]> {
  const done = await db.all(LIST);
  const known = new Set([...BEFORE, ...steps].map(({ name }) => name));
  const breaking = done.filter((row) => row['breaks_older'] && !known.has(String(row['name'])));
  if (breaking.length > 0) {
    const names = breaking.map(({ name }) => name).join(', ');
    throw new Error(`a newer matchd has changed it in a way this one does not know (${names})`);
  }
  const names = new Set(done.map(({ name }) => String(name)));
  const reason = tooOld(POSTGRES_HISTORY, names);
  if (reason !== null) throw new Error(reason);
  return steps.filter(({ name }) => !names.has(name));
}
