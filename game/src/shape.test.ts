/** Shapes of actions: what they take, what they refuse, and what they say of it. */

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

// The compiler holds these: what is optional may be left out, and nothing else.
const typed: readonly ActionOf<typeof fields>[] = [
  { cell: 1 },
  { cell: 1, suit: 'spades', cards: [1, 2], bold: false },
];

describe('parseAction', () => {
  test('[G-KIT] an action comes back as it is, and without fields that are not its own', () => {
    for (const action of typed) {
      expect(full.parseAction(action)).toEqual(action);
      expect(full.parseAction({ ...action, more: 1 })).toEqual(action);
      expect(full.actionFault(action)).toBeNull();
    }
    expect(loose.parseAction({ pass: true })).toEqual({ pass: true });
  });

  test('[G-KIT] lists are copied, so that nobody can change an action from outside', () => {
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
  test('[G-KIT] anything else is refused, with the field and what it has to be', () => {
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

  test('[G-KIT] getters, prototypes and lists in disguise are no actions, and no getter runs', () => {
    for (const action of typed) {
      for (const each of disguised(action)) expect(full.parseAction(each)).toBeNull();
    }
    for (const each of disguised({ pass: true })) expect(loose.parseAction(each)).toBeNull();
    const list = Object.defineProperty([1], 0, { get: () => 7 });
    expect(full.parseAction({ cell: 1, cards: list })).toBeNull();
  });

  test(`[G-KIT] of any junk either an action or a fault comes, never both, never an error (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyJunk, (junk) => {
      for (const each of [full, loose]) {
        expect(each.parseAction(junk) === null).toBe(each.actionFault(junk) !== null);
      }
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 2_000 });
  });
});
