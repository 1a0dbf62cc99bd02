/** `matchd accounts`: links for the first account and for locked-out users. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isPostgresHere, sharedPostgres } from '../../testing/servers/postgres.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(60_000);

let matchd: Matchd;
beforeEach(() => {
  matchd = makeMatchd();
});
afterEach(() => matchd.close());

test('[D1][CLI] a link for the first account is printed as long as there is none', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme', '--plan', 'pro');
  const url = ['--public-url', 'https://play.example.com'];
  const made: { url: string; expiresInMinutes: number } = await matchd.json(
    ...['accounts', 'setup', ...url],
  );
  expect(made.url).toMatch(/^https:\/\/play\.example\.com\/dashboard\/setup#[\w-]{43}$/);
  expect(made.expiresInMinutes).toBe(60);
  const nobody = await matchd.run('accounts', 'reset', 'nobody@example.test', ...url);
  expect([nobody.exit, nobody.stderr]).toEqual([
    1,
    expect.stringContaining('There is no account of nobody@example.test'),
  ]);
  expect((await matchd.run('accounts', 'reset', 'nonsense')).exit).toBe(2);
});

test('[D1][CLI] a link begins with the public address, from the option or the variable; without one none is created', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const address = { MATCHD_PUBLIC_URL: 'https://play.example.com' };
  const set = makeMatchd(address);
  const at = ['--data', path.join(matchd.folder, '.matchd')];
  const made: { url: string } = await set.json('accounts', 'setup', ...at);
  expect(made.url).toStartWith('https://play.example.com/dashboard/setup#');
  const typed: { url: string } = await set.json(
    ...['accounts', 'setup', '--public-url', 'https://other.example.com/', ...at],
  );
  set.close();
  expect(typed.url).toStartWith('https://other.example.com/dashboard/setup#');
  const db = new DatabaseSync(path.join(matchd.folder, '.matchd', 'matchd.db'));
  const links = () => db.prepare('SELECT * FROM account_link').all();
  const before = links();
  for (const [args, error] of [
    [['setup'], 'needs --public-url or MATCHD_PUBLIC_URL'],
    [['reset', 'olga@example.com'], 'needs --public-url or MATCHD_PUBLIC_URL'],
    [['setup', '--public-url', 'play.example.com'], '--public-url "play.example.com": expected'],
  ] as const) {
    const ended = await matchd.run('accounts', ...args);
    expect([args, ended.exit, ended.stdout]).toEqual([args, 2, '']);
    expect(ended.stderr).toContain(error);
  }
  // The earlier link still works.
  expect(links()).toEqual(before);
  db.close();
});

test.skipIf(!isPostgresHere())(
  '[D1][CLI] a link into the database that nodes share needs no other setting than its URL and the address',
  async () => {
    const store = ['--store', await (await sharedPostgres()).createDatabase()];
    await matchd.json('tenants', 'create', '--name', 'Acme', ...store);
    const url = ['--public-url', 'https://play.example.com'];
    const made: { url: string } = await matchd.json('accounts', 'setup', ...url, ...store);
    expect(made.url).toStartWith('https://play.example.com/dashboard/setup#');
  },
);
