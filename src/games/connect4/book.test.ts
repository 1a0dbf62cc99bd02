/** The opening book: that it is read whole, and in a mirror too. */

import { expect, test } from 'bun:test';
import { TEST_SEED } from '../../testing/test-seed.ts';
import { makeRandom } from '../random.ts';
import type { Position } from './bits.ts';
import { COLUMNS } from './board.ts';
import { findInBook, obviousColumn, walkLines } from './book.ts';
import { BOOK_MOVES, BOOK_PLIES, readBook } from './book-moves.ts';
import { drop, losesAtOnce, openColumns, winsBy } from './moves.ts';

const EMPTY: Position = { ownLo: 0, ownHi: 0, allLo: 0, allHi: 0, plies: 0 };
const SEATS = [0, 1] as const;

test.each(SEATS)('[G-C4] seat %i has sound moves only, and reads all that there are', (seat) => {
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

test(`[G-C4] the book is read in a mirror too (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'connect4 book', 0);
  for (let game = 0; game < 400; game += 1) {
    const seat = game % 2;
    const book = readBook(seat);
    let [position, mirrored] = [EMPTY, EMPTY];
    while (position.plies < BOOK_PLIES[seat]!) {
      const open = openColumns(position);
      let column = open[random.integer(open.length)]!;
      if (position.plies % 2 === seat && obviousColumn(position) === null) {
        const known = findInBook(book, position);
        if (known === null) break;
        column = known;
        const other = findInBook(book, mirrored)!;
        // A position that is its own mirror has one move; the mirror of that is as good.
        const isSame = position.allLo === mirrored.allLo && position.ownLo === mirrored.ownLo;
        expect(other).toBe(isSame ? column : COLUMNS - 1 - column);
      }
      if (winsBy(position, column)) break;
      mirrored = drop(mirrored, COLUMNS - 1 - column);
      position = drop(position, column);
    }
  }
});
