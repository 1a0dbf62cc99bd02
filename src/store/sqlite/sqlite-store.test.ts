/** The SQLite store: the ports' contract, and what only a file has. */

import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { storeContractSuite } from '../contract/contract-suite.ts';
import {
  answerOf,
  append,
  auditOf,
  created,
  entryOf,
  keyOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
  tenantOf,
} from '../contract/stage.ts';
import type { AuditRow, CoreStore } from '../store.ts';
import { openDatabase } from './file/open.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const files = new WeakMap<CoreStore, string>();
let opened = 0;

async function open(file: string): Promise<CoreStore> {
  const store = await openSqliteStore(file);
  files.set(store, file);
  return store;
}

function newFile(): string {
  opened += 1;
  return join(folder, `${opened}.db`);
}

/** Reads with a separate connection, like a SQLite shell. */
function look<T>(file: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** Every text in every table. */
function dump(db: DatabaseSync): string[] {
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  return tables
    .flatMap(({ name }) => db.prepare(`SELECT * FROM "${String(name)}"`).all())
    .flatMap((row) => Object.values(row))
    .filter((value) => typeof value === 'string');
}

const AUDIT = 'SELECT tenant, actor, act, object, at FROM audit ORDER BY tenant, n';

storeContractSuite('sqlite', {
  open: () => open(newFile()),
  openAgain: (store) => open(files.get(store)!),
  dump: async (store) => look(files.get(store)!, dump),
  audit: async (store) =>
    look(files.get(store)!, (db) =>
      db
        .prepare(AUDIT)
        .all()
        .map((row) => ({ ...row }) as unknown as AuditRow),
    ),
});

describe('the file', () => {
  test('[STORE-SQ1] commits outlive the process that opened the store', async () => {
    const file = newFile();
    const first = await openSqliteStore(file);
    const session = sessionOf(1, { seats: [seatOf(0, 'ann', 'Ann')], idempotency: answerOf('k') });
    await first.createSession(session);
    await append(first, sessionId(1), [entryOf(1)], { awake: true });
    await append(first, sessionId(1), [entryOf(2)]);
    await first.createTenant(tenantOf(), auditOf('tenant.create'));
    await first.createKey(keyOf('key_1'), { id: 'secret01', hash: 'ab' }, auditOf('key.create'));
    await first.heartbeat('nod_a', T0);
    const make = () => ({ kid: 'k', secret: Uint8Array.of(1, 2, 3) });
    const signing = await first.signingSecret(make);
    const revision = await first.tenancyRevision();
    const before = await first.loadSession(sessionId(1));
    await first.close();
    const second = await openSqliteStore(file);
    expect(await second.loadSession(sessionId(1))).toEqual(before);
    expect(before?.entries.length).toBe(3);
    expect(await second.findIdempotent(answerOf('k'), T0)).not.toBeNull();
    expect(await second.claimAwake('', 9)).toEqual([sessionId(1)]);
    expect((await second.findKeyBySecret('secret01'))?.tenant).toEqual(tenantOf());
    expect(await second.lastHeartbeat()).toBe(T0);
    expect(await second.signingSecret(() => ({ ...make(), kid: 'other' }))).toEqual(signing);
    expect(await second.tenancyRevision()).toBe(revision);
    expect(await append(second, sessionId(1), [entryOf(2)])).toBe('conflict');
    expect(await append(second, sessionId(1), [entryOf(3)])).toBe('committed');
    await second.close();
  });

  test('[STORE-SQ2] the writer waits for the disk, in a write-ahead log', () => {
    const db = openDatabase(newFile(), 'write');
    expect(db.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA busy_timeout').get()).toEqual({ timeout: 5_000 });
    db.close();
  });

  test("[STORE-SQ3] only the service's own user can read it and its log", async () => {
    const file = newFile();
    const umask = process.umask(0);
    const store = await openSqliteStore(file);
    await created(store, 1);
    await store.createTenant(tenantOf(), auditOf('tenant.create'));
    process.umask(umask);
    const names = readdirSync(folder).filter((name) => join(folder, name).startsWith(file));
    expect(names.length).toBe(3);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    await store.close();
    chmodSync(file, 0o644);
    await (await openSqliteStore(file)).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('[STORE-SQ4] a file of another program is refused, named, and left unchanged', async () => {
    const garbage = newFile();
    writeFileSync(garbage, 'Dear diary. '.repeat(1_000));
    await expect(openSqliteStore(garbage)).rejects.toThrow(
      `${garbage} cannot be opened as matchd's database: file is not a database`,
    );
    const foreign = newFile();
    const db = new DatabaseSync(foreign);
    db.exec('CREATE TABLE tenant (flat INTEGER)');
    db.close();
    chmodSync(foreign, 0o644);
    const bytes = readFileSync(foreign);
    await expect(openSqliteStore(foreign)).rejects.toThrow('it belongs to another program');
    expect(readFileSync(foreign).equals(bytes)).toBe(true);
    expect(statSync(foreign).mode & 0o777).toBe(0o644);
    const missing = join(folder, 'nowhere', 'x.db');
    await expect(openSqliteStore(missing)).rejects.toThrow(`${missing} cannot be opened`);
    await expect(openSqliteStore(folder)).rejects.toThrow(`${folder} cannot be opened`);
  });

  test('[STORE-SQ4] a file of a newer matchd is refused and left unchanged', async () => {
    const file = newFile();
    await (await openSqliteStore(file)).close();
    const db = new DatabaseSync(file);
    db.exec("INSERT INTO migration (name) VALUES ('9999-later')");
    db.close();
    await expect(openSqliteStore(file)).rejects.toThrow('a newer matchd has made it (9999-later)');
  });
});

describe('group commit', () => {
  let file: string;
  let store: CoreStore;
  beforeEach(async () => {
    file = newFile();
    store = await openSqliteStore(file);
  });
  afterEach(() => store.close());

  test('[STORE-SQ13] commits of all sessions are answered in the order of the calls', async () => {
    const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => created(store, n)));
    const told: string[] = [];
    const all = ids.map(
      (session, n) =>
        new Promise<void>((resolve) => {
          // Plain records, records with a change and pairs of records take different paths inside.
          const change = n % 2 === 0 ? null : { awake: true as const };
          const entries = n % 3 === 0 ? [entryOf(1), entryOf(2)] : [entryOf(1)];
          store.commit({ session, tenant: TENANT, mode: 'live', entries, change }, () => {
            told.push(session);
            resolve();
          });
        }),
    );
    await Promise.all(all);
    expect(told).toEqual(ids);
  });

  test('[STORE-SQ7] a write to a closed store fails and does not hang', async () => {
    const id = await created(store, 1);
    const last = append(store, id, [entryOf(1)]);
    await store.close();
    expect(await last).toBe('committed');
    expect(await append(store, id, [entryOf(2)])).toBe('unknown');
    expect(await append(store, id, [entryOf(2)], { awake: true })).toBe('unknown');
    expect(store.heartbeat('nod_a', T0)).rejects.toThrow('The store is closed');
    expect(await store.ping()).toBe(false);
    store = await openSqliteStore(file);
    expect((await store.loadSession(id))?.entries.length).toBe(2);
  });

  test('[STORE-SQ7] closing the last store leaves no log beside the file', async () => {
    await created(store, 1);
    await store.close();
    expect(readdirSync(folder).filter((name) => name === `${basename(file)}-wal`)).toEqual([]);
    store = await openSqliteStore(file);
  });
});
