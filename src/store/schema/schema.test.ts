/** A migrated database and a new one have the same schema. */

import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { followChain, NOTHING_FOLLOWED } from '../../accounts/audit-chain.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { append, entryOf, sessionId, TENANT } from '../contract/stage.ts';
import { openDatabase } from '../postgres/connect/database.ts';
import { migrate as migrateDatabase } from '../postgres/migrate.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { migrate as migrateFile } from '../sqlite/file/migrate.ts';
import { faultOf } from '../sqlite/file/snapshot.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../whole-store.ts';
import { MIGRATIONS, namesFrom, ONE_SCHEMA } from './migrations.ts';
import { makeOldDatabaseWithRows, makeOldFileWithRows } from './old.test-kit.ts';
import { POSTGRES_HISTORY } from './postgres-history.ts';
import {
  columnsOfPostgres,
  columnsOfSqlite,
  postgresShape,
  sqliteShape,
} from './shape.test-kit.ts';
import { SQLITE_HISTORY } from './sqlite-history.ts';
import { TABLES } from './tables.ts';

setDefaultTimeout(60_000);

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const LIVE = { tenant: TENANT, mode: 'live' } as const;
const OLDEST = { sqlite: '0029-anchor-events', postgres: '0020-anchor-events' } as const;
const TOO_OLD = 'run matchd migrate of a version of 25 November 2026 on it first';

function makeFile(name: string): string {
  const file = join(folder, name);
  makeOldFileWithRows(file);
  return file;
}

function withFile<T>(file: string, act: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file);
  try {
    return act(db);
  } finally {
    db.close();
  }
}

function newFileShape(): readonly string[] {
  return withFile(':memory:', (db) => {
    migrateFile(db);
    return sqliteShape(db);
  });
}

/**
 * The old data is there, found through its indexes, and usable. `awake`: the owner it had; 3 is due
 * by the clock.
 */
async function checkStored(store: Store): Promise<void> {
  expect((await store.loadSession(sessionId(1)))!.entries.map(({ v }) => v)).toEqual([0, 1, 2]);
  expect(await store.claimAwake('', 9)).toEqual([sessionId(1)]);
  const due = await store.claimDue(Number.MAX_SAFE_INTEGER, 9);
  expect(due).toContain(sessionId(3));
  expect(await store.findKeyBySecret('secret01')).toMatchObject({ key: { id: 'key_1' } });
  expect((await store.signingSecret(() => ({ kid: 'x', secret: Uint8Array.of(1) }))).kid).toBe(
    'kid_1',
  );
  const rows = await store.readAudit(TENANT, 0, 99);
  expect(rows.length).toBeGreaterThan(5);
  expect(followChain(NOTHING_FOLLOWED, rows)).toMatchObject({
    ok: true,
    link: await store.auditHead(TENANT),
  });
  expect((await store.listAttempts('whk_1', null, 9)).map(({ n }) => n)).toEqual([1]);
  expect(await store.listPool({ ...LIVE, game: 'tictactoe' }, 0, 9)).toMatchObject([
    { poolPlace: 1 },
    { poolPlace: 2 },
  ]);
  expect(await append(store, sessionId(1), [entryOf(3)], { awake: true })).toBe('committed');
}

test('[STORE-11] migrating a file of the oldest version gives the tables of a new one and keeps its data', async () => {
  const file = makeFile('old.db');
  const ran = withFile(file, migrateFile);
  expect(ran).toEqual(SQLITE_HISTORY.steps.map(({ name }) => name));
  const [old, fresh] = [withFile(file, sqliteShape), newFileShape()];
  expect(old).toEqual(fresh);
  expect(withFile(file, migrateFile)).toEqual([]);
  const store = await openSqliteStore(file);
  await checkStored(store);
  await store.close();
});

test('[STORE-11] migrating a file loses and changes no row', () => {
  const file = makeFile('rows.db');
  const read = (db: DatabaseSync, columns: string, table: string) =>
    db.prepare(`SELECT ${columns} FROM "${table}" ORDER BY ${columns}`).all();
  const before = withFile(file, (db) =>
    TABLES.flatMap(({ name }) => {
      const columns = db.prepare(`PRAGMA table_info("${name}")`).all();
      // What the old version stored differently.
      const kept = columns.map(({ name: its }) => String(its));
      const names = kept.filter((its) => !['awake', 'wake_at'].includes(its));
      if (name === 'audit') names.splice(names.indexOf('id'), 1);
      const list = names.map((its) => `"${its}"`).join(', ');
      return names.length === 0 ? [] : [{ name, list, rows: read(db, list, name) }];
    }),
  );
  expect(before.length).toBeGreaterThan(40);
  withFile(file, migrateFile);
  const added: Readonly<Record<string, readonly string[]>> = {
    counter: [`pool:live:tictactoe`],
    revision: ['service'],
  };
  withFile(file, (db) => {
    for (const { name, list, rows } of before) {
      const after = read(db, list, name).filter(
        (row) => !(added[name] ?? []).includes(String(row['name'])),
      );
      expect([name, after]).toEqual([name, rows]);
    }
  });
});

test('[STORE-11] a file that is too old is refused, with a message that says what to do', async () => {
  const file = makeFile('too-old.db');
  const remove = `DELETE FROM migration WHERE name = '${OLDEST.sqlite}'`;
  withFile(file, (db) => db.exec(remove));
  const before = withFile(file, sqliteShape);
  expect(() => withFile(file, migrateFile)).toThrow(TOO_OLD);
  expect(faultOf(file)).toContain(TOO_OLD);
  await expect(openSqliteStore(file)).rejects.toThrow(TOO_OLD);
  expect(withFile(file, sqliteShape)).toEqual(before);
});

test('[STORE-11] every migration since the one schema is for both databases', () => {
  const names = [ONE_SCHEMA, ...MIGRATIONS.map(({ name }) => name)];
  expect(namesFrom(SQLITE_HISTORY)).toEqual(names);
  expect(namesFrom(POSTGRES_HISTORY)).toEqual(names);
});

describe.skipIf(!isPostgresHere())('PostgreSQL', () => {
  const open = (url: string) => openDatabase({ url, max: 1, name: 'test', onHead: () => {} });

  test('[STORE-11] migrating a database of the oldest version gives the tables of a new one and keeps its data', async () => {
    const [url, other] = [await freshDatabase(), await freshDatabase()];
    await makeOldDatabaseWithRows(url);
    const [old, fresh] = [open(url), open(other)];
    expect(await migrateDatabase(old)).toEqual(POSTGRES_HISTORY.steps.map(({ name }) => name));
    await migrateDatabase(fresh);
    const shape = await postgresShape(fresh);
    expect(await postgresShape(old)).toEqual(shape);
    expect(columnsOfPostgres(shape)).toEqual(columnsOfSqlite(newFileShape()));
    const ran = 'SELECT name, breaks_older FROM matchd_migration ORDER BY name';
    expect(await old.all(ran)).toEqual(await fresh.all(ran));
    await Promise.all([old.close(), fresh.close()]);
    const store = await openPostgresStore({ url, node: 'nod_new' });
    await checkStored(store);
    await store.close();
  });

  test('[STORE-11] a database that is too old is refused, with a message that says what to do', async () => {
    const url = await freshDatabase();
    await makeOldDatabaseWithRows(url);
    const db = open(url);
    await db.run('DELETE FROM matchd_migration WHERE name = $1', OLDEST.postgres);
    const before = await postgresShape(db);
    await expect(migrateDatabase(db)).rejects.toThrow(TOO_OLD);
    expect(await postgresShape(db)).toEqual(before);
    await db.close();
  });

  test('[STORE-11] a connection lost during a migration leaves nothing of it, and the next start applies it', async () => {
    const url = await freshDatabase();
    await makeOldDatabaseWithRows(url);
    const [db, killer] = [open(url), open(url)];
    const before = await postgresShape(db);
    const slow = POSTGRES_HISTORY.steps.map((each) =>
      each.name === ONE_SCHEMA ? { ...each, sql: [...each.sql, 'SELECT pg_sleep(30)'] } : each,
    );
    const cut = migrateDatabase(db, slow).catch((error: unknown) => error);
    const sleeper = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(30)'`;
    while ((await killer.all(sleeper)).length === 0) await Bun.sleep(5);
    expect(await cut).toBeInstanceOf(Error);
    // The migrations before it are applied; this one left nothing.
    const names = (await killer.all('SELECT name FROM matchd_migration')).map(({ name }) => name);
    expect(names).not.toContain(ONE_SCHEMA);
    const half = await postgresShape(killer);
    expect(half.length).toBeGreaterThan(before.length - 10);
    expect(await migrateDatabase(killer)).toEqual(namesFrom(POSTGRES_HISTORY));
    const fresh = open(await freshDatabase());
    await migrateDatabase(fresh);
    expect(await postgresShape(killer)).toEqual(await postgresShape(fresh));
    await Promise.all([db.close(), killer.close(), fresh.close()]);
    const store = await openPostgresStore({ url, node: 'nod_new' });
    await checkStored(store);
    await store.close();
  });

  test('[STORE-11] if the last of several new tables cannot be created, none is', async () => {
    const db = open(await freshDatabase());
    await db.run('CREATE TYPE milestone AS ENUM ()');
    await expect(migrateDatabase(db)).rejects.toThrow('milestone');
    expect(await postgresShape(db)).toEqual([]);
    await db.run('DROP TYPE milestone');
    expect(await migrateDatabase(db)).toEqual(namesFrom(POSTGRES_HISTORY));
    await db.close();
  });
});
