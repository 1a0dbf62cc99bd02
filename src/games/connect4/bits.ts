/** The board of connect four in bits, for searching millions of positions. */

import { CELLS, COLUMNS, EMPTY, STONES } from './board.ts';
import type { Connect4State } from './connect4.ts';

/**
 * 49 bits: seven for each column from the bottom up, the seventh always empty. The four columns on
 * the left are in `lo` (28 bits), the others in `hi` (21), because bit operations have 32 bits.
 */
export interface Position {
  /** Stones of the seat to move. */
  readonly ownLo: number;
  readonly ownHi: number;
  /** All stones. */
  readonly allLo: number;
  readonly allHi: number;
  /** The number of stones. */
  readonly plies: number;
}

export const COLUMN_BITS = 7;
const LO_COLUMNS = 4;
const LO = 0xfffffff;
const HI = 0x1fffff;

/** Every cell for stones, and the lowest of each column. */
export const BOARD_LO = 0b0111111_0111111_0111111_0111111;
export const BOARD_HI = 0b0111111_0111111_0111111;
export const FLOOR_LO = 0b0000001_0000001_0000001_0000001;
export const FLOOR_HI = 0b0000001_0000001_0000001;

/** The cells of one column, by column. */
export const COLUMN_LO: readonly number[] = Array.from({ length: COLUMNS }, (_, column) =>
  column < LO_COLUMNS ? 0b111111 << (column * COLUMN_BITS) : 0,
);
export const COLUMN_HI: readonly number[] = Array.from({ length: COLUMNS }, (_, column) =>
  column < LO_COLUMNS ? 0 : 0b111111 << ((column - LO_COLUMNS) * COLUMN_BITS),
);

/** From the middle outwards: there are more fours through the middle. */
export const FROM_MIDDLE: readonly number[] = [3, 2, 4, 1, 5, 0, 6];

export function makePosition({ board, plies }: Connect4State): Position {
  const own = STONES[plies % 2];
  const bits = { ownLo: 0, ownHi: 0, allLo: 0, allHi: 0 };
  for (let cell = 0; cell < CELLS; cell += 1) {
    if (board[cell] === EMPTY) continue;
    const column = cell % COLUMNS;
    const row = CELLS / COLUMNS - 1 - Math.floor(cell / COLUMNS);
    const isLow = column < LO_COLUMNS;
    const bit = 1 << ((isLow ? column : column - LO_COLUMNS) * COLUMN_BITS + row);
    if (isLow) bits.allLo |= bit;
    else bits.allHi |= bit;
    if (board[cell] !== own) continue;
    if (isLow) bits.ownLo |= bit;
    else bits.ownHi |= bit;
  }
  return { ...bits, plies };
}

export function countBits(bits: number): number {
  let pairs = bits - ((bits >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The part in `lo` of both halves moved up by `n` bits; `hiUp` is the other part. */
const loUp = (lo: number, n: number): number => (lo << n) & LO;
const hiUp = (lo: number, hi: number, n: number): number => ((hi << n) | (lo >>> (28 - n))) & HI;
const loDown = (lo: number, hi: number, n: number): number => ((lo >>> n) | (hi << (28 - n))) & LO;
const hiDown = (hi: number, n: number): number => hi >>> n;

/** The cells in `lo` (and below, in `hi`) that would complete a four in one kind of line. */
function lineLo(lo: number, hi: number, n: number): number {
  const up = loUp(lo, n);
  const down = loDown(lo, hi, n);
  const twoUp = up & loUp(lo, 2 * n);
  const twoDown = down & loDown(lo, hi, 2 * n);
  return (twoUp & (loUp(lo, 3 * n) | down)) | (twoDown & (up | loDown(lo, hi, 3 * n)));
}

function lineHi(lo: number, hi: number, n: number): number {
  const up = hiUp(lo, hi, n);
  const down = hiDown(hi, n);
  const twoUp = up & hiUp(lo, hi, 2 * n);
  const twoDown = down & hiDown(hi, 2 * n);
  return (twoUp & (hiUp(lo, hi, 3 * n) | down)) | (twoDown & (up | hiDown(hi, 3 * n)));
}

/** The empty cells in `lo` on which these stones would have four in a row. `all` is all stones'. */
export function foursLo(lo: number, hi: number, allLo: number): number {
  const upright = (lo << 1) & (lo << 2) & (lo << 3);
  const lines = upright | lineLo(lo, hi, 7) | lineLo(lo, hi, 6) | lineLo(lo, hi, 8);
  return lines & (BOARD_LO ^ allLo);
}

/** The same in `hi`. */
export function foursHi(lo: number, hi: number, allHi: number): number {
  const upright = (hi << 1) & (hi << 2) & (hi << 3);
  const lines = upright | lineHi(lo, hi, 7) | lineHi(lo, hi, 6) | lineHi(lo, hi, 8);
  return lines & (BOARD_HI ^ allHi);
}
