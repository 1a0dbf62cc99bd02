/** The whole opening book is proved: what it guarantees is what its positions are worth. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import { makeRandom } from '../../../game/src/random.ts';
import { TEST_SEED } from '../../testing/test-seed.ts';
import type { Position } from './bits.ts';
import { findInBook, obviousColumn } from './book.ts';
import { BOOK_PLIES, readBook } from './book-moves.ts';
import { EMPTY_BOARD, makeCanonical } from './canonical.ts';
import type { Worth } from './keep-worth.ts';
import { canWin, drop, openColumns } from './moves.ts';
import { makeOpeningSearch } from './opening-search.ts';
import { OPENING_PLIES, readOpenings } from './opening-signs.ts';
import { findOpening, listOpenings } from './opening-worth.ts';
import { makeSolver } from './solver.ts';

setDefaultTimeout(480_000);

/** 256 MB. */
const TABLE_BITS = 25;

interface Guaranteed {
  readonly position: Position;
  /** To the side to move. */
  readonly worth: Worth;
}

/**
 * What the book guarantees from the first move on, by position: where it ends the solver says what
 * there is, and before that a seat has the worst of the other side's answers.
 */
function proveLines(seat: number, worthAt: (position: Position) => Worth): Guaranteed[] {
  const book = readBook(seat);
  const proved = new Map<number, Guaranteed>();
  const prove = (position: Position): Worth => {
    const { number } = makeCanonical(position);
    const known = proved.get(number);
    if (known !== undefined) return known.worth;
    const isEnd = canWin(position) || position.plies >= BOOK_PLIES[seat]!;
    const worth = isEnd ? worthAt(position) : worthByMove(position);
    proved.set(number, { position, worth });
    return worth;
  };
  const worthByMove = (position: Position): Worth => {
    const isOwn = position.plies % 2 === seat;
    const own = obviousColumn(position) ?? findInBook(book, position);
    if (isOwn && own === null) throw new Error('The book has a gap');
    const columns = isOwn ? [own!] : openColumns(position);
    return Math.max(...columns.map((column) => 0 - prove(drop(position, column)))) as Worth;
  };
  prove(EMPTY_BOARD);
  return [...proved.values()];
}

test('[G-C4] by its book red wins whatever is played: all that lies behind the book is won', () => {
  const search = makeOpeningSearch(makeSolver(TABLE_BITS));
  const proved = proveLines(0, (position) => search.worthOf(position, -1));
  for (const { position, worth } of proved) {
    const won: Worth = position.plies % 2 === 0 ? 1 : -1;
    expect({ position, worth }).toEqual({ position, worth: won });
  }
});

test('[G-C4] by its book yellow has all that its positions are worth', () => {
  const search = makeOpeningSearch(makeSolver(TABLE_BITS));
  const openings = readOpenings();
  const proved = proveLines(1, (position) => search.worthOf(position, -1));
  for (const entry of proved) {
    const { position, worth } = entry;
    // Less than a win may be too little: only a search says that there is no more to be had.
    if (position.plies % 2 === 0 || worth === 1) continue;
    const most = findOpening(openings, position)?.worth ?? search.worthOf(position, worth);
    expect(entry).toEqual({ position, worth: most });
  }
});

test(`[G-C4] what the table says of 6 openings is so (seed ${TEST_SEED})`, () => {
  const random = makeRandom(`${TEST_SEED}`, () => 'connect4 openings', 0);
  const search = makeOpeningSearch(makeSolver(TABLE_BITS));
  const openings = readOpenings();
  const known = [...listOpenings(OPENING_PLIES).values()].filter(
    (position) => findOpening(openings, position) !== null && !canWin(position),
  );
  for (let n = 0; n < 6; n += 1) {
    const position = known[random.integer(known.length)]!;
    const { worth, column } = findOpening(openings, position)!;
    expect({ position, worth: search.worthOf(position, -1) }).toEqual({ position, worth });
    if (column === null) continue;
    const kept = 0 - search.worthOf(drop(position, column), -1);
    expect({ position, kept }).toEqual({ position, kept: worth });
  }
});
