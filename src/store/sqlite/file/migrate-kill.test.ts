/** A process killed during a migration leaves the file either unchanged or fully migrated. */

import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTempFolder, removeFolder } from '../../../testing/temp-folder.ts';
import { T0 } from '../../contract/stage.ts';
import { makeOldFileWithRows } from '../../schema/old.test-kit.ts';
import { sqliteShape } from '../../schema/shape.test-kit.ts';
import { SQLITE_HISTORY } from '../../schema/sqlite-history.ts';
import { migrate } from './migrate.ts';

setDefaultTimeout(120_000);

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

/** So many that the writes do not fit into memory before the commit. */
const ROWS = 20_000;
/** Statements between two kills. */
const STEP = 9;

function makeLargeFile(): string {
  const file = join(folder, 'large.db');
  makeOldFileWithRows(file);
  withFile(file, (db) => {
    db.exec('BEGIN');
    const audit = db.prepare(
      `INSERT INTO audit (tenant, actor, act, object, at, n, hash) VALUES ('ten_many', 'cli', 'act', ?, ?, ?, 'h')`,
    );
    const session = db.prepare(
      `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at, awake)
       VALUES (?, 'ten_many', 'live', 'ludo', 'private', 'classic', 'active', 'C', ?, ?)`,
    );
    for (let n = 1; n <= ROWS; n++) {
      audit.run(`object ${n}`, T0 + n, n);
      session.run(`ses_many_${n}`, T0 + n, n % 2);
    }
    db.exec('COMMIT');
  });
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

/** Runs the migrations in a process that is killed before its statement `at`. Returns whether it was. */
async function dieAt(file: string, at: number): Promise<boolean> {
  const text = `
    const { openDatabase } = await import(${JSON.stringify(join(import.meta.dir, 'open.ts'))});
    const { migrate } = await import(${JSON.stringify(join(import.meta.dir, 'migrate.ts'))});
    const db = openDatabase(${JSON.stringify(file)}, 'write');
    db.exec('PRAGMA cache_size = 8');
    let n = 0;
    const exec = db.exec.bind(db);
    db.exec = (sql) => {
      if (n++ === ${at}) process.kill(process.pid, 'SIGKILL');
      return exec(sql);
    };
    migrate(db);
    db.close();`;
  const child = Bun.spawn([process.execPath, '--eval', text], { stderr: 'inherit' });
  await child.exited;
  return child.signalCode === 'SIGKILL';
}

const COUNTS = `SELECT (SELECT count(*) FROM audit) AS rows, (SELECT count(*) FROM session) AS sessions,
  (SELECT sum(n) FROM audit) AS sum`;

test('[STORE-11] a file is sound after its migration is killed at any point, and the next start migrates it', async () => {
  const large = makeLargeFile();
  const before = withFile(large, sqliteShape);
  const counts = withFile(large, (db) => db.prepare(COUNTS).get());
  const done = withFile(':memory:', (db) => {
    migrate(db);
    return sqliteShape(db);
  });
  let deaths = 0;
  for (let at = 0; ; at += STEP) {
    const file = join(folder, `killed-${at}.db`);
    copyFileSync(large, file);
    if (!(await dieAt(file, at))) break;
    deaths += 1;
    withFile(file, (db) => {
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(sqliteShape(db)).toEqual(before);
      expect(migrate(db)).toEqual(SQLITE_HISTORY.steps.map(({ name }) => name));
      expect(sqliteShape(db)).toEqual(done);
      expect(db.prepare(COUNTS).get()).toEqual(counts!);
      const { n } = db.prepare("SELECT count(*) AS n FROM session WHERE holder = 'alone'").get()!;
      expect(n).toBe(ROWS / 2 + 1);
      expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    });
  }
  expect(deaths).toBeGreaterThan(5);
});
