/** Tests of how legal actions are played by tapping: each of them can be, and nothing else. */

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Json } from '../../../../../game/src/game.ts';
import { makeRandom } from '../../../../../game/src/random.ts';
import { findGame, GAME_IDS } from '../../../../../src/games/registry.ts';
import { TEST_SEED } from '../../../../../src/testing/test-seed.ts';
import type { Play } from './actions.ts';
import { columnsIn, playsOf } from './actions.ts';
import type { Spot } from './choice.ts';
import { offerAfter, tap } from './choice.ts';
import { layOut } from './layout.ts';

const none = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const NINE = { board: none(9, null) };

/** Each action's taps, as `path:cells`. */
function tapsOf(view: unknown, legal: readonly unknown[], seats = 2): string[] {
  return playsOf(layOut(view, seats), legal, seats).map(({ taps }) =>
    taps.map(({ path, at }) => `${path}:${at.join('|')}`).join(' '),
  );
}

test.each([
  ['one number', NINE, { position: 4 }, 'board:4'],
  ['a number with any name', NINE, { stone: 4 }, 'board:4'],
  ['a number alone', NINE, 4, 'board:4'],
  ['x and y', NINE, { x: 1, y: 2 }, 'board:7'],
  ['row and column', NINE, { row: 1, column: 2 }, 'board:5'],
  ['a pair', NINE, { at: [1, 2] }, 'board:5'],
  ['an object of both', NINE, { cell: { row: 1, col: 2 } }, 'board:5'],
  ['a column', NINE, { column: 1 }, 'board:1|4|7'],
  ['from and to', NINE, { to: 3, from: 0 }, 'board:0 board:3'],
  ['from and to by x and y', NINE, { fromX: 0, fromY: 0, toX: 1, toY: 1 }, 'board:0 board:4'],
  ['from and to as objects', NINE, { from: { x: 2, y: 0 }, to: { x: 0, y: 2 } }, 'board:2 board:6'],
  ['a way', NINE, { path: [0, 4, 8] }, 'board:0 board:4 board:8'],
  ['a place and something else', NINE, { position: 4, rotation: 3 }, 'board:4'],
  ['a card', { hand: ['8♣', '7♥'] }, { card: '7♥' }, 'hand:1'],
  ['a card that occurs twice', { hand: ['8♣', '8♣'] }, { card: '8♣' }, 'hand:0|1'],
  ['a card of two fields', { hand: [{ r: 8, s: '♣' }] }, { card: { s: '♣', r: 8 } }, 'hand:0'],
  ['a card by its index', { hand: ['a', 'b'] }, { card: 1 }, 'hand:1'],
  ['a card that is a number', { hand: [12, 1] }, { card: 1 }, 'hand:1'],
  ['several cards', { hand: [7, 20, 33] }, { play: [33, 7] }, 'hand:2 hand:0'],
  [
    'cards of the player’s hand among all',
    { hands: [null, ['a', 'b']] },
    { card: 'b' },
    'hands.1:1',
  ],
  ['a number that is not a card', { hand: [1, 2] }, { bid: 1 }, ''],
  ['a tile and a place', { ...NINE, rack: ['A', 'B'] }, { tile: 'B', cell: 2 }, 'rack:1 board:2'],
  ['an amount is not a cell', NINE, { bid: 3 }, ''],
  ['a cell outside the board is ignored', NINE, { position: 9 }, ''],
  ['two ambiguous numbers are ignored', NINE, { one: 1, other: 2 }, ''],
  ['a word is not a cell', NINE, { pass: true }, ''],
])('[G-ANY] %s', (_, view, action, taps) => {
  expect(tapsOf(view, [action])).toEqual([taps]);
});

test('[G-ANY] the width of a board may follow from the columns that actions name', () => {
  const view = { board: none(42, null) };
  const legal = [0, 3, 6].map((column) => ({ column }));
  expect(columnsIn(legal)).toBe(7);
  expect(columnsIn([{ pass: true }])).toBe(0);
  const [, middle] = playsOf(layOut(view, 2, 7), legal, 2);
  expect(middle!.taps).toEqual([{ path: 'board', at: [3, 10, 17, 24, 31, 38] }]);
});

test('[G-ANY] actions refer to the board into which they fit, if there are two', () => {
  const view = { own: none(9, 'ship'), sea: none(9, null) };
  expect(tapsOf(view, [{ cell: 1 }, { cell: 8 }])).toEqual(['sea:1', 'sea:8']);
});

test('[G-ANY] a tap plays its only action, and offers a choice if there are several', () => {
  const plays = playsOf(
    layOut({ hand: ['8♣', '7♥'] }, 2),
    [{ card: '7♥' }, { card: '8♣', suit: '♣' }, { card: '8♣', suit: '♥' }, { draw: true }],
    2,
  );
  expect(offerAfter(plays, []).buttons.map(({ action }) => action)).toEqual([{ draw: true }]);
  expect(tap(plays, [], { path: 'hand', index: 1 })).toEqual({ kind: 'play', play: plays[0]! });
  const tapped = tap(plays, [], { path: 'hand', index: 0 });
  expect(tapped.kind === 'chosen' && offerAfter(plays, tapped.chosen).buttons).toEqual([
    plays[1]!,
    plays[2]!,
  ]);
});

test('[G-ANY] tapping a piece again deselects it, and another is selected directly', () => {
  const legal = [
    { from: 0, to: 1 },
    { from: 0, to: 3 },
    { from: 4, to: 5 },
  ];
  const plays = playsOf(layOut(NINE, 2), legal, 2);
  const spot = (index: number): Spot => ({ path: 'board', index });
  const first = [spot(0)];
  expect(tap(plays, [], spot(0))).toEqual({ kind: 'chosen', chosen: first });
  expect(tap(plays, first, spot(0))).toEqual({ kind: 'chosen', chosen: [] });
  expect(tap(plays, first, spot(4))).toEqual({ kind: 'chosen', chosen: [spot(4)] });
  expect(tap(plays, first, spot(8))).toEqual({ kind: 'chosen', chosen: [] });
  expect(tap(plays, first, spot(3))).toEqual({ kind: 'play', play: plays[1]! });
});

/** Whether this action can be played by its taps, with a button if several remain. */
function isPlayable(plays: readonly Play[], wanted: Play): boolean {
  let chosen: readonly Spot[] = [];
  for (const { path, at } of wanted.taps) {
    const index = at[0]!;
    if (!offerAfter(plays, chosen).spots.get(path)?.has(index)) return false;
    const tapped = tap(plays, chosen, { path, index });
    if (tapped.kind === 'play') return tapped.play === wanted;
    chosen = tapped.chosen;
  }
  return offerAfter(plays, chosen).buttons.includes(wanted);
}

const small = fc.integer({ min: 0, max: 10 });
const actions = fc.oneof(
  small,
  fc.constantFrom('pass', '8♣', 'X'),
  fc.record({ position: small }),
  fc.record({ from: small, to: small }),
  fc.record({ x: small, y: small }),
  fc.record(
    { card: fc.constantFrom('8♣', '7♥'), suit: fc.constantFrom('♣', '♥') },
    { requiredKeys: ['card'] },
  ),
  fc.record({ path: fc.array(small, { minLength: 1, maxLength: 4 }) }),
  fc.jsonValue(),
);
const cells = fc.array(fc.constantFrom(null, 0, 1, 'X'), { minLength: 4, maxLength: 9 });
const views = fc.oneof(
  fc.record({ board: cells, hand: fc.array(fc.constantFrom('8♣', '7♥')), size: small }),
  fc.jsonValue(),
);

test(`[G-ANY] every legal action can be played, whatever the view and the actions are (seed ${TEST_SEED})`, () => {
  fc.assert(
    fc.property(views, fc.array(actions, { maxLength: 12 }), (view, legal) => {
      const plays = playsOf(layOut(view, 2), legal, 2);
      expect(plays.map(({ action }) => action)).toEqual(legal);
      expect(plays.filter((play) => !isPlayable(plays, play))).toEqual([]);
    }),
    { seed: TEST_SEED, numRuns: 3_000 },
  );
});

for (const id of GAME_IDS) {
  test(`[G-ANY] every legal action of ${id} can be played, in random matches (seed ${TEST_SEED})`, () => {
    const game = findGame(id)!;
    const random = makeRandom('generic-board', () => `${TEST_SEED}`, 0);
    for (const variant of game.variants) {
      const options = Object.fromEntries(
        Object.entries(game.options).map(([name, spec]) => [name, spec.default]),
      );
      const seats = game.seats.default;
      let state: Json = game.initial({ variant, seats, options });
      for (let ply = 0; ply < 60; ply += 1) {
        const legal = game.legalActions(state);
        const turn = game.turn(state);
        const plays = playsOf(layOut(game.view(state, turn), seats), legal ?? [], seats);
        expect(plays.filter((play) => !isPlayable(plays, play))).toEqual([]);
        if (legal === null || legal.length === 0 || turn === null) break;
        const applied = game.apply(state, turn, legal[random.integer(legal.length)]!, random);
        if (!('state' in applied)) throw new Error(applied.error);
        state = applied.state;
      }
    }
  });
}
