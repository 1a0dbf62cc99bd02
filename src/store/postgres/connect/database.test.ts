/** The base of the store: transactions, migrations, required server settings. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import {
  isPostgresHere,
  type PostgresServer,
  startPostgres,
} from '../../../testing/servers/postgres.ts';
import {
  append,
  auditOf,
  created,
  entryOf,
  kindOf,
  seatOf,
  sessionOf,
} from '../../contract/stage.ts';
import { namesFrom } from '../../schema/migrations.ts';
import { POSTGRES_HISTORY } from '../../schema/postgres-history.ts';
import { StoreUnavailable } from '../../shared/store-unavailable.ts';
import { claim, hasTables, migrate, pendingMigrations } from '../migrate.ts';
import { placeOf } from '../place.ts';
import { openPostgresStore } from '../postgres-store.ts';
import { type Database, openDatabase } from './database.ts';
import { CommitUnknown } from './sql.ts';

setDefaultTimeout(60_000);

const { steps: STEPS } = POSTGRES_HISTORY;
const NEW_NAMES = namesFrom(POSTGRES_HISTORY);

const open = (url: string): Database =>
  openDatabase({ url, max: 4, name: 'test', onHead: () => {} });

describe.skipIf(!isPostgresHere())('a PostgreSQL database', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  const withDatabase = async (run: (db: Database, url: string) => Promise<void>): Promise<void> => {
    const url = await server.createDatabase();
    const db = open(url);
    try {
      await run(db, url);
    } finally {
      await db.close();
    }
  };

  test('[STORE-PG7] of deadlocked transactions one is run again, and both succeed', () =>
    withDatabase(async (db) => {
      await db.run('CREATE TABLE pair (id INT PRIMARY KEY, n INT NOT NULL)');
      await db.run('INSERT INTO pair VALUES (1, 0), (2, 0)');
      let [runs, held] = [0, 0];
      // Each asks for the other's row once both have their first.
      const started = Promise.withResolvers<void>();
      const both = ([first, second]: readonly [number, number]) =>
        db.transaction(async (tx) => {
          const add = (id: number) => tx.run('UPDATE pair SET n = n + 1 WHERE id = $1', id);
          runs += 1;
          await add(first);
          held += 1;
          if (held === 2) started.resolve();
          await started.promise;
          await add(second);
        });
      await Promise.all([both([1, 2]), both([2, 1])]);
      expect(runs).toBe(3);
      expect(await db.all('SELECT n FROM pair')).toEqual([{ n: 2 }, { n: 2 }]);
    }));

  test('[STORE-PG7] an error thrown in a transaction rolls it back; the connection stays good', () =>
    withDatabase(async (db) => {
      await db.run('CREATE TABLE thing (id INT PRIMARY KEY)');
      const add = (end: () => Promise<string>) =>
        db.transaction(async (tx) => {
          await tx.run('INSERT INTO thing VALUES (1)');
          return await end();
        });
      const thrown = add(() => Promise.reject(new Error('no')));
      expect(thrown).rejects.toThrow('no');
      await thrown.catch(() => {});
      // A swallowed error still fails the transaction, and is not taken for a commit.
      const swallowed = db.transaction(async (tx) => {
        await tx.run('INSERT INTO thing VALUES (1)');
        await tx.run('INSERT INTO thing VALUES (1)').catch(() => {});
      });
      expect(await swallowed.catch(String)).toContain('was undone');
      expect(await db.all('SELECT * FROM thing')).toEqual([]);
      expect(await add(async () => 'done')).toBe('done');
    }));

  test('[STORE-PG7] a connection to a server that has become a standby is not used again', () =>
    withDatabase(async (db, url) => {
      await db.run('CREATE TABLE thing (id INT PRIMARY KEY)');
      const one = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
      await one.run('SET default_transaction_read_only = on');
      const add = (id: number) => one.run('INSERT INTO thing VALUES ($1)', id);
      expect(await add(1).catch(String)).toContain('read-only');
      expect(await add(1)).toBe(1);
      await one.close();
    }));

  test('[H3][STORE-PG7] a call blocked for too long, by locks or a full disk, fails with StoreUnavailable', () =>
    withDatabase(async (db, url) => {
      await db.run('CREATE TABLE thing (id INT PRIMARY KEY)');
      const one = openDatabase({ url, max: 1, name: 'test', onHead: () => {} });
      const pidOf = async () => (await one.get('SELECT pg_backend_pid() AS pid'))!['pid'];
      await one.run('SET lock_timeout = 50');
      const pid = await pidOf();
      const raise = (code: string) =>
        `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${code}'; END $$`;
      const outcomes: unknown[] = [];
      await db.transaction(async (tx) => {
        await tx.run('LOCK TABLE thing IN EXCLUSIVE MODE');
        const texts = ['INSERT INTO thing VALUES (1)', ...['53100', '40001', '40P01'].map(raise)];
        for (const text of texts) {
          outcomes.push(await one.run(text).catch((error: unknown) => error));
          outcomes.push(
            await one.transaction((of) => of.run(text)).catch((error: unknown) => error),
          );
        }
      });
      expect(outcomes.length).toBe(8);
      for (const outcome of outcomes) {
        expect(outcome).toBeInstanceOf(StoreUnavailable);
        // Nothing was written, and that is certain.
        expect(outcome).not.toBeInstanceOf(CommitUnknown);
      }
      // The server reported it: the connection is good.
      expect(await pidOf()).toBe(pid);
      expect(await one.run('INSERT INTO thing VALUES (1)')).toBe(1);
      await one.close();
    }));

  test('[STORE-PG8] migrations run once, however many nodes start at once, and the next ones continue from there', () =>
    withDatabase(async (db, url) => {
      const others = [open(url), open(url)];
      expect(await pendingMigrations(db)).toEqual(NEW_NAMES);
      const runs = await Promise.all([db, ...others].map((each) => migrate(each)));
      expect(runs.flat()).toEqual([...NEW_NAMES]);
      expect(await pendingMigrations(db)).toEqual([]);
      const next = { name: '9001-next', sql: ['ALTER TABLE session ADD COLUMN extra TEXT'] };
      const more = await Promise.all(others.map((each) => migrate(each, [...STEPS, next])));
      expect(more.flat()).toEqual(['9001-next']);
      // A node of the previous version restarts: the added tables do not concern it.
      expect(await migrate(db)).toEqual([]);
      const breaking = { name: '9002-breaking', sql: [], breaksOlder: true as const };
      await migrate(db, [...STEPS, next, breaking]);
      expect(await migrate(db).catch(String)).toContain('a newer matchd');
      expect(await pendingMigrations(db).catch(String)).toContain('9002-breaking');
      for (const each of others) await each.close();
    }));

  test('[STORE-PG8] many nodes claim an empty database at once, every time without an error', () =>
    withDatabase(async (db, url) => {
      const all = [db, ...Array.from({ length: 5 }, () => open(url))];
      for (let round = 0; round < 100; round++) {
        await Promise.all(all.map((each) => claim(each)));
        expect(await hasTables(db)).toBe(false);
        await db.run('DROP TABLE matchd_migration');
      }
      for (const each of all.slice(1)) await each.close();
    }));

  test('[STORE-PG8] nodes of the previous version keep working while the schema is migrated', () =>
    withDatabase(async (_, url) => {
      const store = await openPostgresStore({ url, node: 'nod_old' });
      const id = await created(store, 1);
      let v = 0;
      let isOver = false;
      const playing = (async () => {
        while (!isOver) {
          v += 1;
          const change = v % 2 === 0 ? { awake: true as const } : null;
          expect(await append(store, id, [entryOf(v)], change)).toBe('committed');
          // A prepared `SELECT *` now has other columns.
          expect((await store.loadSession(id))!.entries.length).toBe(v + 1);
          await store.rotateKey('none', { id: 'none', hash: '' }, '', 0, auditOf('none'));
          expect(await store.findKey('none')).toBeNull();
        }
      })();
      const db = open(url);
      const names = Array.from({ length: 10 }, (_, n) => `900${n}-next`);
      for (const [n, name] of names.entries()) {
        const sql = [
          `ALTER TABLE session ADD COLUMN extra_${n} TEXT`,
          `CREATE TABLE more_${n} (id INT)`,
        ];
        const known = names.slice(0, n).map((each) => ({ name: each, sql: [] }));
        expect(await migrate(db, [...STEPS, ...known, { name, sql }])).toEqual([name]);
      }
      isOver = true;
      await playing;
      expect((await store.loadSession(id))!.entries.length).toBe(v + 1);
      await store.close();
      await db.close();
    }));

  test('[STORE-PG8] a migration that waits for a table does not block others for long', () =>
    withDatabase(async (db, url) => {
      await migrate(db);
      const [reader, upgrader] = [open(url), open(url)];
      // A report that takes four seconds.
      let isReading = true;
      const reading = reader
        .transaction(async (tx) => {
          await tx.all('SELECT count(*) FROM rating');
          await tx.all('SELECT pg_sleep(4)');
        })
        .finally(() => {
          isReading = false;
        });
      const next = { name: '9001-next', sql: ['ALTER TABLE rating ADD COLUMN extra TEXT'] };
      const upgrading = migrate(upgrader, [...STEPS, next]);
      let longestMs = 0;
      while (isReading) {
        const asked = performance.now();
        await db.all('SELECT extra.* FROM rating AS extra LIMIT 1');
        longestMs = Math.max(longestMs, performance.now() - asked);
        await Bun.sleep(20);
      }
      await reading;
      expect(await upgrading).toEqual(['9001-next']);
      expect(longestMs).toBeLessThan(2_500);
      await Promise.all([reader.close(), upgrader.close()]);
    }));

  test("[STORE-PG8] a failed migration and those after it leave nothing; other programs' databases are not touched", () =>
    withDatabase(async (db) => {
      const bad = {
        name: '9001-bad',
        sql: ['CREATE TABLE half (id INT)', 'CREATE TABLE half (id INT)'],
      };
      const never = { name: '9002-never', sql: ['CREATE TABLE half (id INT)'] };
      const all = [...STEPS, bad, never];
      expect(await migrate(db, all).catch(String)).toContain('half');
      expect(await pendingMigrations(db, all)).toEqual(['9001-bad', '9002-never']);
      expect(await db.get("SELECT to_regclass('half')::text AS half")).toEqual({ half: null });
      await withDatabase(async (other, url) => {
        await other.run('CREATE TABLE customers (id INT)');
        const refused = await openPostgresStore({ url, node: 'nod_a' }).catch(String);
        expect(refused).toContain('belongs to another program');
        const tables = await other.all(
          'SELECT tablename FROM pg_tables WHERE schemaname = current_schema()',
        );
        expect(tables).toEqual([{ tablename: 'customers' }]);
      });
    }));

  test('[STORE-PG9] a server with unsafe settings is refused, and named, unless that is allowed', () =>
    withDatabase(async (db, url) => {
      const name = new URL(url).pathname.slice(1);
      await db.run(`ALTER DATABASE ${name} SET synchronous_commit = off`);
      const refused = await openPostgresStore({ url, node: 'nod_a' }).catch(String);
      expect(refused).toContain('synchronous_commit is off');
      expect(refused).toContain('--allow-unsafe-store');
      const store = await openPostgresStore({ url, node: 'nod_a', allowUnsafe: true });
      expect(await store.ping()).toBe(true);
      await store.close();
    }));

  test('[STORE-PG9] fsync and full_page_writes are named too', async () => {
    const unsafe = await startPostgres(['fsync=off', 'full_page_writes=off']);
    const url = await unsafe.createDatabase();
    const refused = await openPostgresStore({ url, node: 'nod_a' }).catch(String);
    expect(refused).toContain('fsync is off');
    expect(refused).toContain('full_page_writes is off');
    await unsafe.stop();
    const gone = await openPostgresStore({ url, node: 'nod_a' }).catch(String);
    expect(gone).toContain(placeOf(url));
  });

  test('[STORE-PG9] a database that cannot be opened is named without its password', async () => {
    const url = `postgres://me:secret-word@127.0.0.1:${server.port}/missing`;
    const refused = await openPostgresStore({ url, node: 'nod_a' }).catch(String);
    expect(refused).toContain(`the database missing at 127.0.0.1:${server.port}`);
    expect(refused).not.toContain('secret-word');
  });

  test('[STORE-PG10] a callback that throws keeps no other caller from its result, and is called once', () =>
    withDatabase(async (_, url) => {
      const program = `
        process.on('uncaughtException', (error) => console.log(error.message));
        const { openPostgresStore } = await import(${JSON.stringify(join(import.meta.dir, '../postgres-store.ts'))});
        const stage = await import(${JSON.stringify(join(import.meta.dir, '../../contract/stage.ts'))});
        const store = await openPostgresStore({ url: ${JSON.stringify(url)}, node: 'nod_a' });
        for (const n of [1, 2, 3]) await stage.created(store, n);
        for (const n of [1, 2, 3]) {
          const commit = { session: stage.sessionId(n), tenant: stage.TENANT, mode: 'live', change: null };
          store.commit({ ...commit, entries: [stage.entryOf(1)] }, (outcome) => {
            console.log(n + ' ' + outcome);
            if (n === 1) throw new Error('a caller broke');
          });
        }
        await store.close();
        process.exit(0);`;
      const child = Bun.spawn([process.execPath, '--eval', program], { stderr: 'inherit' });
      const lines = (await new Response(child.stdout).text()).trim().split('\n');
      expect(lines.sort()).toEqual(['1 committed', '2 committed', '3 committed', 'a caller broke']);
    }));

  test('[STORE-PG12] the first commit to a session does not wait for sessions that are still being created', () =>
    withDatabase(async (_, url) => {
      const store = await openPostgresStore({ url, node: 'nod_a' });
      const order: string[] = [];
      // Creates with the same waiting player are decided one after the other.
      const flood = Array.from({ length: 60 }, async (_, n) => {
        const session = {
          ...sessionOf(n, { seats: [seatOf(0, 'ann')] }),
          waiting: { pairing: 'x' },
        };
        const outcome = kindOf(await store.createSession(session));
        expect(outcome).toBe(n === 0 ? 'created' : 'already_waiting');
        if (n === 0) await append(store, session.row.id, [entryOf(1)]);
        order.push(n === 0 ? 'commit' : 'create');
      });
      await Promise.all(flood);
      // If it had waited, it would be last.
      expect(order.indexOf('commit')).toBeLessThan(55);
      await store.close();
    }));

  test('[STORE-PG11] calls begun before a close finish, and a later write fails clearly', () =>
    withDatabase(async (_, url) => {
      const store = await openPostgresStore({ url, node: 'nod_a' });
      const id = await created(store, 1);
      const last = [
        append(store, id, [entryOf(1)]),
        append(store, id, [entryOf(2)], { awake: true }),
      ];
      await store.close();
      expect(await Promise.all(last)).toEqual(['committed', 'committed']);
      expect(await append(store, id, [entryOf(3)])).toBe('unknown');
      expect(await append(store, id, [entryOf(3)], { awake: true })).toBe('unknown');
      expect(await store.ping()).toBe(false);
      const again = await openPostgresStore({ url, node: 'nod_a' });
      expect((await again.loadSession(id))?.entries.length).toBe(3);
      await again.close();
    }));
});
