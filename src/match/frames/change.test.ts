/** A change turns the one value into the other. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Json } from '../../../game/src/game.ts';
import { change } from '../../../sdk/src/frames/compact.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeChange, makeListChange, makeReplacement } from './change.ts';

/** Small, so that values have much in common. */
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true }) as fc.Arbitrary<Json>;
const tree: fc.Arbitrary<Json> = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, 0, 1, 'X', true, {}, []),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '1'), tie('tree'), { maxKeys: 3 }),
  ),
})).tree;
const pair = fc.oneof(fc.tuple(tree, tree), fc.tuple(value, value));
/** JSON has no -0. */
const asRead = (value: unknown): Json => JSON.parse(JSON.stringify(value));
const RUNS = { seed: TEST_SEED, numRuns: 5_000 };

test(`[P12] a change turns the old value into the new one, and modifies neither (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const kept = JSON.stringify(before);
      const told = asRead(makeChange(before, after));
      expect(asRead(change(before, told))).toEqual(asRead(after));
      expect(JSON.stringify(before)).toBe(kept);
      expect(change(before, asRead(makeReplacement(after)))).toEqual(asRead(after));
    }),
    RUNS,
  );
});

test(`[P12] an unchanged value is returned as it is, and its change is {} (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(tree, (same) => {
      expect(makeChange(same, structuredClone(same))).toEqual({});
      expect(change(same, {})).toBe(same);
    }),
    RUNS,
  );
});

test(`[P12] lists lose and get elements (seed ${TEST_SEED})`, () => {
  const list = fc.array(fc.record({ position: fc.nat(6) }), { maxLength: 7 });
  fc.assert(
    fc.property(list, list, (before, after) => {
      expect(change(before, asRead(makeListChange(before, after)))).toEqual(after);
    }),
    RUNS,
  );
});

test('[P12] examples of changes', () => {
  const board = [null, 'X', null, null];
  const moved = ['O', 'X', null, null];
  expect(makeChange({ board }, { board: moved })).toEqual({ board: [0, 1, 'O'] });
  expect(makeChange({ board }, { board: ['O', 'X', null, 'O'] })).toEqual({
    board: [
      [0, 1, 'O'],
      [3, 1, 'O'],
    ],
  });
  expect(makeChange({ board }, { board: [null, 'O', 'O', null] })).toEqual({
    board: [1, 2, 'O', 'O'],
  });
  expect(makeChange({ board, die: 3 }, { board, die: null })).toEqual({ die: null });
  expect(makeChange({ last: null }, { last: { seat: 1 } })).toEqual({ last: [{ seat: 1 }] });
  expect(makeChange({ balls: [1, 2, 3] }, { balls: [1, 3] })).toEqual({ balls: [1, 1] });
  // A removed field has no change of its own.
  expect(makeChange({ a: 1, b: 2 }, { a: 1 })).toEqual([{ a: 1 }]);
  // When nothing stayed, the whole value is shorter.
  expect(makeChange([1, 2], [3, 4])).toEqual([[3, 4]]);
  expect(makeListChange([{ a: 1 }, { a: 2 }, { a: 3 }], [{ a: 1 }, { a: 3 }])).toEqual([1, 1]);
  expect(makeListChange([], [])).toEqual({});
});
