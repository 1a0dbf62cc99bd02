/** The whole opening book is proved: it guarantees the worth of its positions. */

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
  /** For the side to move. */
  readonly worth: Worth;
}

/**
 * What the book guarantees from the first move on, by position: at its end the solver gives the
 * worth, and before that a seat gets the worst of the opponent's answers.
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

test('[G-C4] with its book red wins against any moves: every position after the book is won', () => {
  const search = makeOpeningSearch(makeSolver(TABLE_BITS));
  const proved = proveLines(0, (position) => search.worthOf(position, -1));
  for (const { position, worth } of proved) {
    const won: Worth = position.plies % 2 === 0 ? 1 : -1;
    expect({ position, worth }).toEqual({ position, worth: won });
  }
});

test('[G-C4] with its book yellow gets the worth of its positions', () => {
  const search = makeOpeningSearch(makeSolver(TABLE_BITS));
  const openings = readOpenings();
  const proved = proveLines(1, (position) => search.worthOf(position, -1));
  for (const entry of proved) {
    const { position, worth } = entry;
    // Less than a win may be too little: only a search shows that there is no more.
    if (position.plies % 2 === 0 || worth === 1) continue;
    const most = findOpening(openings, position)?.worth ?? search.worthOf(position, worth);
    expect(entry).toEqual({ position, worth: most });
  }
});

test(`[G-C4] the table is right about 6 openings (seed ${TEST_SEED})`, () => {
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
