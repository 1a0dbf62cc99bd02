/** `matchd keys`: real processes, beside a process that has the same file open. */

import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { makeKeyRing } from '../../runtime/access/key-ring.ts';
import { makeTenancyWatch } from '../../runtime/access/tenancy-watch.ts';
import { makeSystemClock } from '../../runtime/system.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { CoreStore } from '../../store/store.ts';
import { parseKeyText } from '../../tenancy/key-text.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

interface KeyJson {
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly mode: string;
  readonly hint: string;
  readonly status: string;
  readonly origins: readonly string[];
  readonly scopes: readonly string[];
  readonly requireOrigin: boolean;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  /** The secret: only in the responses to `create` and `rotate`. */
  readonly key?: string;
  readonly overlapUntil?: string;
  readonly oldTexts: readonly {
    readonly hint: string;
    readonly expiresAt: string;
    readonly lastUsedAt: string | null;
  }[];
}

const HOUR_MS = 3_600_000;

let matchd: Matchd;
beforeEach(async () => {
  matchd = makeMatchd();
  await matchd.json('tenants', 'create', '--name', 'Acme');
});
afterEach(() => matchd.close());

const keys = (...args: readonly string[]): Promise<KeyJson> => matchd.json('keys', ...args);
const create = (...args: readonly string[]): Promise<KeyJson> =>
  keys('create', '--tenant', 'acme', ...args);
const list = async (): Promise<readonly KeyJson[]> =>
  ((await keys('list', '--tenant', 'acme')) as unknown as { data: readonly KeyJson[] }).data;
const openStore = (): Promise<CoreStore> =>
  openSqliteStore(path.join(matchd.folder, '.matchd', 'matchd.db'));

/** All bytes of the database on disk. */
function disk(): string {
  const folder = path.join(matchd.folder, '.matchd');
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), 'latin1'))
    .join();
}

test('[K1] a new key is printed once, works, and is nowhere on disk', async () => {
  const made = await create('--mode', 'live');
  const { key, ...rest } = made;
  expect(parseKeyText(key!)).toMatchObject({ mode: 'live' });
  expect(made).toMatchObject({
    name: 'live',
    hint: key!.slice(0, 16),
    status: 'active',
    origins: [],
  });
  const store = await openStore();
  const ring = makeKeyRing({ store, clock: makeSystemClock() });
  expect((await ring.find(key!))?.key.id).toBe(made.id);
  const written = disk();
  await store.close();
  expect(written).toContain(made.hint);
  expect(written).not.toContain(key!.slice(16));
  expect(await list()).toEqual([{ ...rest }]);
});

test('[K1] on a terminal the key is alone on its line, once', async () => {
  const { stdout } = await matchd.run('keys', 'create', '--tenant', 'acme', '--mode', 'test');
  const lines = stdout.split('\n').filter((line) => /mk_test_\w{46}/.test(line));
  expect(lines).toHaveLength(1);
  expect(parseKeyText(lines[0]!)).not.toBeNull();
  expect(stdout).toContain('shown only once');
});

test('[K5] a key is created with scopes, which a rotation keeps', async () => {
  const made = await create('--mode', 'live', '--scopes', 'players, read');
  expect(made.scopes).toEqual(['read', 'players']);
  expect(parseKeyText(made.key!)).toMatchObject({ mode: 'live', isRestricted: true });
  const rotated = await keys('rotate', made.hint);
  expect(parseKeyText(rotated.key!)).toMatchObject({ isRestricted: true });
  expect(rotated.scopes).toEqual(made.scopes);
  expect((await create('--mode', 'live')).scopes).toEqual(['*']);
  const wrong = await matchd.run(
    ...['keys', 'create', '--tenant', 'acme', '--mode', 'live', '--scopes', 'read,all'],
  );
  expect(wrong.exit).toBe(2);
  expect(wrong.stderr).toContain('read,sessions,matchmaking,players,admin');
});

test('[K2] name, mode, origins, requireOrigin and expiry are stored as given', async () => {
  const made = await create(
    ...['--mode', 'test', '--name', ' Web shop ', '--require-origin', '--expires', '90d'],
    ...['--origin', 'HTTPS://Shop.Example.com:443', '--origin', 'https://*.example.com'],
    ...['--origin', 'https://shop.example.com'],
  );
  expect(made).toMatchObject({
    name: 'Web shop',
    mode: 'test',
    origins: ['https://shop.example.com', 'https://*.example.com'],
    requireOrigin: true,
  });
  const days = (Date.parse(made.expiresAt!) - Date.now()) / (24 * HOUR_MS);
  expect(days).toBeGreaterThan(89.9);
  expect(days).toBeLessThanOrEqual(90);
  const dated = await create('--mode', 'live', '--expires', '2999-01-31');
  expect(dated.expiresAt).toBe('2999-01-31T00:00:00.000Z');
});

test('[K2] an update changes what it names and nothing else', async () => {
  const { key: _, ...made } = await create('--mode', 'live', '--origin', 'https://a.example');
  const update = (...args: readonly string[]) => keys('update', made.id, ...args);
  const origins = ['https://b.example'];
  expect(await update('--origin', origins[0]!)).toEqual({ ...made, origins });
  expect(await update('--require-origin')).toEqual({ ...made, origins, requireOrigin: true });
  expect(await update('--any-origin', '--no-require-origin')).toEqual({ ...made, origins: [] });
  expect((await update('--expires', '2999-01-01', '--name', 'b')).expiresAt).toStartWith(
    '2999-01-01',
  );
  expect(await update('--expires', 'never')).toEqual({ ...made, name: 'b', origins: [] });
  expect(await list()).toEqual([{ ...made, name: 'b', origins: [] }]);
});

test('[K2] rotation creates a new secret and keeps the old one for 24 h, or as given', async () => {
  const made = await create('--mode', 'live');
  const first = await keys('rotate', made.id);
  expect(first.id).toBe(made.id);
  expect(first.key).not.toBe(made.key);
  expect(first.hint).toBe(first.key!.slice(0, 16));
  const hours = (Date.parse(first.overlapUntil!) - Date.now()) / HOUR_MS;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const store = await openStore();
  const ring = makeKeyRing({ store, clock: makeSystemClock() });
  const tenancy = makeTenancyWatch(store, [ring]);
  const act = async (text: string | undefined): Promise<boolean> =>
    (await ring.find(text!)) !== null;
  expect([await act(made.key), await act(first.key)]).toEqual([true, true]);
  const second = await keys('rotate', first.hint, '--overlap', '0');
  await tenancy.look();
  expect([await act(made.key), await act(first.key), await act(second.key)]).toEqual([
    false,
    false,
    true,
  ]);
  await store.close();
});

test('[K2] the list shows old secrets that are still valid, and their overlap can be ended early', async () => {
  const made = await create('--mode', 'live');
  await keys('rotate', made.id);
  const [listed] = await list();
  expect(listed!.oldTexts).toEqual([
    { hint: made.hint, expiresAt: expect.any(String), lastUsedAt: null },
  ]);
  const table = await matchd.run('keys', 'list', '--tenant', 'acme');
  expect(table.stdout).toContain(`${made.hint} until `);
  expect(await matchd.json('keys', 'end-overlap', made.id)).toMatchObject({ ended: true });
  expect((await list())[0]).toMatchObject({ status: 'active', oldTexts: [] });
  expect(await matchd.json('keys', 'end-overlap', made.id)).toMatchObject({ ended: false });
  await keys('revoke', made.id);
  expect((await matchd.run('keys', 'end-overlap', made.id)).exit).toBe(1);
});

test('[K2] a revocation reaches a process that cached the key within 2 s, while it writes', async () => {
  const made = await create('--mode', 'live');
  const other = await create('--mode', 'live');
  const store = await openStore();
  const ring = makeKeyRing({ store, clock: makeSystemClock() });
  const tenancy = makeTenancyWatch(store, [ring]);
  await tenancy.look();
  await ring.find(made.key!);
  await ring.find(other.key!);
  let isBusy = true;
  const writing = (async () => {
    while (isBusy) await store.heartbeat('nod_test', Date.now());
  })();
  const polling = setInterval(() => void tenancy.look(), 1_000);
  await keys('revoke', made.id);
  const revokedAt = Date.now();
  while ((await ring.find(made.key!)) !== null) await Bun.sleep(10);
  holdBar('a revoked key is known, ms', Date.now() - revokedAt, 2_000);
  expect(await ring.find(other.key!)).not.toBeNull();
  clearInterval(polling);
  isBusy = false;
  await writing;
  await store.close();
});

test('[K2] a revoked key stays revoked, and cannot be rotated or changed', async () => {
  const made = await create('--mode', 'live');
  const revoked = await keys('revoke', made.hint);
  expect(revoked).toMatchObject({ id: made.id, status: 'revoked' });
  expect(await keys('revoke', made.id)).toEqual(revoked);
  for (const args of [
    ['rotate', made.id],
    ['update', made.id, '--name', 'b'],
  ]) {
    const ended = await matchd.run('keys', ...args);
    expect([ended.exit, ended.stdout]).toEqual([1, '']);
    expect(ended.stderr).toContain('is revoked');
  }
  expect(await list()).toEqual([revoked]);
});

const REFUSED: readonly (readonly [exit: number, error: string, ...args: readonly string[]])[] = [
  [2, "required option '--tenant", 'create', '--mode', 'live'],
  [2, "required option '--mode", 'create', '--tenant', 'acme'],
  [2, 'Unknown mode prod', 'create', '--tenant', 'acme', '--mode', 'prod'],
  [1, 'There is no tenant', 'create', '--tenant', 'nobody', '--mode', 'live'],
  [
    2,
    'expected scheme://host',
    'create',
    '--tenant',
    'acme',
    '--mode',
    'live',
    '--origin',
    'a.com',
  ],
  [2, 'expected scheme://host', 'create', '--tenant', 'acme', '--mode', 'live', '--origin', '*'],
  [2, '--expires: expected', 'create', '--tenant', 'acme', '--mode', 'live', '--expires', 'soon'],
  [
    2,
    '--expires: expected',
    'create',
    '--tenant',
    'acme',
    '--mode',
    'live',
    '--expires',
    '2027-02-30',
  ],
  [2, 'is in the past', 'create', '--tenant', 'acme', '--mode', 'live', '--expires', '2020-01-01'],
  [2, 'is in the past', 'create', '--tenant', 'acme', '--mode', 'live', '--expires', '0'],
  [2, 'A name is', 'create', '--tenant', 'acme', '--mode', 'live', '--name', ''],
  [1, 'There is no key', 'rotate', 'key_nope'],
  [1, 'There is no key', 'revoke', 'mk_live_00000000'],
  [2, '--overlap: expected 0 to 7d', 'rotate', 'KEY', '--overlap', '8d'],
  [2, '--overlap: expected 0 to 7d', 'rotate', 'KEY', '--overlap', '-1h'],
  [2, 'Nothing to change', 'update', 'KEY'],
  [2, 'exclude each other', 'update', 'KEY', '--origin', 'https://a.example', '--any-origin'],
  [2, 'expected scheme://host', 'update', 'KEY', '--name', 'b', '--origin', 'https://a.example/'],
  [1, 'There is no tenant', 'list', '--tenant', 'nobody'],
];

test('[CLI] invalid input is refused in one line, and changes nothing', async () => {
  const { id, key } = await create('--mode', 'live');
  const before = await list();
  const all = REFUSED.map(async ([exit, error, ...args]) => {
    const typed = args.map((arg) => (arg === 'KEY' ? id : arg));
    const ended = await matchd.run('keys', ...typed, '--json');
    expect({ typed, exit: ended.exit, stdout: ended.stdout }).toEqual({ typed, exit, stdout: '' });
    expect(ended.stderr).toStartWith('{"error":"');
    expect(ended.stderr).toContain(error);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });
  await Promise.all(all);
  expect(await list()).toEqual(before);
  const ended = await matchd.run('keys', 'revoke', key!);
  expect(ended.exit).toBe(2);
  expect(ended.stderr).not.toContain(key!);
  expect(await list()).toEqual(before);
});

test('[K3] every change is in the audit, with its key and its author', async () => {
  const made = await create('--mode', 'live');
  await keys('rotate', made.id);
  await keys('update', made.id, '--name', 'b');
  await keys('revoke', made.id);
  await keys('revoke', made.id);
  const db = new Database(path.join(matchd.folder, '.matchd', 'matchd.db'), { readonly: true });
  const rows = db.query('SELECT actor, act, object, tenant FROM audit ORDER BY tenant, n').all();
  db.close();
  const acts = ['key.created', 'key.rotated', 'key.updated', 'key.revoked'];
  expect(rows).toEqual([
    { actor: 'cli', act: 'tenant.created', object: made.tenant, tenant: made.tenant },
    ...acts.map((act) => ({ actor: 'cli', act, object: made.id, tenant: made.tenant })),
  ]);
});
