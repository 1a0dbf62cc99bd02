/** Tests of the description of a shot: a foul in one sentence, with what follows. */

import { expect, test } from 'bun:test';
import { en } from '../../i18n/en.ts';
import { makeTranslate } from '../../i18n/translate.ts';
import { describeMove } from './words.ts';

const t = makeTranslate('en', en);
const NAMES = ['Ada', 'Bea'];

function described(view: object, seat = 0): string {
  const shown = { before: null, view, variant: 'eightball', nameOf: (n: number) => NAMES[n]! };
  return describeMove({ shot: {} }, seat, NAMES[seat]!, t, shown);
}
const last = { seat: 0, before: [], pocketed: [], scratched: null, foul: null };

test('[WEB] a foul is described with its cause and what the opponent gets', () => {
  const scratch = { ...last, foul: 'scratch', scratched: 'foot-left' };
  expect(described({ inHand: 'anywhere', last: scratch })).toBe(
    'Foul, Ada: the cue ball fell; Bea: cue ball in hand, anywhere',
  );
  expect(described({ inHand: 'behind_head_string', last: { ...scratch, seat: 1 } }, 1)).toBe(
    'Foul, Bea: the cue ball fell; Ada: cue ball in hand, behind the line',
  );
  expect(described({ inHand: null, choices: ['accept', 'rerack'], last: scratch })).toBe(
    'Foul, Ada: the cue ball fell; Bea: to choose how it goes on',
  );
});

test('[WEB] a foul names the balls that fell with it, and one that loses the match says so', () => {
  const pocketed = [{ ball: 3, pocket: 'side-left' }];
  const foul = { ...last, foul: 'no_contact', pocketed };
  expect(described({ inHand: 'anywhere', last: foul })).toBe(
    'Foul, Ada: no ball was hit, ball 3 in a side pocket; Bea: cue ball in hand, anywhere',
  );
  const eight = { ...foul, pocketed: [{ ball: 8, pocket: 'foot-left' }] };
  expect(described({ inHand: null, last: eight })).toBe(
    'Foul, Ada: no ball was hit, ball 8 in a corner pocket; that ends the match',
  );
  const third = { variant: 'nineball', fouls: [3, 0], inHand: 'anywhere' };
  expect(described({ ...third, last: { ...last, foul: 'no_rail' } })).toBe(
    'Foul, Ada: nothing reached a cushion; that ends the match',
  );
});
