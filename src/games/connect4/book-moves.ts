/** The moves of `perfect` in the opening; `bun scripts/connect4-book.ts` computes them. */

import type { Book } from './book.ts';
import { parseBook } from './book.ts';

/**
 * Where each seat's book ends, in stones on the board; yellow has none yet. What
 * is not listed is not known yet.
 */
export const BOOK_PLIES: readonly number[] = [5, 0];

/** In the order of `walkLines`. */
export const BOOK_MOVES: readonly string[] = ['4462444441411325', ''];

/** The book of a seat: it is made anew with each call. */
export function readBook(seat: number): Book {
  return parseBook(seat, BOOK_PLIES[seat]!, BOOK_MOVES[seat]!);
}
