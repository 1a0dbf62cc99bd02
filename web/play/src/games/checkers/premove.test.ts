/** Tests of premoves: moves planned during the other player's turn. */

import { expect, test } from 'bun:test';
import { optionsOf } from './choice.ts';
import type { Position, Premove } from './premove.ts';
import { canGoOn, fittingMove, inTheWay, pressPremove } from './premove.ts';
import type { Piece } from './routes.ts';
import { gaitOf } from './routes.ts';

const RED: Piece = { seat: 0, king: false };
const BLACK: Piece = { seat: 1, king: false };
const KING: Piece = { seat: 0, king: true };

const groundOf = (
  pieces: Readonly<Record<number, Piece>>,
  variant = 'american',
  edge = 8,
): Position => ({
  cells: Array.from({ length: edge * edge }, (_, cell) => pieces[cell] ?? null),
  seat: 0,
  gait: gaitOf(variant),
});

const GROUND = groundOf({ 40: RED, 42: RED, 17: BLACK });

const pressOn = (position: Position, ...cells: readonly number[]): Premove | null =>
  cells.reduce<Premove | null>((premove, cell) => pressPremove(premove, cell, position), null);
const press = (...cells: readonly number[]): Premove | null => pressOn(GROUND, ...cells);

const option = (from: number, to: number, path?: readonly number[]) => ({
  action: path === undefined ? { from, to } : { from, to, path },
  route: { cells: [from, ...(path ?? []), to], captured: [] },
});

test('[W3] two presses plan a move, a third cancels it', () => {
  expect(press(40)).toEqual([40]);
  expect(press(40, 33)).toEqual([40, 33]);
  expect(press(40, 33, 33)).toBeNull();
  expect(press(40, 33, 12)).toBeNull();
});

test('[W3] a premove starts at an own piece; pressing another own piece selects that one', () => {
  expect(press(17)).toBeNull();
  expect(press(30)).toBeNull();
  expect(press(40, 40)).toBeNull();
  expect(press(40, 42)).toEqual([42]);
  // A piece of the opponent may have moved away by then.
  expect(press(40, 17)).toEqual([40, 17]);
});

test('[W3] a multiple capture is planned square by square, before the pieces to capture are in place', () => {
  expect(press(42, 28, 14)).toEqual([42, 28, 14]);
  expect(press(42, 28, 10)).toEqual([42, 28, 10]);
  // Impossible jumps are rejected: past the next square, sideways, back, or to the same square.
  for (const cell of [19, 1, 30, 46, 42, 28]) expect(press(42, 28, cell)).toBeNull();
  // A premove that is a step ends after one square.
  expect(press(42, 33, 19)).toBeNull();
  expect(press(42, 28, 14, 0)).toBeNull();
});

test('[W3] men capture backwards and kings from a distance and in a circle, only in variants that allow it', () => {
  expect(press(42, 28, 46)).toBeNull();
  const dutch = groundOf({ 72: RED, 92: KING }, 'international', 10);
  expect(pressOn(dutch, 72, 54, 76)).toEqual([72, 54, 76]);
  expect(pressOn(dutch, 72, 54, 21)).toBeNull();
  expect(pressOn(dutch, 92, 47, 14)).toEqual([92, 47, 14]);
  const ring = groundOf({ 58: KING });
  expect(pressOn(ring, 58, 40, 26, 44, 58)).toEqual([58, 40, 26, 44, 58]);
  // In the Russian game a man that is crowned during a capture continues as a king.
  const russian = { 19: RED };
  expect(pressOn(groundOf(russian, 'russian'), 19, 5, 23, 51)).toEqual([19, 5, 23, 51]);
  expect(pressOn(groundOf(russian, 'brazilian'), 19, 5, 23, 51)).toBeNull();
});

test('[W3] own pieces block the path, because they stay; the moving piece does not', () => {
  const position = groundOf({ 42: RED, 21: RED, 10: RED, 58: KING, 49: BLACK });
  expect(pressOn(position, 42, 28, 14)).toBeNull();
  expect(pressOn(position, 42, 28, 10)).toBeNull();
  expect(canGoOn([58, 40], position)).toBe(true);
  expect(canGoOn([58, 51], position)).toBe(false);
  expect(inTheWay([58, 40, 26], position)).toEqual([49]);
});

test('[W3] a recapture can be planned where one’s own piece can be captured', () => {
  const pieces = { 42: RED, 28: RED, 21: BLACK, 26: RED };
  expect(pressOn(groundOf(pieces), 42, 28, 14)).toEqual([42, 28, 14]);
  // That piece cannot be captured.
  expect(pressOn(groundOf(pieces), 40, 26)).toEqual([26]);
  expect(pressOn(groundOf({ ...pieces, 35: RED }), 42, 28)).toEqual([28]);
});

test('[W3] a premove is played only if exactly one legal move fits it', () => {
  expect(fittingMove([40, 33], [option(42, 35), option(40, 33)])?.action).toEqual({
    from: 40,
    to: 33,
  });
  expect(fittingMove([40, 33], [option(42, 35), option(40, 31)])).toBeNull();
  expect(fittingMove([40, 33], [option(40, 33, [1]), option(40, 33, [2])])).toBeNull();
  // The pressed square in between distinguishes the two.
  expect(fittingMove([40, 2, 33], [option(40, 33, [1]), option(40, 33, [2])])?.action.path).toEqual(
    [2],
  );
});

test('[W3] a planned capture is played only along the pressed path', () => {
  const { cells, gait } = groundOf({ 42: RED, 35: BLACK, 21: BLACK, 19: BLACK });
  const legal = [
    { from: 42, to: 14 },
    { from: 42, to: 10 },
  ];
  const options = optionsOf(cells, legal, gait);
  expect(fittingMove([42, 28, 14], options)?.action).toEqual({ from: 42, to: 14 });
  expect(fittingMove([42, 14], options)?.action).toEqual({ from: 42, to: 14 });
  // The planned capture stops before its required end, so nothing is played.
  expect(fittingMove([42, 28], options)).toBeNull();
  expect(fittingMove([42, 24, 10], options)).toBeNull();
});
