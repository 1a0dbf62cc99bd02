/** `matchd backup` and `restore`: while a service runs, against damage, and with erasures. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ServerProcess } from '../../../e2e/parts/server-process.ts';
import { freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { createMatchd } from '../../../sdk/src/server/index.ts';
import { type Matchd, makeMatchd, runAtTerminal } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(90_000);

let matchd: Matchd;
let server: ServerProcess | null = null;
let data: string;
beforeEach(() => {
  matchd = makeMatchd();
  data = path.join(matchd.folder, '.matchd');
});
afterEach(async () => {
  await server?.stop();
  server = null;
  matchd.close();
});

interface Backup {
  readonly file: string;
  readonly bytes: number;
  readonly sessions: number;
  readonly players: number;
  readonly withdrawn: string;
}

interface Restored {
  readonly kept: string | null;
  readonly sessions: number;
  readonly playersErased: number;
  readonly keysRevoked: number;
  readonly keyTextsEnded: number;
  readonly isDamaged: boolean;
}

const start = async (): Promise<ServerProcess> => {
  server = await startServer({ port: await freePort(), dataDir: data });
  return server;
};
const stop = async (): Promise<void> => {
  await server!.stop();
  server = null;
};
const backUp = (name: string): Promise<Backup> => matchd.json('backup', name);
const restore = (...args: readonly string[]): Promise<Restored> => matchd.json('restore', ...args);
const database = (): string => path.join(data, 'matchd.db');
const inFolder = (name: string): string => path.join(matchd.folder, name);

/** Whether a text is anywhere in a file of the data folder. */
const holds = (text: string, file = database()): boolean =>
  ['', '-wal'].some(
    (ending) => fs.existsSync(file + ending) && fs.readFileSync(file + ending).includes(text),
  );

const ANN = 'ann-whom-nobody-else-is-called';
const NAME = 'Annabel of the Test';

async function playSome(url: string, key: string): Promise<void> {
  const api = createMatchd({ url, key });
  const players = [{ id: ANN, displayName: NAME }, { id: 'ben' }];
  await api.sessions.create({ game: 'tictactoe', players });
}

test('[CLI] a backup is made while the service runs, complete, readable by nobody else', async () => {
  const { url, testKey } = await start();
  await playSome(url, testKey);
  const api = createMatchd({ url, key: testKey });
  let isWriting = true;
  const writing = (async () => {
    for (let i = 0; isWriting; i += 1) {
      await api.sessions.create({ game: 'connect4', players: [{ id: `p${i}` }, { id: `q${i}` }] });
    }
  })().catch(() => {});
  const made = await backUp('one.db');
  isWriting = false;
  await writing;
  expect(made.file).toBe(inFolder('one.db'));
  expect(made.sessions).toBeGreaterThan(0);
  expect(fs.statSync(made.file).mode & 0o777).toBe(0o600);
  expect(fs.statSync(made.withdrawn).mode & 0o777).toBe(0o600);
  expect(fs.existsSync(`${made.file}.part`)).toBe(false);
  const copy = new DatabaseSync(made.file, { readOnly: true });
  expect(copy.prepare('PRAGMA integrity_check').all().length).toBe(1);
  expect(Number(copy.prepare('SELECT count(*) AS n FROM session').get()!['n'])).toBe(made.sessions);
  copy.close();
});

test('[CLI] the needed disk space includes data that is in the log only', async () => {
  await start();
  const written = fs.statSync(database()).size;
  const made = await runAtTerminal(matchd.folder, {}, 'backup', 'one.db');
  const { size } = fs.statSync(inFolder('one.db'));
  // Most of a new database is still in its log.
  expect(written).toBeLessThan(size / 10);
  const [, amount] = /copying (\d+\.\d) kB/.exec(made) ?? [];
  expect(Number(amount) * 1_000).toBeGreaterThanOrEqual(size * 0.9);
  const doctor = await matchd.run('doctor');
  const [, known] = /free for (\d+\.\d) kB of data/.exec(doctor.stdout) ?? [];
  expect(Number(known) * 1_000).toBeGreaterThanOrEqual(size * 0.9);
});

test('[CLI] no file is overwritten; a folder gets a file named by the time', async () => {
  await matchd.json('migrate');
  await backUp('one.db');
  const again = await matchd.run('backup', 'one.db');
  expect([again.exit, again.stdout]).toEqual([1, '']);
  expect(again.stderr).toContain('one.db already exists');
  fs.mkdirSync(inFolder('backups'));
  // A killed backup leaves a partial file, which does no harm.
  fs.writeFileSync(inFolder('two.db.part'), 'half');
  expect((await backUp('backups')).file).toMatch(/backups\/matchd-\d{4}-\d\d-\d\dT[\d-]+Z\.db$/);
  expect((await backUp('two.db')).bytes).toBeGreaterThan(0);
  expect((await matchd.run('backup', 'nowhere/x.db')).stderr).toContain('Folder not found: ');
  expect((await matchd.run('backup', 'x.db', '--data', 'none')).exit).toBe(1);
});

test('[CLI] restore refuses while a service runs, and keeps the former database', async () => {
  const { url, testKey } = await start();
  await backUp('empty.db');
  await playSome(url, testKey);
  const refused = await matchd.run('restore', 'empty.db');
  expect([refused.exit, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toContain('stop the service first');
  // Still running and still accepting requests.
  await playSome(url, testKey);
  await stop();
  const { kept, sessions } = await restore('empty.db');
  expect(sessions).toBe(0);
  const before = new DatabaseSync(kept!, { readOnly: true });
  expect(before.prepare('SELECT count(*) AS n FROM player').get()!['n']).toBe(2);
  before.close();
  expect(fs.statSync(database()).mode & 0o777).toBe(0o600);
  const { url: again, testKey: key } = await start();
  expect((await createMatchd({ url: again, key }).whoami()).mode).toBe('test');
});

test('[R2] an erased player stays erased when an older backup is restored', async () => {
  const { url, testKey } = await start();
  await playSome(url, testKey);
  await backUp('old.db');
  expect(holds(ANN, inFolder('old.db'))).toBe(true);
  await createMatchd({ url, key: testKey }).players.erase(ANN);
  const newer = await backUp('new.db');
  // Made after it: the copy is vacuumed, so the name is in no free page.
  for (const text of [ANN, NAME]) expect([text, holds(text, newer.file)]).toEqual([text, false]);
  expect(holds(ANN, newer.withdrawn)).toBe(false);
  await stop();
  fs.copyFileSync(database(), inFolder('saved.db'));
  const beside = await restore('old.db');
  expect([beside.playersErased, beside.sessions]).toEqual([1, 1]);
  for (const text of [ANN, NAME]) expect([text, holds(text)]).toEqual([text, false]);
  // The disk is lost, with the list of erasures: then the list beside the backup counts.
  fs.rmSync(data, { recursive: true });
  expect((await restore('old.db')).playersErased).toBe(1);
  expect(holds(ANN)).toBe(false);
  // No list, only the database that is replaced.
  fs.copyFileSync(inFolder('saved.db'), database());
  fs.rmSync(newer.withdrawn);
  expect((await restore('old.db')).playersErased).toBe(1);
  expect(holds(ANN)).toBe(false);
});

test('[K2] a revoked key, and a secret that was given up, stay invalid', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const make = ['keys', 'create', '--tenant', 'acme', '--mode', 'test'];
  const revoked: { id: string } = await matchd.json(...make, '--name', 'revoked');
  const rotated: { id: string } = await matchd.json(...make, '--name', 'rotated');
  await backUp('old.db');
  await matchd.json('keys', 'revoke', revoked.id);
  await matchd.json('keys', 'rotate', rotated.id, '--overlap', '0');
  const { keysRevoked, keyTextsEnded } = await restore('old.db');
  expect([keysRevoked, keyTextsEnded]).toEqual([1, 1]);
  const { data: keys }: { data: readonly { id: string; status: string }[] } = await matchd.json(
    ...['keys', 'list', '--tenant', 'acme'],
  );
  expect(keys.find(({ id }) => id === revoked.id)?.status).toBe('revoked');
  const db = new DatabaseSync(database(), { readOnly: true });
  const left = db.prepare('SELECT expires_at FROM key_secret WHERE key = ?').all(rotated.id);
  db.close();
  expect(left.map((row) => row['expires_at'])).toEqual([expect.any(Number)]);
});

test('[D3] a restore ends all sign-ins, and is in the audit', async () => {
  await matchd.json('migrate');
  const db = new DatabaseSync(database());
  db.exec(`INSERT INTO login VALUES ('h', 'log_1', 'acc_1', 0, 0, 9e15, '::1', 'x', NULL);
    INSERT INTO account_link VALUES ('h', 'lnk_1', 'reset', NULL, NULL, NULL, 0, 9e15)`);
  db.close();
  await backUp('old.db');
  await restore('old.db');
  const after = new DatabaseSync(database(), { readOnly: true });
  const count = (table: string) => after.prepare(`SELECT count(*) AS n FROM ${table}`).get()!['n'];
  expect([count('login'), count('account_link')]).toEqual([0, 0]);
  const acts = after.prepare("SELECT act, object FROM audit WHERE tenant = ''").all();
  after.close();
  expect(acts.map((row) => ({ ...row }))).toEqual([{ act: 'database.restored', object: 'old.db' }]);
});

test('[CLI] an invalid backup is refused, and the database stays unchanged', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const { file, bytes } = await backUp('good.db');
  const good = fs.readFileSync(file);
  const write = (name: string, content: Uint8Array | string): void =>
    fs.writeFileSync(inFolder(name), content);
  write('half.db', good.subarray(0, Math.floor(bytes / 2)));
  write(
    'flipped.db',
    good.map((byte, i) => (i > 8_192 && i < 40_960 ? byte ^ 0xff : byte)),
  );
  write('text.db', 'not a database at all');
  write('empty.db', '');
  const other = new DatabaseSync(inFolder('other.db'));
  other.exec('CREATE TABLE t (x)');
  other.close();
  write('newer.db', good);
  const newer = new DatabaseSync(inFolder('newer.db'));
  newer.exec("INSERT INTO migration VALUES ('9999-later')");
  newer.close();
  const before = fs.readFileSync(database());
  for (const name of ['half', 'flipped', 'text', 'empty', 'other', 'newer', 'missing']) {
    const ended = await matchd.run('restore', `${name}.db`);
    expect([name, ended.exit, ended.stdout]).toEqual([name, 1, '']);
    expect(ended.stderr).toContain(`${name}.db cannot be restored`);
  }
  expect(fs.readFileSync(database()).equals(before)).toBe(true);
  fs.writeFileSync(inFolder('list'), '{"kind":"player"}\n');
  const list = await matchd.run('restore', 'good.db', '--withdrawn', 'list');
  expect([list.exit, list.stderr]).toEqual([
    1,
    expect.stringContaining('line 1 is not an erasure or revocation'),
  ]);
  const left = fs.readdirSync(data).filter((name) => !/-(?:wal|shm)$/.test(name));
  expect(left.sort()).toEqual(['matchd.db', 'matchd.db-lock']);
});

test('[CLI] an unreadable database is replaced, kept, and reported as lost', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await backUp('good.db');
  fs.writeFileSync(database(), 'x'.repeat(10_000));
  fs.writeFileSync(`${database()}-wal`, 'of no file at all');
  const { kept, isDamaged } = await restore('good.db');
  expect(isDamaged).toBe(true);
  expect(fs.readFileSync(kept!, 'utf8')).toStartWith('xxx');
  expect(holds('of no file at all')).toBe(false);
  const { data: tenants }: { data: readonly object[] } = await matchd.json('tenants', 'list');
  expect(tenants.length).toBe(1);
});
