/** Moves of connect four in bits: where stones land, and immediate wins and losses. */

import type { Position } from './bits.ts';
import {
  BOARD_HI,
  BOARD_LO,
  COLUMN_HI,
  COLUMN_LO,
  FLOOR_HI,
  FLOOR_LO,
  FROM_MIDDLE,
  foursHi,
  foursLo,
} from './bits.ts';

/** The cells on which a stone dropped now comes to rest, as a pair of `lo` and `hi`. */
function restingCells({ allLo, allHi }: Position): readonly [number, number] {
  return [(allLo + FLOOR_LO) & BOARD_LO, (allHi + FLOOR_HI) & BOARD_HI];
}

/** Whether the side to move has an immediate four. */
export function canWin(position: Position): boolean {
  const { ownLo, ownHi, allLo, allHi } = position;
  const [freeLo, freeHi] = restingCells(position);
  return ((foursLo(ownLo, ownHi, allLo) & freeLo) | (foursHi(ownLo, ownHi, allHi) & freeHi)) !== 0;
}

/** Whether a stone in this column makes a four. */
export function winsBy(position: Position, column: number): boolean {
  const { ownLo, ownHi, allLo, allHi } = position;
  const [freeLo, freeHi] = restingCells(position);
  const lo = foursLo(ownLo, ownHi, allLo) & freeLo & COLUMN_LO[column]!;
  return (lo | (foursHi(ownLo, ownHi, allHi) & freeHi & COLUMN_HI[column]!)) !== 0;
}

/** The same stones with the other side to move: where its fours would be. */
export function otherSide(position: Position): Position {
  const { ownLo, ownHi, allLo, allHi } = position;
  return { ...position, ownLo: ownLo ^ allLo, ownHi: ownHi ^ allHi };
}

/** The position after a stone in a column that is not full, as the other side sees it. */
export function drop(position: Position, column: number): Position {
  const { ownLo, ownHi, allLo, allHi, plies } = position;
  const [freeLo, freeHi] = restingCells(position);
  return {
    ownLo: ownLo ^ allLo,
    ownHi: ownHi ^ allHi,
    allLo: allLo | (freeLo & COLUMN_LO[column]!),
    allHi: allHi | (freeHi & COLUMN_HI[column]!),
    plies: plies + 1,
  };
}

/** Columns that are not full, the middle first. */
export function openColumns(position: Position): number[] {
  const [freeLo, freeHi] = restingCells(position);
  return FROM_MIDDLE.filter(
    (column) => ((freeLo & COLUMN_LO[column]!) | (freeHi & COLUMN_HI[column]!)) !== 0,
  );
}

/** A move that loses at once: after it the other side has an immediate four. */
export function losesAtOnce(position: Position, column: number): boolean {
  return canWin(drop(position, column));
}
