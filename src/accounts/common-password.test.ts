/** Common passwords and their simple variants are refused, and sentences are not. */

import { expect, test } from 'bun:test';
import { dictionary } from '@zxcvbn-ts/language-common';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { isPasswordCommon } from './common-password.ts';

const LIST: ReadonlySet<string> = new Set(dictionary['passwords-common']);
const NAMES = ['matchd', 'Zebra Bay Games', 'zebrabay', 'Ann Olsen', 'penelope', 'Éva'];
const isCommon = (password: string) => isPasswordCommon(password, LIST, NAMES);

test('[D2] frequently tried passwords are common, also with capitals, digits, signs and substitutions', () => {
  for (const password of [
    'password1234',
    'PASSWORD1234',
    'P@ssw0rd2024!',
    'passw0rd----99',
    '!!dragon!!1990',
    'qwertyuiop1234',
    'Qwertyuiop!!!',
    '1qaz2wsx3edc4rfv',
    'sunshine2026!',
    '5unshine1999!',
    'letmeinletmein',
    'Trustno1Trustno1',
    'i-l-o-v-e-y-o-u-1',
    'iloveyou123456',
    'p.a.s.s.w.o.r.d',
    '123456789012',
    '098765432109',
    'abcdefghijklmno',
    'ｐａｓｓｗｏｒｄ1234',
    'zebrabay-2026!!',
    'Zebra Bay Games',
    'zebrabaygames99',
    'matchd-matchd-1',
    'Penelope1984!!',
    'z3br4b4y-games!',
    'olsen19840312!',
    'matchd zebra bay 7',
  ]) {
    expect([password, isCommon(password)]).toEqual([password, true]);
  }
});

test('[D2] sentences, random texts and long numbers are not common, even with a name in them', () => {
  for (const password of [
    'seven green bottles',
    'correct horse battery staple',
    'another fine long one',
    'a fresh new one',
    'remembered from now on',
    'zebra bay and four green hats',
    'matchd keeps my green hat',
    '9f$Kq2!zPw7&',
    'dragon 8847 of 2291 valleys',
    'éva and her red car',
    '4839201758362019',
    'dragon48392017583620',
    'ποτάμι και βουνό',
  ]) {
    expect([password, isCommon(password)]).toEqual([password, false]);
  }
});

test('[D2] every listed word is common with digits around it; random texts never are', () => {
  const words = [...LIST].filter((word) => /^\p{L}{4,}$/u.test(word));
  const word = fc.constantFrom(...words);
  const digits = fc.stringMatching(/^[0-9!.]{0,6}$/);
  fc.assert(
    fc.property(digits, word, digits, (before, base, after) => {
      expect(isCommon(`${before}${base.toUpperCase()}${after}`)).toBe(true);
    }),
    { seed: TEST_SEED },
  );
  const random = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz0123456789'), {
    minLength: 16,
    maxLength: 16,
  });
  fc.assert(
    fc.property(random, (characters) => {
      // Six letters and a tail of digits may well be a word.
      fc.pre(characters.filter((each) => each > '9').length > 9);
      expect(isCommon(characters.join(''))).toBe(false);
    }),
    { seed: TEST_SEED, numRuns: 2_000 },
  );
});

test('[D2] a hostile text costs no more than a plain one', () => {
  const from = performance.now();
  for (const text of [
    'a'.repeat(128),
    '1!'.repeat(64),
    'zebra'.repeat(25),
    `${'ab'.repeat(63)}c`,
  ]) {
    isCommon(text);
  }
  expect(performance.now() - from).toBeLessThan(200);
});
