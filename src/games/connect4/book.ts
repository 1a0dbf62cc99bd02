/** The opening book's form: a move for each position that a seat can meet while it keeps to the book. */

import type { Position } from './bits.ts';
import { COLUMN_BITS } from './bits.ts';
import { COLUMNS } from './board.ts';
import { drop, losesAtOnce, openColumns, winsBy } from './moves.ts';

/** Moves by the number of a position. */
export type Book = ReadonlyMap<number, number>;

const EMPTY: Position = { ownLo: 0, ownHi: 0, allLo: 0, allHi: 0, plies: 0 };
const COLUMN_MASK = (1 << COLUMN_BITS) - 1;
const LO_BITS = 4 * COLUMN_BITS;
const HI_BITS = 3 * COLUMN_BITS;

/** A position seen in a mirror is as good; of the two the one with the smaller number stands for both. */
interface Canonical {
  readonly position: Position;
  /** 49 bits that tell it from all others. */
  readonly number: number;
  readonly isMirrored: boolean;
}

function numberOf({ ownLo, ownHi, allLo, allHi }: Position): number {
  return (ownHi + allHi) * (1 << LO_BITS) + ownLo + allLo;
}

/** Columns 0 to 2 lie in `hi` afterwards, 4 to 6 in `lo`, and 3 where it was. */
function mirrorBits(lo: number, hi: number): readonly [number, number] {
  let mirroredLo = lo & (COLUMN_MASK << (3 * COLUMN_BITS));
  let mirroredHi = 0;
  for (let at = 0; at < HI_BITS; at += COLUMN_BITS) {
    mirroredLo |= ((hi >>> (HI_BITS - COLUMN_BITS - at)) & COLUMN_MASK) << at;
    mirroredHi |= ((lo >>> (HI_BITS - COLUMN_BITS - at)) & COLUMN_MASK) << at;
  }
  return [mirroredLo, mirroredHi];
}

function mirror({ ownLo, ownHi, allLo, allHi, plies }: Position): Position {
  const own = mirrorBits(ownLo, ownHi);
  const all = mirrorBits(allLo, allHi);
  return { ownLo: own[0], ownHi: own[1], allLo: all[0], allHi: all[1], plies };
}

function makeCanonical(position: Position): Canonical {
  const number = numberOf(position);
  const mirrored = mirror(position);
  const mirroredNumber = numberOf(mirrored);
  return mirroredNumber < number
    ? { position: mirrored, number: mirroredNumber, isMirrored: true }
    : { position, number, isMirrored: false };
}

/** The one move worth a thought: a four, or all others lose at once. Null when there is a choice. */
export function obviousColumn(position: Position): number | null {
  const open = openColumns(position);
  const winning = open.find((column) => winsBy(position, column));
  if (winning !== undefined) return winning;
  const sound = open.filter((column) => !losesAtOnce(position, column));
  return sound.length > 1 ? null : (sound[0] ?? open[0] ?? null);
}

/**
 * Asks for a move in each position with a choice that a seat can meet before `plies` stones lie,
 * stone by stone, when it answers as `columnOf` says and the other side anyhow. Where that is null
 * the line is not followed.
 */
export function walkLines(
  seat: number,
  plies: number,
  columnOf: (position: Position, number: number) => number | null,
): void {
  let level = new Map([[0, EMPTY]]);
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
