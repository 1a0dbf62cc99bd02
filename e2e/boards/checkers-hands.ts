/** Presses squares of American checkers by number, and plays the opening that leads to a capture of two pieces. */

import { isPlayed, squareName } from '../../web/play/src/games/checkers/squares.ts';
import type { SeatPage } from '../parts/matches.ts';

/** The cell of a square by its number on the American board. */
const cellOf = (square: number): number =>
  [...Array(64).keys()].find(
    (cell) => isPlayed(cell, 8) && squareName(cell, 8, 'american') === String(square),
  )!;

export async function pressSquares(
  { page }: SeatPage,
  ...squares: readonly number[]
): Promise<void> {
  for (const square of squares) {
    await page.locator(`[data-cell="${cellOf(square)}"]`).click({ force: true });
  }
}

/** After these moves Ada must capture from 14 to 23, and Bea can then capture two pieces from 27. */
export const TO_CAPTURE: readonly (readonly [number, number])[] = [
  [11, 16],
  [21, 17],
  [9, 14],
  [17, 13],
  [10, 15],
  [23, 18],
];
