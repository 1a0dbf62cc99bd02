/** Shapes: valid input, invalid input, and faults. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { TEST_SEED } from '../../src/testing/test-seed.ts';
import type { ActionOf } from './shape.ts';
import { flag, listOf, oneOf, optional, shape, wholeNumber } from './shape.ts';
import { anyJunk, disguised } from './testing/junk.ts';

const fields = {
  cell: wholeNumber(0, 63),
  suit: optional(oneOf('hearts', 'spades')),
  cards: optional(listOf(wholeNumber(0, 51), { min: 1, max: 3 })),
  bold: optional(flag()),
};
const full = shape(fields);
const loose = shape({ draw: optional(flag()), pass: optional(flag()) });

// Type check: only optional fields may be absent.
const typed: readonly ActionOf<typeof fields>[] = [
  { cell: 1 },
  { cell: 1, suit: 'spades', cards: [1, 2], bold: false },
];

describe('parseAction', () => {
  test('[G-KIT] an action is parsed as it is, without unknown fields', () => {
    for (const action of typed) {
      expect(full.parseAction(action)).toEqual(action);
      expect(full.parseAction({ ...action, more: 1 })).toEqual(action);
      expect(full.actionFault(action)).toBeNull();
    }
    expect(loose.parseAction({ pass: true })).toEqual({ pass: true });
  });

  test('[G-KIT] lists are copied', () => {
    const cards = [1, 2];
    const action = full.parseAction({ cell: 0, cards })!;
    cards.push(3);
    expect(action.cards).toEqual([1, 2]);
  });

  const wrong: readonly (readonly [unknown, string])[] = [
    [null, 'cell or suit or cards or bold is required'],
    [{}, 'cell or suit or cards or bold is required'],
    [{ suit: 'hearts' }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: -1 }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: 64 }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: -0 }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: 0.5 }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: Number.NaN }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: '3' }, 'cell has to be a whole number from 0 to 63'],
    [{ cell: 3, suit: 'clubs' }, 'suit has to be one of hearts, spades'],
    [{ cell: 3, suit: ['hearts'] }, 'suit has to be one of hearts, spades'],
    [{ cell: 3, suit: null }, 'suit has to be one of hearts, spades'],
    [{ cell: 3, bold: 1 }, 'bold has to be true or false'],
  ];
  const cards = 'cards has to be a list of 1 to 3, each a whole number from 0 to 51';
  const lists = [[], [1, 2, 3, 4], [1, -0], [52], Array(2), { 0: 1, length: 1 }, '12', [[1]]];
  test('[G-KIT] invalid input is refused with the field and its valid values', () => {
    for (const [input, fault] of wrong) {
      expect([input, full.parseAction(input), full.actionFault(input)]).toEqual([
        input,
        null,
        fault,
      ]);
    }
    for (const list of lists) {
      const input = { cell: 3, cards: list };
      expect([input, full.parseAction(input), full.actionFault(input)]).toEqual([
        input,
        null,
        cards,
      ]);
    }
  });

  test('[G-KIT] inherited fields and getters are refused, and no getter runs', () => {
    for (const action of typed) {
      for (const each of disguised(action)) expect(full.parseAction(each)).toBeNull();
    }
    for (const each of disguised({ pass: true })) expect(loose.parseAction(each)).toBeNull();
    const list = Object.defineProperty([1], 0, { get: () => 7 });
    expect(full.parseAction({ cell: 1, cards: list })).toBeNull();
  });

  test(`[G-KIT] any input gives an action or a fault, and never an exception (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyJunk, (junk) => {
      for (const each of [full, loose]) {
        expect(each.parseAction(junk) === null).toBe(each.actionFault(junk) !== null);
      }
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 2_000 });
  });
});
