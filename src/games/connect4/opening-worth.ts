/** The worth of positions with few stones, and moves that keep it: read from a table. */

import type { Position } from './bits.ts';
import { COLUMNS } from './board.ts';
import { EMPTY_BOARD, makeCanonical } from './canonical.ts';
import type { Worth } from './keep-worth.ts';
import { drop, openColumns } from './moves.ts';

/** For the side to move. */
export interface Opening {
  readonly worth: Worth;
  /** A column that keeps it; null if everything loses. */
  readonly column: number | null;
}

/** By the number of a position; mirror images have the same number. */
export type Openings = ReadonlyMap<number, Opening>;

/** Positions with that many stones in a fixed order, one of two mirror images. */
export function listOpenings(plies: number): ReadonlyMap<number, Position> {
  let level = new Map([[0, EMPTY_BOARD]]);
  for (let ply = 0; ply < plies; ply += 1) {
    const next = new Map<number, Position>();
    for (const position of level.values()) {
      for (const column of openColumns(position)) {
        const child = makeCanonical(drop(position, column));
        next.set(child.number, child.position);
      }
    }
    level = next;
  }
  return level;
}

/** An opening in the table: its column if it is won or drawn, otherwise lost or unknown. */
const WON = '1234567';
const DRAWN = 'abcdefg';
const LOST = '-';
const UNKNOWN = '?';

export function makeSign(opening: Opening | null): string {
  if (opening === null) return UNKNOWN;
  const { worth, column } = opening;
  return column === null ? LOST : (worth > 0 ? WON : DRAWN)[column]!;
}

function parseSign(sign: string): Opening | null {
  if (sign === UNKNOWN) return null;
  if (sign === LOST) return { worth: -1, column: null };
  const isWon = WON.includes(sign);
  return { worth: isWon ? 1 : 0, column: (isWon ? WON : DRAWN).indexOf(sign) };
}

/** From the signs of all positions by number of stones, each in the order of `listOpenings`. */
export function parseOpenings(signsByPlies: readonly string[]): Openings {
  const openings = new Map<number, Opening>();
  for (const [plies, signs] of signsByPlies.entries()) {
    let index = 0;
    for (const number of listOpenings(plies).keys()) {
      const opening = parseSign(signs[index]!);
      if (opening !== null) openings.set(number, opening);
      index += 1;
    }
  }
  return openings;
}

/** The table's entry for a position, or null. */
export function findOpening(openings: Openings, position: Position): Opening | null {
  const { number, isMirrored } = makeCanonical(position);
  const opening = openings.get(number);
  if (opening === undefined) return null;
  const { worth, column } = opening;
  return { worth, column: isMirrored && column !== null ? COLUMNS - 1 - column : column };
}
