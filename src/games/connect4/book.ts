/** The form of the opening book: a move for each position that a seat can meet while it follows the book. */

import type { Position } from './bits.ts';
import { COLUMNS } from './board.ts';
import { EMPTY_BOARD, makeCanonical } from './canonical.ts';
import { drop, losesAtOnce, openColumns, otherSide, winsBy } from './moves.ts';

/** Moves by the number of a position. */
export type Book = ReadonlyMap<number, number>;

/**
 * The only sensible move: a four; or the only one that does not lose at once; or, if all do, the
 * one that stops a four. Null if there is a choice.
 */
export function obviousColumn(position: Position): number | null {
  const open = openColumns(position);
  const winning = open.find((column) => winsBy(position, column));
  if (winning !== undefined) return winning;
  const sound = open.filter((column) => !losesAtOnce(position, column));
  if (sound.length > 0) return sound.length === 1 ? sound[0]! : null;
  const others = otherSide(position);
  return open.find((column) => winsBy(others, column)) ?? open[0] ?? null;
}

/**
 * Asks for a move in each position with a choice that a seat can meet before `plies` stones, stone
 * by stone, if it plays as `columnOf` says and the opponent plays anything. If that is null the
 * line is not followed.
 */
export function walkLines(
  seat: number,
  plies: number,
  columnOf: (position: Position, number: number) => number | null,
): void {
  let level = new Map([[0, EMPTY_BOARD]]);
  for (let ply = 0; ply < plies; ply += 1) {
    const next = new Map<number, Position>();
    for (const [number, position] of level) {
      const isOwn = ply % 2 === seat;
      const columns = isOwn
        ? [obviousColumn(position) ?? columnOf(position, number)]
        : openColumns(position);
      for (const column of columns) {
        if (column === null || winsBy(position, column)) continue;
        const child = makeCanonical(drop(position, column));
        next.set(child.number, child.position);
      }
    }
    level = next;
  }
}

/** A book from its moves, a digit from 1 to 7 each, in the order of `walkLines`; it may end early. */
export function parseBook(seat: number, plies: number, digits: string): Book {
  const book = new Map<number, number>();
  walkLines(seat, plies, (_, number) => {
    const digit = digits[book.size];
    if (digit === undefined) return null;
    const column = Number(digit) - 1;
    book.set(number, column);
    return column;
  });
  return book;
}

/** The book's column for a position, or null. */
export function findInBook(book: Book, position: Position): number | null {
  const { number, isMirrored } = makeCanonical(position);
  const column = book.get(number);
  if (column === undefined) return null;
  return isMirrored ? COLUMNS - 1 - column : column;
}
