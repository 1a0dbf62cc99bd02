/** Keys have the form of rule K1, are evenly random, and typing errors are detected. */

import { describe, expect, test } from 'bun:test';
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { isSameDigest, makeKeyText, parseKeyHint, parseKeyText } from './key-text.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const bytes = (count: number): Uint8Array => randomBytes(count);
const seeded = { seed: TEST_SEED, numRuns: 1_000 };

describe('creating', () => {
  test('[K1] prefix by mode, 8 characters of id, 32 of secret, 6 of checksum', () => {
    for (const mode of ['live', 'test'] as const) {
      const key = makeKeyText(mode, bytes);
      expect(key.text).toMatch(new RegExp(`^mk_${mode}_[0-9A-Za-z]{46}$`));
      expect(key.text.startsWith(key.hint)).toBe(true);
      expect(key.hint).toBe(`mk_${mode}_${key.id}`);
      expect(key.hash).toBe(createHash('sha256').update(key.text).digest('hex'));
      expect(parseKeyText(key.text)).toEqual({
        mode,
        isRestricted: false,
        id: key.id,
        hash: key.hash,
      });
    }
  });

  test('[K5] a restricted key begins with another word, and neither text is valid as the other', () => {
    const key = makeKeyText('test', bytes, true);
    expect(key.text).toMatch(/^mrk_test_[0-9A-Za-z]{46}$/);
    expect(key.hint).toBe(`mrk_test_${key.id}`);
    expect(parseKeyText(key.text)).toEqual({
      mode: 'test',
      isRestricted: true,
      id: key.id,
      hash: key.hash,
    });
    expect(parseKeyHint(key.hint)).toBe(key.id);
    expect(parseKeyText(key.text.replace('mrk', 'mk'))).toBeNull();
    // The form by which a version without scopes recognizes a key.
    expect(key.text).not.toMatch(/^mk_(live|test)_[0-9A-Za-z]{46}$/);
  });

  test('[K1] the checksum is the CRC-32 of the text before it, in base62', () => {
    const { text } = makeKeyText('live', bytes);
    const digits = [...text.slice(-6)].map((digit) => ALPHABET.indexOf(digit));
    const value = digits.reduce((sum, digit) => sum * 62 + digit, 0);
    expect(value).toBe(crc32(text.slice(0, -6)));
  });

  test('[K1] bytes that would favour some characters are rejected', () => {
    const unfair = makeKeyText('test', countingFrom(248));
    // 248 to 255 are skipped, so the id begins with the byte 0 that follows them.
    expect(unfair.id).toBe('01234567');
  });

  test('[K1] characters are drawn evenly', () => {
    const counts = new Map<string, number>();
    const keys = 2_000;
    for (let i = 0; i < keys; i++) {
      for (const char of makeKeyText('live', bytes).text.slice(8, -6)) {
        counts.set(char, (counts.get(char) ?? 0) + 1);
      }
    }
    const expected = (keys * 40) / 62;
    const chiSquare = [...ALPHABET]
      .map((char) => ((counts.get(char) ?? 0) - expected) ** 2 / expected)
      .reduce((sum, part) => sum + part, 0);
    // 61 degrees of freedom: beyond 140 once in some hundred million runs.
    expect(chiSquare).toBeLessThan(140);
  });
});

describe('reading', () => {
  test('[K1] any one wrong character and any two swapped ones fail the checksum', () => {
    const { text } = makeKeyText('live', bytes);
    for (let at = 8; at < text.length; at++) {
      for (const char of ALPHABET) {
        if (char === text[at]) continue;
        expect(parseKeyText(text.slice(0, at) + char + text.slice(at + 1))).toBeNull();
      }
    }
    for (let at = 8; at + 1 < text.length; at++) {
      if (text[at] === text[at + 1]) continue;
      const swapped = text.slice(0, at) + text[at + 1] + text[at] + text.slice(at + 2);
      expect(parseKeyText(swapped)).toBeNull();
    }
  });

  test('[K1] a key of one mode is not a key of the other', () => {
    const { text } = makeKeyText('live', bytes);
    expect(parseKeyText(text.replace('live', 'test'))).toBeNull();
  });

  test(`[K1] any other text is not a key (seed ${TEST_SEED})`, () => {
    const { text } = makeKeyText('test', bytes);
    const near = [text.slice(1), text.slice(0, -1), ` ${text}`, `${text}\n`, `${text}0`, ''];
    for (const junk of near) expect(parseKeyText(junk)).toBeNull();
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => parseKeyText(junk) === null),
      seeded,
    );
    fc.assert(
      fc.property(fc.stringMatching(/^mk_(live|test)_[0-9A-Za-z]{46}$/), (junk) => {
        const before = junk.slice(0, -6);
        const digits = [...junk.slice(-6)].map((digit) => ALPHABET.indexOf(digit));
        const isRight = digits.reduce((sum, digit) => sum * 62 + digit, 0) === crc32(before);
        return (parseKeyText(junk) !== null) === isRight;
      }),
      seeded,
    );
  });

  test('[K1] a hint gives the id to look up, and a whole key is not a hint', () => {
    const key = makeKeyText('live', bytes);
    expect(parseKeyHint(key.hint)).toBe(key.id);
    expect(parseKeyHint(key.text)).toBeNull();
    expect(parseKeyHint(key.id)).toBeNull();
  });
});

test('[K1] digests are equal only when all bytes are', () => {
  const hash = makeKeyText('live', bytes).hash;
  expect(isSameDigest(hash, `${hash}`)).toBe(true);
  expect(isSameDigest(hash, hash.slice(1))).toBe(false);
  expect(isSameDigest('', '')).toBe(true);
  for (let at = 0; at < hash.length; at++) {
    const other = hash[at] === '0' ? '1' : '0';
    expect(isSameDigest(hash, hash.slice(0, at) + other + hash.slice(at + 1))).toBe(false);
  }
});

/** Bytes that count up from `first`, from 255 on to 0. */
function countingFrom(first: number): (count: number) => Uint8Array {
  let next = first;
  return (count) => Uint8Array.from({ length: count }, () => next++ & 255);
}
