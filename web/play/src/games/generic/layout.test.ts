/** Tests of how the generic board lays out a view. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../../../../src/testing/test-seed.ts';
import { makeCell, readNumbers } from './cell.ts';
import type { Part } from './layout.ts';
import { allParts, isScalar, LIST_MAX, layOut } from './layout.ts';

const kindsOf = (view: unknown, seats = 2): string[] =>
  allParts(layOut(view, seats)).map((part) =>
    part.kind === 'grid' ? `grid ${part.columns}x${part.rows} ${part.path}` : nameOf(part),
  );

function nameOf(part: Part): string {
  switch (part.kind) {
    case 'table':
      return `table ${part.columns.map(({ name }) => name).join(' ')}`;
    case 'facts':
      return `facts ${part.facts.map(({ name }) => name).join(' ')}`;
    default:
      return `${part.kind} ${part.path}`;
  }
}

const none = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

test.each([
  ['a square number of cells', { board: none(9, null) }, ['grid 3x3 board']],
  ['a number of columns in the view', { cells: none(42, 0), columns: 7 }, ['grid 7x6 cells']],
  ['rows alone', { board: none(12, null), rows: 3 }, ['grid 4x3 board']],
  ['width and height', { field: none(6, null), width: 2, height: 3 }, ['grid 2x3 field']],
  ['a side', { board: none(16, 'x'), size: 4 }, ['grid 4x4 board']],
  ['a list of lists', { rows: [none(5, null), none(5, null), none(5, null)] }, ['grid 5x3 rows']],
  ['a text named board', { board: '...\n.X.\n..O' }, ['grid 3x3 board']],
  ['a view that is a board', none(9, null), ['grid 3x3 ']],
])('[G-ANY] %s is a grid', (_, view, parts) => {
  expect(kindsOf(view)).toEqual(parts);
});

test.each([
  ['cards in a hand', { hand: ['8♣', '7♥', 'K♠', '2♦'] }, ['chips hand']],
  ['hidden cards', { hand: [null, null, null, null] }, ['chips hand']],
  ['cards of two fields', { hand: [{ rank: 8, suit: '♣' }] }, ['chips hand']],
  ['dice', { dice: [3, 6] }, ['chips dice']],
  ['different words', { offers: ['wood', 'clay', 'corn', 'wool'] }, ['chips offers']],
  ['a text that is not a board', { word: 'abcd' }, ['facts word']],
  ['scores by seat', { scores: [3, 4] }, ['table scores']],
  ['the number of cards by seat', { cardCounts: [3, 4] }, ['table cardCounts']],
  [
    'objects with names',
    { constructor: 1, board: none(4, null) },
    ['grid 2x2 board', 'facts constructor'],
  ],
  [
    'hands by seat',
    { hands: [['a', 'b'], ['c']] },
    ['section hands', 'section hands.0', 'chips hands.0', 'section hands.1', 'chips hands.1'],
  ],
  [
    'objects of several fields',
    { balls: [{ n: 1, x: 0.4953216, y: -0.0286053 }] },
    ['section balls', 'table n x y'],
  ],
  [
    'hands of which one is visible',
    { hands: [null, ['c']] },
    ['section hands', 'section hands.1', 'chips hands.1'],
  ],
  ['nested values', { deck: { left: 30 } }, ['section deck', 'facts left']],
])('[G-ANY] %s', (_, view, parts) => {
  expect(kindsOf(view)).toEqual(parts);
});

test('[G-ANY] an object for each seat becomes a table, with longer values below each name', () => {
  const players = [{ coins: 5, hand: ['a', 'b'] }, { coins: 9, hand: [] }, { coins: 1 }];
  const parts = allParts(layOut({ players }, 3));
  expect(parts.map((part) => part.kind)).toEqual([
    'section',
    'table',
    'section',
    'chips',
    'section',
    'chips',
  ]);
  expect(parts.flatMap((part) => (part.kind === 'section' ? [part.seat] : []))).toEqual([
    null,
    0,
    1,
  ]);
});

test('[G-ANY] the player to move is left to the page', () => {
  expect(kindsOf({ turn: 1 })).toEqual([]);
  expect(kindsOf({ turn: [1, 2] })).toEqual(['table turn']);
});

test('[G-ANY] numbers on a grid are seats if empty cells can be distinguished from them', () => {
  expect(readNumbers([null, 0, 1, null], 2, [])).toBe('seats');
  expect(readNumbers([0, 0, 0, 0], 2, [])).toBe('seatsFromOne');
  expect(readNumbers([1, 0, 2, 1], 2, [1])).toBe('seatsFromOne');
  expect(readNumbers([0, 1, 1, 0, 1], 2, [])).toBe('seats');
  expect(readNumbers([4, 0, 2, 1], 2, [])).toBe('values');
  expect(makeCell(1, 2, 'seatsFromOne')).toEqual({ seat: 0, text: '1', spoken: '1' });
  expect(makeCell(0, 2, 'seats')).toEqual({ seat: 0, text: '', spoken: '' });
});

test('[G-ANY] a piece shows its owner and its kind', () => {
  expect(makeCell({ seat: 1, king: true }, 2, 'values')).toEqual({
    seat: 1,
    text: 'K',
    spoken: 'king',
  });
  expect(makeCell({ owner: 0, kind: 'knight' }, 2, 'values')).toMatchObject({ seat: 0, text: 'K' });
  expect(makeCell({ owner: 7 }, 2, 'values')).toEqual({ seat: null, text: '7', spoken: '7' });
  expect(makeCell('.', 2, 'values')).toMatchObject({ text: '' });
});

/** All texts of a view except those in cells, which have little room. */
function leavesOf(value: unknown): unknown[] {
  if (isScalar(value)) return [value];
  return Object.values(value as object).flatMap(leavesOf);
}

const shownIn = (part: Part): unknown[] => {
  switch (part.kind) {
    case 'grid':
    case 'chips':
      return part.values.flatMap(leavesOf);
    case 'table':
      return part.columns.flatMap(({ values }) => values.filter((value) => value !== undefined));
    case 'facts':
      return part.facts.map(({ value }) => value);
    case 'section':
      return part.parts.flatMap(shownIn);
  }
};

/** A list of hands leaves out hidden ones. */
const isShown = (text: string): boolean => text !== 'null';

const words = fc.constantFrom('board', 'hand', 'columns', 'size', 'scores', 'x', 'last', 'turnOf');
const values = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.constantFrom('', 'X', '8♣', 'a longer text'),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('any'), { maxLength: 10 }),
    fc.dictionary(words, tie('any'), { maxKeys: 5 }),
  ),
})).any;

test(`[G-ANY] everything in a view is shown, and each thing once (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 16 }), (view, seats) => {
      const shown = layOut(view, seats).flatMap(shownIn).map(String).filter(isShown).sort();
      const texts = leavesOf(view).map(String).filter(isShown).sort();
      // A board given as a text is shown by its characters, and its size by its shape.
      const isPlain = !JSON.stringify(view).match(/"(?:columns|size)"|"board":"/);
      if (isPlain) expect(shown).toEqual(texts);
      expect(shown.length).toBeLessThanOrEqual(texts.length + JSON.stringify(view).length);
    }),
    { seed: TEST_SEED, numRuns: 2_000 },
  );
});

test(`[G-ANY] any JSON can be laid out (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 16 }), (view, seats) => {
      for (const part of allParts(layOut(view, seats))) {
        if (part.kind === 'grid') expect(part.values.length).toBe(part.columns * part.rows);
      }
    }),
    { seed: TEST_SEED, numRuns: 2_000 },
  );
});

test('[G-ANY] a very long list is truncated', () => {
  const [part] = layOut({ history: none(5_000, { at: { x: 1 } }) }, 2);
  expect(part?.kind === 'section' && part.parts.length).toBe(LIST_MAX);
});
