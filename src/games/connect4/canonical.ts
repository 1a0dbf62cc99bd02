/** Openings and their mirror images: one of two equivalent positions represents both. */

import type { Position } from './bits.ts';
import { COLUMN_BITS } from './bits.ts';

export const EMPTY_BOARD: Position = { ownLo: 0, ownHi: 0, allLo: 0, allHi: 0, plies: 0 };

const COLUMN_MASK = (1 << COLUMN_BITS) - 1;
const LO_BITS = 4 * COLUMN_BITS;
const HI_BITS = 3 * COLUMN_BITS;

/** A mirror image is equivalent; the one with the smaller number represents both. */
export interface Canonical {
  readonly position: Position;
  /** 49 bits that identify it. */
  readonly number: number;
  readonly isMirrored: boolean;
  /** Its own mirror image. */
  readonly isSymmetric: boolean;
}

/** The stones' owners and the columns' heights follow from this one number. */
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

export function makeCanonical(position: Position): Canonical {
  const number = numberOf(position);
  const mirrored = mirror(position);
  const mirroredNumber = numberOf(mirrored);
  const isSymmetric = mirroredNumber === number;
  return mirroredNumber < number
    ? { position: mirrored, number: mirroredNumber, isMirrored: true, isSymmetric }
    : { position, number, isMirrored: false, isSymmetric };
}
