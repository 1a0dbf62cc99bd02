/** Shows `matchd accounts` as people meet it: links for the first account and for who is locked out. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { type Matchd, makeMatchd } from './matchd.test-kit.ts';

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
