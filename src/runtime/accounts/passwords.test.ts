/** Passwords: a text others read too, the same work for nobody, and never too many at once. */

import { expect, test } from 'bun:test';
import { systemRandomness } from '../system.ts';
import { makePasswords } from './passwords.ts';

test('[D2] a hash is argon2id in the form that others read, and its salt is its own', async () => {
  const passwords = makePasswords(systemRandomness);
  const [one, two] = await Promise.all([
    passwords.hash('seven green bottles'),
    passwords.hash('seven green bottles'),
  ]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(one).not.toBe(two);
  expect(await Bun.password.verify('seven green bottles', one!)).toBe(true);
  expect(await Bun.password.verify('seven green bottle', one!)).toBe(false);
  const theirs = await Bun.password.hash('café', { algorithm: 'argon2id', memoryCost: 8_192 });
  expect(await passwords.check('café'.normalize('NFD'), theirs)).toBe(true);
  expect(await passwords.check('cafe', theirs)).toBe(false);
});

test('[D2] without an account, or with a broken hash, the answer is no, whatever is asked', async () => {
  const passwords = makePasswords(systemRandomness);
  expect(await passwords.check('anything', null)).toBe(false);
  expect(await passwords.check('anything', 'nonsense')).toBe(false);
});

test('[D2] past those that wait, whoever comes is told so at once', async () => {
  const passwords = makePasswords(systemRandomness);
  const tries = Array.from({ length: 40 }, () => passwords.check('x', null));
  const answers = await Promise.all(tries);
  expect(answers.filter((answer) => answer === 'busy')).toHaveLength(9);
  expect(await passwords.check('x', null)).toBe(false);
}, 60_000);
