/** The opening book: it is parsed completely, mirror images included. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { Position } from './bits.ts';
import { COLUMNS } from './board.ts';
import { findInBook, obviousColumn, walkLines } from './book.ts';
import { BOOK_MOVES, BOOK_PLIES, readBook } from './book-moves.ts';
import { EMPTY_BOARD } from './canonical.ts';
import { drop, losesAtOnce, openColumns, winsBy } from './moves.ts';
import { makeOpeningSearch } from './opening-search.ts';
import { makeSolver } from './solver.ts';

/** The machine may be busy. */
setDefaultTimeout(60_000);

const SEATS = [0, 1] as const;

test.each(SEATS)('[G-C4] seat %i has sound moves only, and every digit is read', (seat) => {
  const book = readBook(seat);
  let found = 0;
  walkLines(seat, BOOK_PLIES[seat]!, (position, number) => {
    const column = book.get(number);
    if (column === undefined) return null;
    found += 1;
    expect(openColumns(position)).toContain(column);
    expect(losesAtOnce(position, column)).toBe(false);
    return column;
  });
  expect(book.size).toBe(found);
  expect(book.size).toBe(BOOK_MOVES[seat]!.length);
});

test(`[G-C4] the book also applies to mirror images (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'connect4 book', 0);
  const books = SEATS.map(readBook);
  for (let game = 0; game < 400; game += 1) {
    const seat = game % 2;
    const book = books[seat]!;
    let [position, mirrored] = [EMPTY_BOARD, EMPTY_BOARD];
    while (position.plies < BOOK_PLIES[seat]!) {
      const open = openColumns(position);
      let column = open[random.integer(open.length)]!;
      if (position.plies % 2 === seat && obviousColumn(position) === null) {
        const known = findInBook(book, position);
        if (known === null) break;
        column = known;
        const other = findInBook(book, mirrored)!;
        // A symmetric position has one move; its mirror image is as good.
        const isSame = position.allLo === mirrored.allLo && position.ownLo === mirrored.ownLo;
        expect(other).toBe(isSame ? column : COLUMNS - 1 - column);
      }
      if (winsBy(position, column)) break;
      mirrored = drop(mirrored, COLUMNS - 1 - column);
      position = drop(position, column);
    }
  }
});

/** Positions of the seat's last book moves: those with more stones are proved fastest. */
function lastEntries(seat: number): Position[] {
  const book = readBook(seat);
  const entries: Position[] = [];
  walkLines(seat, BOOK_PLIES[seat]!, (position, number) => {
    if (position.plies === BOOK_PLIES[seat]! - 1) entries.push(position);
    return book.get(number)!;
  });
  return entries;
}

test.each(SEATS)(
  `[G-C4] seat %i: 10 of the book's last moves keep the position's worth (seed ${TEST_SEED})`,
  (seat) => {
    const random = makeRandom(`${TEST_SEED}`, () => 'connect4 book sample', seat);
    const search = makeOpeningSearch(makeSolver());
    const book = readBook(seat);
    const entries = lastEntries(seat);
    for (let n = 0; n < 10; n += 1) {
      const position = entries[random.integer(entries.length)]!;
      const after = drop(position, findInBook(book, position)!);
      const before = search.worthOf(position, -1);
      const kept = 0 - search.worthOf(after, -1);
      expect({ position, kept }).toEqual({ position, kept: before });
    }
  },
);
