/** `matchd tenants` for people and scripts: real processes on a real file. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Tenant } from '../../tenancy/tenant.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';
import type { Workshop } from '../store/workshop.ts';
import { createTenant } from './tenants.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

interface TenantJson {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  readonly status: string;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly createdAt: string;
}

let matchd: Matchd;
beforeEach(() => {
  matchd = makeMatchd();
});
afterEach(() => matchd.close());

const create = (...args: readonly string[]): Promise<TenantJson> =>
  matchd.json('tenants', 'create', ...args);
const show = (name: string): Promise<TenantJson> => matchd.json('tenants', 'show', name);
const list = async (): Promise<readonly TenantJson[]> =>
  ((await matchd.json('tenants', 'list')) as { data: readonly TenantJson[] }).data;

test('[CLI] the first tenant creates the database, readable for its owner only', async () => {
  const tenant = await create('--name', 'Acme Games', '--plan', 'pro');
  expect(tenant).toMatchObject({ slug: 'acme-games', name: 'Acme Games', plan: 'pro' });
  expect(tenant.id).toMatch(/^ten_[0-9a-z]{26}$/);
  expect(tenant.status).toBe('active');
  expect(tenant.limits['requestsPerMinute']).toBe(600);
  expect(tenant.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const folder = path.join(matchd.folder, '.matchd');
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'matchd.db')).mode & 0o777).toBe(0o600);
});

test('[CLI] a tenant is found by id and by slug, in the folder that --data names', async () => {
  const data = path.join(matchd.folder, 'elsewhere');
  const made = await create('--name', 'Acme', '--slug', 'acme-eu', '--data', data);
  for (const name of [made.id, 'acme-eu']) {
    expect((await matchd.json('tenants', 'show', name, '--data', data)) as TenantJson).toEqual(
      made,
    );
  }
  expect(existsSync(path.join(matchd.folder, '.matchd'))).toBe(false);
  const other = makeMatchd({ MATCHD_DATA: data });
  expect((await other.json('tenants', 'show', made.id)) as TenantJson).toEqual(made);
  other.close();
});

test('[CLI] on a terminal there is an aligned table, without colours where they are not shown', async () => {
  const plain = makeMatchd();
  await plain.run('tenants', 'create', '--name', 'Acme');
  await plain.run('tenants', 'create', '--name', 'A much longer name', '--plan', 'enterprise');
  const { stdout } = await plain.run('tenants', 'list');
  const help = await plain.run('tenants', '--help');
  plain.close();
  expect(stdout + help.stdout).not.toContain('\u001b');
  const [titles, ...rows] = stdout.trimEnd().split('\n');
  expect(rows).toHaveLength(2);
  const column = titles!.indexOf('PLAN');
  expect(rows.map((row) => row.slice(column).split(' ')[0])).toEqual(['starter', 'enterprise']);
});

test('[CLI] an update changes the given fields and keeps the rest', async () => {
  const made = await create('--name', 'Acme');
  const update = (...args: string[]) => matchd.json('tenants', 'update', 'acme', ...args);
  expect((await update('--suspend')) as TenantJson).toEqual({ ...made, status: 'suspended' });
  expect((await update('--activate')) as TenantJson).toEqual(made);
  await update('--name', 'Acme Ltd', '--plan', 'enterprise', '--limits', 'requestsPerMinute=5000');
  await update('--limits', 'sockets=7', '--limits', 'sessionsPerMonth=unlimited');
  const changed = await show('acme');
  expect(changed).toMatchObject({ id: made.id, name: 'Acme Ltd', plan: 'enterprise' });
  expect(changed.limits).toMatchObject({
    requestsPerMinute: 5_000,
    sockets: 7,
    sessionsPerMonth: null,
    webhooks: 100,
  });
  await update('--limits', 'sockets=plan');
  expect((await show('acme')).limits).toMatchObject({
    requestsPerMinute: 5_000,
    sockets: 1_000_000,
  });
  await update('--plan', 'growth');
  expect((await show('acme')).limits['requestsPerMinute']).toBe(300);
  await update('--plan', 'enterprise');
  expect((await show('acme')).limits['requestsPerMinute']).toBe(1_000_000);
});

test('[CLI] concurrent tenants with one name get different slugs', async () => {
  await create('--name', 'First');
  const made = await Promise.all(Array.from({ length: 5 }, () => create('--name', 'Acme')));
  const slugs = made.map(({ slug }) => slug).sort();
  expect(slugs).toEqual(['acme', 'acme-2', 'acme-3', 'acme-4', 'acme-5']);
});

async function createAtOnce(commands: Matchd): Promise<void> {
  const args = ['tenants', 'create', '--name', 'Acme', '--slug', 'acme'];
  const ended = await Promise.all(Array.from({ length: 4 }, () => commands.run(...args)));
  expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1, 1, 1]);
  for (const { exit, stderr } of ended) {
    expect(stderr).toContain(exit === 0 ? '' : 'The slug acme is taken');
  }
  const { data } = (await commands.json('tenants', 'list')) as { data: readonly TenantJson[] };
  expect(data.map(({ slug }) => slug)).toEqual(['first', 'acme']);
}

test('[CLI] of concurrent creates with one slug one succeeds', async () => {
  await create('--name', 'First');
  await createAtOnce(matchd);
});

test.skipIf(!isPostgresHere())('[CLI] the same in PostgreSQL', async () => {
  const shared = makeMatchd({ MATCHD_STORE: await freshDatabase() });
  await shared.run('tenants', 'create', '--name', 'First');
  await createAtOnce(shared);
  shared.close();
});

test('[CLI] a tenant whose creation had an unknown outcome is not created twice', async () => {
  const made: Tenant[] = [];
  const store = {
    listTenants: async () => [...made],
    findTenant: async (id: string) => made.find((tenant) => tenant.id === id) ?? null,
    async createTenant(tenant: Tenant) {
      made.push(tenant);
      throw new Error('nobody can say the result of a commit');
    },
  };
  const clock = { now: () => 0 };
  const workshop = { store, clock, makeId: () => `ten_${made.length}` } as unknown as Workshop;
  const answer = await createTenant(workshop, { name: 'Acme', plan: 'starter' });
  expect(made.map(({ slug }) => slug)).toEqual(['acme']);
  expect(answer).toMatchObject({ json: { slug: 'acme' } });
});

test('[CLI] slugs of equal names differ', async () => {
  const slugs = [await create('--name', 'Acme'), await create('--name', 'ACME!')];
  expect(slugs.map(({ slug }) => slug)).toEqual(['acme', 'acme-2']);
});

const REFUSED: readonly (readonly [exit: number, error: string, ...args: readonly string[]])[] = [
  [2, "required option '--name <name>'", 'create'],
  [2, 'A name is 1 to 64', 'create', '--name', '  '],
  [2, 'A name is 1 to 64', 'create', '--name', 'a\u001b[31m'],
  [2, 'A name is 1 to 64', 'create', '--name', 'a'.repeat(65)],
  [2, 'There is no plan \\"gold\\". Valid: starter', 'create', '--name', 'B', '--plan', 'gold'],
  [2, 'A slug is', 'create', '--name', 'B', '--slug', 'Not A Slug'],
  [1, 'The slug acme is taken', 'create', '--name', 'B', '--slug', 'acme'],
  [2, 'too many arguments', 'create', '--name', 'B', 'more'],
  [2, 'unknown option', 'create', '--name', 'B', '--colour', 'red'],
  [1, 'There is no tenant \\"nobody\\"', 'show', 'nobody'],
  [1, 'There is no tenant', 'update', 'nobody', '--suspend'],
  [2, 'Nothing to change', 'update', 'acme'],
  [2, 'exclude each other', 'update', 'acme', '--suspend', '--activate'],
  [2, 'There is no plan', 'update', 'acme', '--plan', 'free'],
  [2, 'There is no limit \\"coffee\\"', 'update', 'acme', '--limits', 'coffee=1'],
  [2, 'expected 0 to 1000000000', 'update', 'acme', '--limits', 'sockets=-1'],
  [2, 'expected 0 to 1000000000', 'update', 'acme', '--limits', 'sockets=1.5'],
  [2, 'expected 0 to 1000000000', 'update', 'acme', '--limits', 'sockets=unlimited'],
  [2, 'expected 0 to 1000000000', 'update', 'acme', '--limits', 'sockets'],
  [2, 'expected 1 to 1000000000', 'update', 'acme', '--limits', 'requestsPerMinute=0'],
  [1, 'Only enterprise', 'update', 'acme', '--name', 'B', '--limits', 'sockets=1'],
  [1, 'Only enterprise', 'update', 'acme', '--plan', 'pro', '--limits', 'sockets=1'],
];

test('[CLI] invalid input is refused in one line, and changes nothing', async () => {
  await create('--name', 'Acme');
  const before = await list();
  const all = REFUSED.map(async ([exit, error, ...args]) => {
    const ended = await matchd.run('tenants', ...args, '--json');
    expect({ args, exit: ended.exit, stdout: ended.stdout }).toEqual({ args, exit, stdout: '' });
    expect(ended.stderr).toStartWith('{"error":"');
    expect(ended.stderr).toContain(error);
    expect(ended.stderr.trimEnd()).not.toContain('\n');
  });
  await Promise.all(all);
  expect(await list()).toEqual(before);
  const plain = await matchd.run('tenants', 'show', 'nobody');
  expect(plain).toEqual({ stdout: '', stderr: 'error: There is no tenant "nobody"\n', exit: 1 });
});

test('[CLI] a folder without a database is refused and not created', async () => {
  for (const command of [
    ['tenants', 'list'],
    ['tenants', 'show', 'a'],
    ['keys', 'list', '--tenant', 'a'],
  ]) {
    const ended = await matchd.run(...command, '--data', 'typo');
    expect(ended.exit).toBe(1);
    expect(ended.stderr).toContain('There is no database at');
  }
  expect(existsSync(path.join(matchd.folder, 'typo'))).toBe(false);
});

test('[CLI] a file that is not a database is refused and left unchanged', async () => {
  const file = path.join(matchd.folder, 'matchd.db');
  await Bun.write(file, 'not a database, and longer than a header would be'.repeat(10));
  const before = readFileSync(file);
  const ended = await matchd.run('tenants', 'list', '--data', matchd.folder);
  expect(ended).toMatchObject({ exit: 1, stdout: '' });
  expect(ended.stderr).toContain('not a database');
  expect(readFileSync(file).equals(before)).toBe(true);
});

test('[CLI] many concurrent commands on a new folder all succeed', async () => {
  const names = Array.from({ length: 8 }, (_, i) => `tenant-${i}`);
  await Promise.all(names.map((name) => create('--name', name, '--slug', name)));
  expect((await list()).map(({ slug }) => slug).sort()).toEqual(names);
});
