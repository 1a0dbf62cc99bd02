/** The layout of ludo on a drawing of 15 by 15 squares. Pure. */

import type { Seat } from '../../protocol.ts';

/** A point of the drawing, in squares from its top left corner; whole numbers and a half are middles. */
export type Point = readonly [x: number, y: number];

/** Squares along each side. */
export const EDGE = 15;

/** The orientation of the board: the number of seats, and the nearest of them. */
export interface Layout {
  readonly seats: number;
  readonly nearest: Seat;
}

/** The columns and rows of the shared squares, from the start at the bottom left upwards and round. */
const RING: readonly (readonly [number, number])[] = [
  ...run(6, 13, 0, -1, 5),
  ...run(5, 8, -1, 0, 6),
  [0, 7],
  [0, 6],
  ...run(1, 6, 1, 0, 5),
  ...run(6, 5, 0, -1, 6),
  [7, 0],
  [8, 0],
  ...run(8, 1, 0, 1, 5),
  ...run(9, 6, 1, 0, 6),
  [14, 7],
  [14, 8],
  ...run(13, 8, -1, 0, 5),
  ...run(8, 9, 0, 1, 6),
  [7, 14],
  [6, 14],
];

function run(x: number, y: number, dx: number, dy: number, count: number): [number, number][] {
  return Array.from({ length: count }, (_, n) => [x + n * dx, y + n * dy]);
}

export const SQUARES = RING.length;
export const HOME_SQUARES = 5;

/** The yard's middle, and the distance of its four places from it. */
const YARD: Point = [3, 12];
const YARD_PLACE = 1.55;

/** A seat's corner of the board, counted clockwise from the bottom left. */
function cornerOf(seat: Seat, { seats, nearest }: Layout): number {
  const quarter = (each: Seat): number => (seats === 2 ? each * 2 : each);
  return (quarter(seat) - quarter(nearest) + 4) % 4;
}

/** A point turned clockwise by quarters about the middle. */
function turn([x, y]: Point, quarters: number): Point {
  let [atX, atY] = [x, y];
  for (let n = 0; n < quarters; n += 1) [atX, atY] = [EDGE - atY, atX];
  return [atX, atY];
}

const middle = ([column, row]: readonly [number, number]): Point => [column + 0.5, row + 0.5];

/** Middle of a shared square, 0 to 51. */
export function squareAt(square: number, layout: Layout): Point {
  return turn(middle(RING[square % SQUARES]!), cornerOf(0, layout));
}

/** Middle of a seat's home square, 1 to 5; 6 is the goal. */
export function homeAt(seat: Seat, step: number, layout: Layout): Point {
  return turn([7.5, 14.5 - step], cornerOf(seat, layout));
}

export function yardAt(seat: Seat, layout: Layout): Point {
  return turn(YARD, cornerOf(seat, layout));
}

/** A token's place in its yard. */
export function yardPlaceAt(seat: Seat, token: number, layout: Layout): Point {
  const x = YARD[0] + (token % 2 === 0 ? -YARD_PLACE : YARD_PLACE);
  const y = YARD[1] + (token < 2 ? -YARD_PLACE : YARD_PLACE);
  const [offX, offY] = [x - YARD[0], y - YARD[1]];
  const [toX, toY] = yardAt(seat, layout);
  return [toX + offX, toY + offY];
}

/** The place of a token that has reached the goal, in its part of the middle. */
export function goalPlaceAt(seat: Seat, token: number, layout: Layout): Point {
  return turn([6.78 + token * 0.48, 8.62], cornerOf(seat, layout));
}

/** The seat's part of the middle, as the corners of a triangle. */
export function goalOf(seat: Seat, layout: Layout): readonly Point[] {
  const corner = cornerOf(seat, layout);
  return (
    [
      [6, 9],
      [9, 9],
      [7.5, 7.5],
    ] as const
  ).map((point) => turn(point, corner));
}

/** The middles of the four corners, whether taken or not. */
export function cornersOf(
  layout: Layout,
): readonly { readonly at: Point; readonly seat: Seat | null }[] {
  const taken = new Map(
    Array.from({ length: layout.seats }, (_, seat) => [cornerOf(seat, layout), seat] as const),
  );
  return [0, 1, 2, 3].map((corner) => ({
    at: turn(YARD, corner),
    seat: taken.get(corner) ?? null,
  }));
}
