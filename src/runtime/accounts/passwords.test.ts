/** Password hashes: the standard form, and equal work for unknown accounts. */

import { expect, test } from 'bun:test';
import { systemRandomness } from '../system.ts';
import { makePasswords } from './passwords.ts';
import type { WorkFor } from './work-queue.ts';

/** A caller of any kind, with no share in common with others. */
const ANYBODY: WorkFor = { kind: 'stranger', shares: [] };

test('[D2] a hash is argon2id in the standard PHC form, with a salt of its own', async () => {
  const passwords = makePasswords(systemRandomness);
  const [one, two] = await Promise.all([
    passwords.hash('seven green bottles', ANYBODY),
    passwords.hash('seven green bottles', ANYBODY),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await Bun.password.verify('seven green bottles', one!)).toBe(true);
  expect(await Bun.password.verify('seven green bottle', one!)).toBe(false);
  const theirs = await Bun.password.hash('café', { algorithm: 'argon2id', memoryCost: 8_192 });
  expect(await passwords.check('café'.normalize('NFD'), theirs, ANYBODY)).toBe(true);
  expect(await passwords.check('cafe', theirs, ANYBODY)).toBe(false);
});

test('[D2] without an account, or with a broken hash, every password is refused', async () => {
  const passwords = makePasswords(systemRandomness);
  expect(await passwords.check('anything', null, ANYBODY)).toBe(false);
  expect(await passwords.check('anything', 'nonsense', ANYBODY)).toBe(false);
});

test('[D2] a caller above the queue’s limit is refused, and no work is done for it', async () => {
  const passwords = makePasswords(systemRandomness);
  const none: WorkFor = { kind: 'known', shares: [{ name: 'none', max: 0 }] };
  expect(await passwords.check('x', null, none)).toBe('busy');
  expect(await passwords.hash('x', none)).toBeNull();
});
