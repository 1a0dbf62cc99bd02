/** Brings a database up to the newest schema. Safe at every start, and by several at once. */

import { inPostgres, newDatabase } from '../schema/dialects.ts';
import { type Migration, namesFrom, tooOld } from '../schema/migrations.ts';
import { POSTGRES_HISTORY } from '../schema/postgres-history.ts';
import { StoreAway } from '../shared/store-away.ts';
import { isLocked } from './connect/connection.ts';
import type { Database } from './connect/database.ts';
import type { Sql, Tx } from './connect/sql.ts';

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

const { before: BEFORE, steps: STEPS } = POSTGRES_HISTORY;
/** What a new database is told to have got: all that was before is in it, too. */
const NEW_NAMES = namesFrom(POSTGRES_HISTORY);

/**
 * Names of the migrations that were run now, in order. Each is a transaction of its own: what it
 * locks is free again before the next; `onStep` has it before it is run. Rejects when one fails; of that one and of those after it
 * nothing is kept.
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

/** False when somebody else has made them meanwhile. */
async function makeAll(db: Database): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await lockMigrations(tx);
    if (!(await isBlank(tx))) return false;
    for (const text of newDatabase(inPostgres)) await tx.run(text);
    for (const each of [...BEFORE, ...STEPS]) await note(tx, each);
    return true;
  });
}

/** Whoever comes second waits here, and then finds the work done. Reading goes on meanwhile. */
async function lockMigrations(tx: Tx): Promise<void> {
  await tx.run('LOCK TABLE matchd_migration IN EXCLUSIVE MODE');
}

async function note(
  tx: Tx,
  { name, breaksOlder }: Pick<Migration, 'name' | 'breaksOlder'>,
): Promise<void> {
  await tx.run('INSERT INTO matchd_migration VALUES ($1, $2)', name, breaksOlder ?? false);
}

/** False when somebody else has run it meanwhile. */
async function runOne(db: Database, all: readonly Migration[], name: string): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await lockMigrations(tx);
    const missing = (await missingIn(tx, all)).find((each) => each.name === name);
    if (missing === undefined) return false;
    // Behind one who waits for a whole table waits everybody else who asks for it.
    await tx.run(`SET LOCAL lock_timeout = ${TABLE_WAIT_MS}`);
    for (const text of missing.sql) await tx.run(text);
    await note(tx, missing);
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
  steps: readonly Migration[] = STEPS,
): Promise<readonly string[]> {
  if (!(await hasTables(db))) return NEW_NAMES;
  return (await missingIn(db, steps)).map(({ name }) => name);
}

/** False for a database with nothing of ours in it; rejects when it holds somebody else's tables. */
export async function hasTables(db: Sql): Promise<boolean> {
  return (await isClaimed(db)) && !(await isBlank(db));
}

/** It is ours, and nothing was made in it yet. */
async function isBlank(db: Sql): Promise<boolean> {
  return (await db.get('SELECT 1 FROM matchd_migration LIMIT 1')) === undefined;
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
