/** Choosing a move of checkers step by step. */

import { expect, test } from 'bun:test';
import { hintsOf, optionsOf, originsOf, press, targetsOf } from './choice.ts';
import type { Cells, Piece } from './routes.ts';
import { gaitOf, readCells, routesOf } from './routes.ts';
import { squareName } from './squares.ts';

const RED: Piece = { seat: 0, king: false };
const BLACK: Piece = { seat: 1, king: false };
const KING: Piece = { seat: 0, king: true };

function board(edge: number, pieces: Readonly<Record<number, Piece>>): Cells {
  return Array.from({ length: edge * edge }, (_, cell) => pieces[cell] ?? null);
}

const american = gaitOf('american');
const international = gaitOf('international');

test('[WEB] a step is a route of two cells, and a capture names the captured piece', () => {
  const cells = board(8, { 42: RED, 35: BLACK, 40: RED });
  expect(routesOf(cells, { from: 40, to: 33 }, american)).toEqual([
    { cells: [40, 33], captured: [] },
  ]);
  expect(routesOf(cells, { from: 42, to: 28 }, american)).toEqual([
    { cells: [42, 28], captured: [35] },
  ]);
});

test('[WEB] a multiple capture is pressed square by square, and may end where it began', () => {
  const ring = board(8, { 58: KING, 49: BLACK, 33: BLACK, 35: BLACK, 51: BLACK });
  const routes = routesOf(ring, { from: 58, to: 58 }, american);
  expect(routes.map(({ cells }) => cells)).toEqual([
    [58, 40, 26, 44, 58],
    [58, 44, 26, 40, 58],
  ]);
  expect(routes[0]!.captured).toEqual([49, 33, 35, 51]);
});

test('[WEB] men capture backwards and kings from a distance only in variants that allow it', () => {
  const cells = board(10, { 56: RED, 67: BLACK });
  expect(routesOf(cells, { from: 56, to: 78 }, international)[0]!.captured).toEqual([67]);
  expect(routesOf(cells, { from: 56, to: 78 }, american)[0]!.captured).toEqual([]);
  const far = board(10, { 92: KING, 56: BLACK });
  expect(routesOf(far, { from: 92, to: 29 }, international)[0]!.captured).toEqual([56]);
});

test('[WEB] the first press selects a piece, the next plays if only one move is possible', () => {
  const cells = board(8, { 42: RED, 40: RED });
  const legal = [
    { from: 42, to: 33 },
    { from: 42, to: 35 },
    { from: 40, to: 33 },
  ];
  const options = optionsOf(cells, legal, american);
  expect([...originsOf(options)]).toEqual([42, 40]);
  expect(press(options, [], 42)).toEqual({ kind: 'trail', trail: [42] });
  expect([...targetsOf(options, [42]).ends]).toEqual([33, 35]);
  expect(press(options, [42], 35)).toMatchObject({ kind: 'play', action: { from: 42, to: 35 } });
  // Another own piece is selected instead; anything else clears the selection.
  expect(press(options, [42], 40)).toEqual({ kind: 'trail', trail: [40] });
  expect(press(options, [42], 10)).toEqual({ kind: 'trail', trail: [] });
  expect(press(options, [42], 42)).toEqual({ kind: 'trail', trail: [] });
});

test('[WEB] two captures with the same ends are distinguished by the squares pressed in between', () => {
  const cells = board(8, { 60: KING, 51: BLACK, 35: BLACK, 53: BLACK, 37: BLACK });
  const legal = [
    { from: 60, to: 28, path: [42] },
    { from: 60, to: 28, path: [46] },
  ];
  // Each capture could continue around the ring: these routes use the given paths only.
  const options = legal.flatMap((action) => [
    { action, route: { cells: [60, ...action.path, 28], captured: [0, 0] } },
  ]);
  expect(press(options, [60], 28)).toEqual({ kind: 'unclear' });
  expect(press(options, [60], 42)).toMatchObject({ kind: 'play', action: legal[0] });
  expect(press(options, [60], 46)).toMatchObject({ kind: 'play', action: legal[1] });
  expect(cells.filter((piece) => piece !== null)).toHaveLength(5);
});

test('[WEB] an invalid board is read as empty, and an invalid move as none', () => {
  for (const junk of [null, 7, 'x', {}, { board: [] }, { board: Array(65).fill(null) }]) {
    expect(readCells(junk)).toEqual(Array(64).fill(null));
  }
  const odd = readCells({
    board: [7, { seat: 5 }, { seat: 1, king: 'x' }, ...Array(61).fill(null)],
  });
  expect(odd.slice(0, 3)).toEqual([null, null, { seat: 1, king: false }]);
  expect(optionsOf(odd, [null, {}, { from: -1, to: 3 }], american)).toEqual([]);
});

test('[WEB] squares have the names that players use', () => {
  expect([62, 1, 42].map((cell) => squareName(cell, 8, 'american'))).toEqual(['1', '32', '11']);
  expect([1, 98].map((cell) => squareName(cell, 10, 'international'))).toEqual(['1', '50']);
  expect(squareName(56, 8, 'russian')).toBe('a1');
});

test('[WEB] a piece under the mouse shows the same targets as a press on it', () => {
  const cells = board(8, { 42: RED, 35: BLACK, 21: BLACK, 40: RED });
  const legal = [
    { from: 42, to: 14 },
    { from: 40, to: 33 },
  ];
  const hints = hintsOf(optionsOf(cells, legal, american));
  expect([...hints.keys()]).toEqual([42, 40]);
  // The first landing of the two jumps, and their end.
  expect([...hints.get(42)!].sort()).toEqual([14, 28]);
  expect([...hints.get(40)!]).toEqual([33]);
});
