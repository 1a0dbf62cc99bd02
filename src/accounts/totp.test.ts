/** One-time codes against RFC 6238's own examples. */

import { expect, test } from 'bun:test';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { findTotpStep, makeTotpCode, toBase32, totpStepAt } from './totp.ts';

const SECRET = utf8ToBytes('12345678901234567890');

test('[D5] codes are those of RFC 6238, appendix B', () => {
  const examples: readonly (readonly [seconds: number, code: string])[] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ];
  for (const [seconds, code] of examples) {
    // The examples have eight digits; six are their end.
    expect(makeTotpCode(SECRET, totpStepAt(seconds * 1_000))).toBe(code.slice(2));
  }
});

test('[D5] a code is valid one step early and one late, and never a second time', () => {
  const now = 1_700_000_000_000;
  const here = totpStepAt(now);
  const find = (step: number, last: number) =>
    findTotpStep(SECRET, makeTotpCode(SECRET, step), now, last);
  expect(find(here - 2, 0)).toBeNull();
  expect(find(here - 1, 0)).toBe(here - 1);
  expect(find(here, 0)).toBe(here);
  expect(find(here + 1, 0)).toBe(here + 1);
  expect(find(here + 2, 0)).toBeNull();
  expect(find(here, here)).toBeNull();
  expect(find(here - 1, here)).toBeNull();
  expect(find(here + 1, here)).toBe(here + 1);
  expect(findTotpStep(SECRET, '12345', now, 0)).toBeNull();
});

test('[D5] secrets are written in the base32 of RFC 4648', () => {
  const texts = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'];
  const wanted = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'];
  expect(texts.map((text) => toBase32(utf8ToBytes(text)))).toEqual(wanted);
});
