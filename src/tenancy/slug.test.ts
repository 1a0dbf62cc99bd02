/** Valid slugs, and slugs made from names. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../testing/test-seed.ts';
import { isSlug, makeSlug } from './slug.ts';

const NONE: ReadonlySet<string> = new Set();

test('[CLI] a slug is lower-case letters, digits and inner hyphens', () => {
  for (const text of ['a', 'a1', 'acme-games', '0', 'a'.repeat(40)])
    expect(isSlug(text)).toBe(true);
  for (const text of ['', '-', 'a-', '-a', 'A', 'a b', 'a_b', 'ü', 'a/b', 'a\n', 'a'.repeat(41)]) {
    expect(isSlug(text)).toBe(false);
  }
});

test('[CLI] a name becomes a recognizable slug', () => {
  expect(makeSlug('Acme Games, Inc.', NONE)).toBe('acme-games-inc');
  expect(makeSlug('Café Nero', NONE)).toBe('cafe-nero');
  expect(makeSlug('遊び', NONE)).toBe('tenant');
  expect(makeSlug('Acme', new Set(['acme', 'acme-2']))).toBe('acme-3');
});

test(`[CLI] every name becomes a valid and unused slug (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), (name) => {
      const first = makeSlug(name, NONE);
      const second = makeSlug(name, new Set([first]));
      return isSlug(first) && isSlug(second) && first !== second;
    }),
    { seed: TEST_SEED, numRuns: 1_000 },
  );
});
