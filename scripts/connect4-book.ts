/**
 * Computes the opening book of connect four, `src/games/connect4/book-moves.ts`: for each position
 * that `perfect` can meet from the first move on, a move that keeps what the position is worth.
 *
 *   bun scripts/connect4-book.ts SEAT PLIES FILE
 *
 * SEAT is 0 or 1, PLIES where the book ends. FILE keeps what was found, so that a run that is ended
 * goes on with the next one. Prints the moves as digits when all are there. Needs 512 MB.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { walkLines } from '../src/games/connect4/book.ts';
import { keepingColumn } from '../src/games/connect4/keep-worth.ts';
import { makeSolver } from '../src/games/connect4/solver.ts';

const TABLE_BITS = 26;

const [seat, plies, file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: bun scripts/connect4-book.ts SEAT PLIES FILE');

/** The empty board alone would take longest, and its best move is published: the middle. */
const known = new Map([[0, 3]]);
if (existsSync(file)) {
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [number, column] = line.split(' ');
    known.set(Number(number), Number(column));
  }
}

const solver = makeSolver(TABLE_BITS);
let digits = '';
walkLines(Number(seat), Number(plies), (position, number) => {
  let column = known.get(number);
  if (column === undefined) {
    column = keepingColumn(solver, position, Infinity)!;
    appendFileSync(file, `${number} ${column}\n`);
    console.error(`${position.plies} stones, entry ${digits.length}`);
  }
  digits += String(column + 1);
  return column;
});
console.log(digits);
