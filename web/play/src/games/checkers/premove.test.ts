/** Tests of moves that are set up while it is the other's turn. */

import { expect, test } from 'bun:test';
import type { Premove } from './premove.ts';
import { fittingMove, pressPremove } from './premove.ts';
import type { Cells } from './routes.ts';

const CELLS: Cells = Array.from({ length: 64 }, (_, cell) =>
  cell === 40 || cell === 42
    ? { seat: 0, king: false }
    : cell === 17
      ? { seat: 1, king: false }
      : null,
);

const press = (...cells: readonly number[]): Premove | null =>
  cells.reduce<Premove | null>((premove, cell) => pressPremove(premove, cell, CELLS, 0), null);

const option = (from: number, to: number, path?: readonly number[]) => ({
  action: path === undefined ? { from, to } : { from, to, path },
  route: { cells: [from, to], captured: [] },
});

test('[W3] two presses set a move up, a third takes it back', () => {
  expect(press(40)).toEqual({ kind: 'from', from: 40 });
  expect(press(40, 33)).toEqual({ kind: 'set', from: 40, to: 33 });
  expect(press(40, 33, 33)).toBeNull();
  expect(press(40, 33, 12)).toBeNull();
});

test('[W3] it begins at an own piece; another own piece is chosen instead', () => {
  expect(press(17)).toBeNull();
  expect(press(30)).toBeNull();
  expect(press(40, 40)).toBeNull();
  expect(press(40, 42)).toEqual({ kind: 'from', from: 42 });
  // Where the other stands now there may be nobody by then.
  expect(press(40, 17)).toEqual({ kind: 'set', from: 40, to: 17 });
});

test('[W3] only one legal move may fit it', () => {
  const premove = { kind: 'set', from: 40, to: 33 } as const;
  expect(fittingMove(premove, [option(42, 35), option(40, 33)])?.action).toEqual({
    from: 40,
    to: 33,
  });
  expect(fittingMove(premove, [option(42, 35), option(40, 31)])).toBeNull();
  expect(fittingMove(premove, [option(40, 33, [1]), option(40, 33, [2])])).toBeNull();
});
