/** Tests of the positions of the squares of the ludo board. */

import { expect, test } from 'bun:test';
import { startSquare } from '../../../../../src/games/ludo/board.ts';
import type { Layout, Point } from './track.ts';
import { goalPlaceAt, homeAt, SQUARES, squareAt, yardAt, yardPlaceAt } from './track.ts';
import { readView, wayOf } from './view.ts';

const LAYOUTS: readonly Layout[] = [2, 3, 4].flatMap((seats) =>
  Array.from({ length: seats }, (_, nearest) => ({ seats, nearest })),
);
const far = ([x, y]: Point, [toX, toY]: Point): number =>
  Math.max(Math.abs(x - toX), Math.abs(y - toY));

test('[WEB] the track has 52 different squares, each next to the one before', () => {
  for (const layout of LAYOUTS) {
    const ring = Array.from({ length: SQUARES }, (_, square) => squareAt(square, layout));
    expect(ring).toHaveLength(52);
    expect(new Set(ring.map(String)).size).toBe(52);
    for (const [n, at] of ring.entries()) expect(far(at, ring[(n + 1) % 52]!)).toBe(1);
  }
});

test('[WEB] each seat starts next to its own yard and turns home from the square before its start', () => {
  for (const layout of LAYOUTS) {
    expect(yardAt(layout.nearest, layout)).toEqual([3, 12]);
    for (let seat = 0; seat < layout.seats; seat += 1) {
      const start = startSquare(layout.seats, seat);
      expect(far(squareAt(start, layout), yardAt(seat, layout))).toBeLessThan(4);
      expect(far(squareAt(start + 50, layout), homeAt(seat, 1, layout))).toBe(1);
      expect(far(homeAt(seat, 5, layout), [7.5, 7.5])).toBe(2);
      for (let token = 0; token < 4; token += 1) {
        expect(far(yardPlaceAt(seat, token, layout), yardAt(seat, layout))).toBeLessThan(2);
        expect(far(goalPlaceAt(seat, token, layout), [7.5, 7.5])).toBeLessThan(1.5);
      }
    }
  }
});

test('[WEB] a token walks square by square, out of the yard onto its start, home by its own column', () => {
  const view = readView({ tokens: [['yard', 'track 3'], ['yard']], hasCaptured: null });
  expect(wayOf(view, 0, 'yard', 6)).toEqual(['track 0']);
  expect(wayOf(view, 0, 'yard', 5)).toBeNull();
  expect(wayOf(view, 0, 'track 49', 3)).toEqual(['track 50', 'home 1', 'home 2']);
  expect(wayOf(view, 1, 'track 50', 3)).toEqual(['track 51', 'track 0', 'track 1']);
  expect(wayOf(view, 0, 'home 3', 3)).toEqual(['home 4', 'home 5', 'done']);
  expect(wayOf(view, 0, 'home 3', 4)).toBeNull();
  const bound = readView({ tokens: [['track 49'], []], hasCaptured: [false, false] });
  expect(wayOf(bound, 0, 'track 49', 3)).toEqual(['track 50', 'track 51', 'track 0']);
});

test('[WEB] an invalid view is a board without tokens', () => {
  for (const junk of [null, 3, {}, { tokens: 'x', last: [{}], die: 9, home: [7], scores: 'x' }]) {
    const view = readView(junk);
    expect([view.tokens, view.die, view.last, view.home, view.scores]).toEqual([
      [],
      null,
      [],
      [],
      null,
    ]);
  }
});
