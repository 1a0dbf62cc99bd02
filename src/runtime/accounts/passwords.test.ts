/** Passwords: a text others read too, the same work for nobody, and never too many at once. */

import { expect, test } from 'bun:test';
import { systemRandomness } from '../system.ts';
import { makePasswords, type WorkFor, workFor } from './passwords.ts';

/** Whoever he is, with no share that others have too. */
const ANYBODY: WorkFor = { isKnown: false, shares: [] };
const KNOWN: WorkFor = { isKnown: true, shares: [] };
const shareOf = (...names: string[]): WorkFor => ({
  isKnown: false,
  shares: names.map((name) => ({ name, max: 3 })),
});
const busyIn = (answers: readonly (boolean | 'busy')[]): number =>
  answers.filter((answer) => answer === 'busy').length;

test('[D2] a hash is argon2id in the form that others read, and its salt is its own', async () => {
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

test('[D2] without an account, or with a broken hash, the answer is no, whatever is asked', async () => {
  const passwords = makePasswords(systemRandomness);
  expect(await passwords.check('anything', null, ANYBODY)).toBe(false);
  expect(await passwords.check('anything', 'nonsense', ANYBODY)).toBe(false);
});

test('[D2] past those that wait, whoever comes is told so at once', async () => {
  const passwords = makePasswords(systemRandomness);
  const tries = Array.from({ length: 40 }, () => passwords.check('x', null, KNOWN));
  expect(busyIn(await Promise.all(tries))).toBe(9);
  expect(await passwords.check('x', null, ANYBODY)).toBe(false);
}, 60_000);

test('[D2] strangers have 20 of the 30 places, and who is known goes ahead of them', async () => {
  const passwords = makePasswords(systemRandomness);
  const order: string[] = [];
  const check = async (whom: WorkFor, name: string) => {
    const answer = await passwords.check('x', null, whom);
    order.push(`${name} ${answer}`);
    return answer;
  };
  const strangers = Array.from({ length: 25 }, () => check(ANYBODY, 'stranger'));
  const known = Array.from({ length: 11 }, () => check(KNOWN, 'known'));
  const late = check(ANYBODY, 'late');
  expect(busyIn(await Promise.all(strangers))).toBe(4);
  expect(busyIn(await Promise.all(known))).toBe(1);
  expect(await late).toBe('busy');
  const done = order.filter((each) => !each.endsWith('busy'));
  // The one that was under way, then those who are known, then those who came before them.
  const names = [1, 10, 20].map((count, i) =>
    Array(count).fill(`${['stranger', 'known'][i % 2]} false`),
  );
  expect(done).toEqual(names.flat());
}, 60_000);

test('[D2] strangers of one IPv6 /48 have 6 places, who is known there and others have their own', async () => {
  const passwords = makePasswords(systemRandomness);
  const check = (n: number, site: string, isKnown: boolean) => {
    const visitor = { address: `2001:db8:${site}:${n}::1` };
    return passwords.check('x', null, workFor(`a${n}@example.test`, visitor, isKnown));
  };
  const here = Array.from({ length: 9 }, (_, n) => check(n, '1', false));
  const others = [check(20, '1', true), check(21, '2', false)];
  expect(busyIn(await Promise.all(here))).toBe(3);
  expect(await Promise.all(others)).toEqual([false, false]);
}, 60_000);

test('[D2] of one account, and of one address, no more than 3 are in line, and the others not behind', async () => {
  const passwords = makePasswords(systemRandomness);
  const whom = workFor('ann@example.test', { address: '2001:db8:1:1::1' }, false);
  expect(whom).toEqual(workFor('ann@example.test', { address: '2001:db8:1:1:2::2' }, false));
  const [account, address] = whom.shares.map(({ name }) => name);
  const check = (...names: string[]) => passwords.check('x', null, shareOf(...names));
  const tries = [
    ...Array.from({ length: 5 }, (_, i) => check(account!, `address ${i}`)),
    ...Array.from({ length: 5 }, (_, i) => check(`account ${i}`, address!)),
  ];
  const hash = passwords.hash('another fine long one', whom);
  const other = check('account of another', 'address of another');
  const three = [false, false, false, 'busy', 'busy'] as const;
  expect(await Promise.all(tries)).toEqual([...three, ...three]);
  expect([await hash, await other]).toEqual([null, false]);
  // Whoever has gone makes room.
  expect(await check(account!, address!)).toBe(false);
}, 60_000);
