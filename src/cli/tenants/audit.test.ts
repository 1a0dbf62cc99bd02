/**
 * Tampering by a database administrator, and how `matchd audit`, backups and metrics reveal it
 * (D8).
 */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { CHAIN_START, hashAudit } from '../../accounts/audit-chain.ts';
import { gaugeOf } from '../../runtime/audit/audit-check.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(120_000);

let matchd: Matchd;
let data: string;
beforeEach(() => {
  matchd = makeMatchd();
  data = path.join(matchd.folder, '.matchd');
});
afterEach(() => matchd.close());

const inFolder = (name: string): string => path.join(matchd.folder, name);
const database = (): string => path.join(data, 'matchd.db');

interface Chain {
  readonly tenant: string;
  readonly ok: boolean;
  readonly rows: number;
  readonly firstWrong: number | null;
  readonly fault: string | null;
  readonly keyedFrom: number | null;
}

/** A first start of a service creates the key, and keys the chains. */
async function serveOnce(): Promise<void> {
  const server = await startServer({ port: await freePort(), dataDir: data });
  await server.stop();
}

async function makeKeys(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await matchd.json('keys', 'create', '--tenant', 'acme', '--mode', 'test', '--name', `k${i}`);
  }
}

async function verify(...args: readonly string[]) {
  const { stdout, stderr, exit } = await matchd.run('audit', 'verify', '--json', ...args);
  const { ok, chains = [] } = JSON.parse(stdout || stderr) as { ok: boolean; chains?: Chain[] };
  const [acme, house] = [
    chains.find(({ tenant }) => tenant !== ''),
    chains.find(({ tenant }) => tenant === ''),
  ];
  return { exit, ok, acme: acme!, house: house! };
}

function onDatabase(act: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(database());
  act(db);
  db.close();
}

/**
 * Another actor in a row, and all later hashes computed again: the whole chain is valid except for
 * the key.
 */
function rewrite(row: number, mac: 'kept' | 'removed'): void {
  onDatabase((db) => {
    const { tenant } = db.prepare("SELECT tenant FROM audit WHERE tenant <> '' LIMIT 1").get()!;
    db.prepare("UPDATE audit SET actor = 'member:other' WHERE tenant = ? AND n = ?").run(
      tenant!,
      row,
    );
    const set = db.prepare('UPDATE audit SET hash = ? WHERE tenant = ? AND n = ?');
    let before = CHAIN_START;
    for (const each of db.prepare('SELECT * FROM audit WHERE tenant = ? ORDER BY n').all(tenant!)) {
      before = hashAudit(before, Number(each['n']), each as never);
      set.run(before, tenant!, each['n']!);
    }
    if (mac === 'removed') db.prepare('UPDATE audit SET mac = NULL WHERE tenant = ?').run(tenant!);
  });
}

test('[D8] a row rewritten with all later hashes is detected by a key outside the database', async () => {
  // Rows from before the key are only chained.
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await makeKeys(1);
  expect(await verify()).toMatchObject({ exit: 0, ok: true, acme: { rows: 2, keyedFrom: null } });
  await serveOnce();
  await makeKeys(3);
  const sound = { exit: 0, ok: true, acme: { ok: true, rows: 6, keyedFrom: 3 } };
  expect(await verify()).toMatchObject(sound);
  const before = fs.readFileSync(database());
  const restore = (): void => fs.writeFileSync(database(), before);
  for (const [row, found] of [
    [5, { firstWrong: 5, fault: 'mac_invalid' }],
    // Rows without a MAC are covered by the first that has one.
    [1, { firstWrong: 3, fault: 'mac_invalid' }],
  ] as const) {
    rewrite(row, 'kept');
    expect(await verify()).toMatchObject({ exit: 1, ok: false, acme: { ok: false, ...found } });
    restore();
  }
  rewrite(5, 'removed');
  expect(await verify()).toMatchObject({ ok: false, acme: { fault: 'not_keyed' } });
  const told = await matchd.run('audit', 'verify');
  expect(told.stdout).toContain('WRONG: no row is keyed');
});

test('[D8] a truncated end is revealed by an anchor of the command, of a backup and of the metrics', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await serveOnce();
  await makeKeys(2);
  await matchd.json('secrets', 'rotate');
  const anchors = await matchd.run('audit', 'anchor');
  fs.writeFileSync(inFolder('anchors.json'), anchors.stdout);
  const { anchors: beside } = (await matchd.json('backup', 'one.db')) as { anchors: string };
  expect(beside).toBe(inFolder('one.db.audit.json'));
  expect(fs.statSync(beside).mode & 0o777).toBe(0o600);
  const house = { n: 0, hash: '' };
  onDatabase((db) => {
    const row = db.prepare("SELECT n, hash FROM audit WHERE tenant = '' ORDER BY n DESC").get()!;
    Object.assign(house, row);
  });
  const kinds = [
    ['--anchor', 'anchors.json'],
    ['--anchor', beside],
    ['--seen', `${house.n}:${gaugeOf(house.hash)}`],
  ] as const;
  for (const kind of kinds) expect(await verify(...kind)).toMatchObject({ exit: 0, ok: true });
  await makeKeys(1);
  for (const kind of kinds) expect(await verify(...kind)).toMatchObject({ exit: 0, ok: true });
  onDatabase((db) => {
    db.exec("DELETE FROM audit WHERE tenant <> '' AND n >= 4");
    db.exec(`DELETE FROM audit WHERE tenant = '' AND n = ${house.n}`);
  });
  // By itself it is a valid chain.
  expect(await verify()).toMatchObject({ exit: 0, ok: true });
  const acme = { ok: false, rows: 3, firstWrong: 4, fault: 'cut_off' };
  const cut = { ok: false, firstWrong: house.n, fault: 'cut_off' };
  expect(await verify(...kinds[0])).toMatchObject({ exit: 1, acme, house: cut });
  expect(await verify(...kinds[1])).toMatchObject({ exit: 1, acme, house: cut });
  expect(await verify(...kinds[2])).toMatchObject({ exit: 1, house: cut });
  // A changed anchor is invalid, and one of another key is distinguished.
  const text = anchors.stdout.replace(/"n": \d+/, '"n": 1');
  fs.writeFileSync(inFolder('changed.json'), text);
  const changed = await matchd.run('audit', 'verify', '--anchor', 'changed.json');
  expect([changed.exit, changed.stderr]).toEqual([
    1,
    expect.stringContaining('an anchor was changed'),
  ]);
  fs.writeFileSync(inFolder('none.json'), '{"anchors":[]}');
  for (const args of [
    ['--anchor', 'none.json'],
    ['--anchor', 'missing.json'],
    ['--seen', '3'],
    ['--seen', '0:1'],
    ['--seen', '1:-1'],
  ]) {
    const ended = await matchd.run('audit', 'verify', ...args);
    expect([args, ended.exit > 0, ended.stdout]).toEqual([args, true, '']);
  }
});

test('[D8] a backup whose audit was changed, or does not match its anchor, is not restored', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await serveOnce();
  await makeKeys(2);
  await matchd.json('backup', 'good.db');
  await makeKeys(1);
  await matchd.json('backup', 'later.db');
  const tamper = (name: string, sql: string): void => {
    fs.copyFileSync(inFolder('good.db'), inFolder(name));
    fs.copyFileSync(inFolder('good.db.audit.json'), inFolder(`${name}.audit.json`));
    const db = new DatabaseSync(inFolder(name));
    db.exec(sql);
    db.close();
  };
  tamper('cut.db', "DELETE FROM audit WHERE tenant <> '' AND n = 4");
  tamper('changed.db', "UPDATE audit SET object = 'x' WHERE tenant <> '' AND n = 2");
  for (const [args, said] of [
    [['cut.db'], 'cut off, row 4'],
    [['changed.db'], 'row 2 is not what was written'],
    [['good.db', '--anchor', 'later.db.audit.json'], 'cut off, row 5'],
  ] as const) {
    const ended = await matchd.run('restore', ...args);
    expect([args, ended.exit, ended.stderr]).toEqual([args, 1, expect.stringContaining(said)]);
  }
  expect(await verify('--anchor', 'later.db.audit.json')).toMatchObject({ ok: true });
  await matchd.json('restore', 'good.db');
  expect(await verify('--anchor', 'good.db.audit.json')).toMatchObject({
    ok: true,
    acme: { rows: 4 },
  });
  expect(await verify('--anchor', 'later.db.audit.json')).toMatchObject({
    ok: false,
    acme: { fault: 'cut_off', firstWrong: 5 },
  });
});

test('[D8][D12] the chain continues under a new sealing key; after the loss of the old one it gets a new key', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  await serveOnce();
  await makeKeys(1);
  await matchd.json('secrets', 'rotate');
  await makeKeys(1);
  expect(await verify()).toMatchObject({ ok: true, acme: { rows: 5, keyedFrom: 2 } });
  const anchors = await matchd.run('audit', 'anchor');
  fs.writeFileSync(inFolder('anchors.json'), anchors.stdout);
  // The older key is removed from the file: rows keyed with it are only chained, and reported as
  // such from the next start on.
  const key = path.join(data, 'sealing.key');
  const [newest] = fs.readFileSync(key, 'utf8').split('\n');
  fs.writeFileSync(key, `${newest}\n`);
  await serveOnce();
  expect(await verify('--anchor', 'anchors.json')).toMatchObject({
    ok: true,
    acme: { rows: 5, keyedFrom: 4 },
  });
  // The key is lost: without it nothing is written, and a check says that it is not keyed.
  fs.rmSync(key);
  const refused = await matchd.run('keys', 'create', '--tenant', 'acme', '--mode', 'test');
  expect([refused.exit, refused.stderr]).toEqual([1, expect.stringContaining('sealing key')]);
  await matchd.json('secrets', 'forget', '--yes');
  await makeKeys(1);
  await serveOnce();
  expect(await verify('--anchor', 'anchors.json')).toMatchObject({
    ok: true,
    acme: { rows: 7, keyedFrom: 6 },
  });
  rewrite(7, 'kept');
  expect(await verify()).toMatchObject({ ok: false, acme: { firstWrong: 7 } });
  rewrite(2, 'kept');
  expect(await verify('--anchor', 'anchors.json')).toMatchObject({ ok: false });
});
