/** Tests of the generic board's words for views and actions, whose names come from a game's author. */

import { expect, test } from 'bun:test';
import { en } from '../../i18n/en.ts';
import { makeTranslate } from '../../i18n/translate.ts';
import { textsOf } from '../operator/manifest.ts';
import { makeBoardText, makeKnownText } from '../operator/text.ts';
import { readable } from '../readable.ts';
import { titleOf } from '../title.ts';
import { playsOf } from './actions.ts';
import { layOut } from './layout.ts';
import type { Words } from './words.ts';
import { actionWords, fieldWords, moveWords, valueWords } from './words.ts';

const MANIFEST = {
  id: 'my-game',
  drawOffers: false,
  ticks: null,
  board: null,
  rules: [],
  strings: {
    en: {
      name: 'My game',
      'action.raise': 'Raise by {amount}',
      'action.pass': 'Let it be',
      'field.pot': 'In the middle',
      'value.closed': 'Over',
    },
    de: { name: 'Mein Spiel' },
  },
};

function wordsIn(language: string): Words {
  const t = makeTranslate(language, en);
  t.add(textsOf(MANIFEST, language));
  return { t, known: makeKnownText('my-game', t), nameOf: (seat) => ['Ada', 'Bea'][seat]! };
}
const words = wordsIn('en');

test.each([
  ['lastMove', 'Last move'],
  ['three_in_a_row', 'Three in a row'],
  ['rock-paper-scissors', 'Rock paper scissors'],
  ['boltX', 'Bolt X'],
  ['a', 'A'],
  ['', ''],
])('[G-ANY] %s reads %s', (name, text) => {
  expect(readable(name)).toBe(text);
});

test('[G-ANY] a game has the name its author gave, in the player’s language or in English', () => {
  expect(titleOf('my-game', words.t)).toBe('My game');
  expect(titleOf('my-game', wordsIn('de').t)).toBe('Mein Spiel');
  const text = makeBoardText(wordsIn('de').known, 'de');
  expect([text('action.pass'), text('action.rollOn')]).toEqual(['Let it be', 'Roll on']);
  expect(titleOf('other-game', words.t)).toBe('Other game');
  expect(titleOf('connect4', words.t)).toBe('Connect four');
  expect(titleOf('constructor', words.t)).toBe('Constructor');
});

test.each([
  [{ pass: true }, 'Let it be'],
  [{ type: 'pass' }, 'Let it be'],
  ['pass', 'Let it be'],
  [{ throw: 'rock' }, 'Rock'],
  [{ amount: 5, type: 'bet' }, 'Bet, Amount 5'],
  [{ position: 4 }, 'Position 4'],
  [{ card: '8♣', suit: '♥' }, 'Card 8♣, Suit ♥'],
  [{ trade: { give: 2, get: [1, 2] } }, 'Trade give 2, get 1, 2'],
  [{ doubled: false }, 'Doubled no'],
  [7, '7'],
])('[G-ANY] %p is a button called %s', (action, label) => {
  // A single field has its name if its value is not a word.
  const worded = actionWords({ action, given: [] }, words, null);
  expect(worded.replace(/^ /, '')).toBe(label);
});

test('[G-ANY] tapped values are not repeated on a button, unless there is a notation', () => {
  const action = { card: '8♣', suit: '♥' };
  expect(actionWords({ action, given: ['card'] }, words, null)).toBe('♥');
  expect(actionWords({ action, given: [] }, words, '8♣→♥')).toBe('8♣→♥');
  expect(actionWords({ action, given: [] }, words, '{"card":"8♣"}')).toBe('Card 8♣, Suit ♥');
  expect(actionWords({ action: { throw: 'rock' }, given: [] }, words, 'rock')).toBe('Rock');
});

test('[G-ANY] values are readable: names for seats, words for flags, numbers unchanged', () => {
  const worded = (name: string, value: unknown) => valueWords(name, value, words, 2);
  expect(worded('dealer', 1)).toBe('Bea');
  expect(worded('nextPlayer', 0)).toBe('Ada');
  expect(worded('dealer', 2)).toBe('2');
  expect(worded('coins', 1234.5678)).toBe('1,234.568');
  expect([worded('isOpen', true), worded('last', null), worded('phase', 'closed')]).toEqual([
    'yes',
    '–',
    'Over',
  ]);
  expect([worded('phase', 'end_game'), worded('top', '8♣'), worded('pair', 'aB c')]).toEqual([
    'End game',
    '8♣',
    'aB c',
  ]);
  expect([fieldWords('pot', words), fieldWords('inHand', words)]).toEqual([
    'In the middle',
    'In hand',
  ]);
});

test('[G-ANY] a move is described by the places it names', () => {
  const parts = layOut({ board: Array.from({ length: 9 }, () => null) }, 2);
  const worded = (action: unknown) => moveWords(parts, playsOf(parts, [action], 2)[0]!, words);
  expect(worded({ position: 4 })).toBe('row 2, column 2');
  expect(worded({ from: 0, to: 8 })).toBe('row 1, column 1 – row 3, column 3');
  expect(worded({ from: 0, to: 8, promote: 'queen' })).toBe(
    'row 1, column 1 – row 3, column 3, Queen',
  );
  expect(worded({ draw: true })).toBe('Draw');
});
