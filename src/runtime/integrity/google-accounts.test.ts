/**
 * Service accounts are found by tenant, then for all tenants; invalid files are reported and
 * skipped.
 */

import { afterAll, beforeEach, expect, test } from 'bun:test';
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ManualClock, makeManualClock } from '../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { type GoogleAccounts, makeGoogleAccounts } from './google-accounts.ts';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pem = (key: typeof RSA) => key.export({ type: 'pkcs8', format: 'pem' });

const parent = makeTempFolder();
afterAll(() => removeFolder(parent));

let folder: string;
let clock: ManualClock;
let bad: [string, string][];
let accounts: GoogleAccounts;
let folders = 0;

beforeEach(() => {
  folders += 1;
  folder = join(parent, String(folders));
  mkdirSync(join(folder, 'ten_a'), { recursive: true });
  clock = makeManualClock();
  bad = [];
  const onBadFile = (file: string, error: unknown): void =>
    void bad.push([file, (error as Error).message]);
  accounts = makeGoogleAccounts({ folder, clock, onBadFile });
});

const write = (name: string, change: object = {}): void =>
  writeFileSync(
    join(folder, name),
    JSON.stringify({
      client_email: `${name}@x`,
      private_key_id: 'k',
      private_key: pem(RSA),
      ...change,
    }),
  );
const emailOf = async (tenant: string, project: string) =>
  (await accounts.find(tenant, project))?.email ?? null;

test('[I5] a tenant’s own account takes precedence over the shared one', async () => {
  write('123.json');
  write('ten_a/123.json');
  expect(await emailOf('ten_a', '123')).toBe('ten_a/123.json@x');
  expect(await emailOf('ten_b', '123')).toBe('123.json@x');
  expect(await emailOf('ten_a', '124')).toBeNull();
  expect(bad).toEqual([]);
});

test('[I5] a file added later is found, a changed one within half a minute', async () => {
  expect(await emailOf('ten_b', '5')).toBeNull();
  write('5.json');
  expect(await emailOf('ten_b', '5')).toBe('5.json@x');
  write('5.json', { client_email: 'new@x' });
  expect(await emailOf('ten_b', '5')).toBe('5.json@x');
  clock.advance(30_000);
  expect(await emailOf('ten_b', '5')).toBe('new@x');
  rmSync(join(folder, '5.json'));
  clock.advance(30_000);
  expect(await emailOf('ten_b', '5')).toBeNull();
});

test('[I5] names cannot lead outside the folder', async () => {
  writeFileSync(join(parent, '9.json'), '{}');
  for (const project of ['../9', '9/../9', '', 'x', '１']) {
    expect(await emailOf('ten_a', project)).toBeNull();
  }
  for (const tenant of ['..', '../x', '']) expect(await emailOf(tenant, '9')).toBeNull();
  expect(bad).toEqual([]);
});

test('[I5] a file that is not a service account is reported, without its contents', async () => {
  writeFileSync(join(folder, '1.json'), '{"private_key":"-----SECRET');
  write('2.json', { private_key: 'SECRET' });
  write('3.json', { private_key: pem(EC) });
  write('4.json', { client_email: undefined });
  writeFileSync(join(folder, '5.json'), ' '.repeat(17_000));
  writeFileSync(join(folder, '6.json'), 'null');
  for (const project of ['1', '2', '3', '4', '5', '6']) {
    expect(await emailOf('ten_a', project)).toBeNull();
  }
  expect(bad.map(([file]) => file.slice(folder.length + 1))).toEqual(
    ['1', '2', '3', '4', '5', '6'].map((name) => `${name}.json`),
  );
  expect(bad.some(([, message]) => message.includes('SECRET'))).toBe(false);
});

test('[I5] without a folder there are no accounts', async () => {
  const none = makeGoogleAccounts({ folder: null, clock, onBadFile: () => {} });
  expect(await none.find('ten_a', '123')).toBeNull();
});
