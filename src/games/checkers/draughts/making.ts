/** Makes and unmakes moves on a draughts board. */

import type { Lister } from './lister.ts';
import {
  ARRIVES,
  CAPTURED,
  CAPTURED_PIECES,
  CAPTURED_SQUARES,
  EMPTY,
  FROM,
  LEAVES,
  TO,
} from './lister.ts';

/** Makes the move with the record there. */
export function makeMove({ pieces, moves }: Lister, at: number): void {
  pieces[moves[at + FROM]!] = EMPTY;
  const captured = moves[at + CAPTURED]!;
  for (let n = 0; n < captured; n += 1) pieces[moves[at + CAPTURED_SQUARES + n]!] = EMPTY;
  pieces[moves[at + TO]!] = moves[at + ARRIVES]!;
}

/** Unmakes it. */
export function unmakeMove({ pieces, moves }: Lister, at: number): void {
  pieces[moves[at + TO]!] = EMPTY;
  const captured = moves[at + CAPTURED]!;
  for (let n = 0; n < captured; n += 1) {
    pieces[moves[at + CAPTURED_SQUARES + n]!] = moves[at + CAPTURED_PIECES + n]!;
  }
  pieces[moves[at + FROM]!] = moves[at + LEAVES]!;
}
