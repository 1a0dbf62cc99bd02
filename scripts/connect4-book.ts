/**
 * Computes the opening book of `perfect`, the tables of `src/games/connect4/book-moves.ts` and
 * `opening-signs.ts`: a move for each position that it can meet from the first move on, and the
 * value of every position with few stones.
 *
 *   bun scripts/connect4-book.ts lines SEAT PLIES FILE   moves of seat 0 or 1 until PLIES stones lie
 *   bun scripts/connect4-book.ts openings PLIES FILE     finds the values of all up to PLIES stones
 *   bun scripts/connect4-book.ts signs PLIES FILE        prints the signs in FILE with PLIES stones
 *
 * FILE stores the results, so that an interrupted run continues with the next position. Needs 1 GB.
 */

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Position } from '../src/games/connect4/bits.ts';
import { obviousColumn, walkLines } from '../src/games/connect4/book.ts';
import { EMPTY_BOARD, makeCanonical } from '../src/games/connect4/canonical.ts';
import type { Worth } from '../src/games/connect4/keep-worth.ts';
import { lookAhead, soundColumns } from '../src/games/connect4/look-ahead.ts';
import { drop, openColumns, winsBy } from '../src/games/connect4/moves.ts';
import { makeOpeningSearch } from '../src/games/connect4/opening-search.ts';
import { listOpenings, makeSign } from '../src/games/connect4/opening-worth.ts';
import { makeSolver } from '../src/games/connect4/solver.ts';

/** 128 MB: a larger one forgets less, but each access takes longer. */
const TABLE_BITS = 24;
/** In a lost position: how far ahead the hardest reply is searched for. */
const LOST_PLIES = 14;
const LOST_NODES = 200_000;

/** In the file of openings, for a lost position in which any column will do. */
const NO_COLUMN = -1;

/** A line of the file: the number of a position and this. */
interface Found {
  readonly worth: Worth;
  readonly column: number;
}

/** The empty board is published as won, by the middle; all else is searched. */
const FIRST: Found = { worth: 1, column: 3 };

const search = makeOpeningSearch(makeSolver(TABLE_BITS));

function readFound(file: string): Map<number, Found> {
  const found = new Map<number, Found>();
  if (!existsSync(file)) return found;
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [number, worth, column] = line.split(' ').map(Number);
    found.set(number!, { worth: worth as Worth, column: column! });
  }
  return found;
}

function keep(file: string, number: number, { worth, column }: Found, { plies }: Position): void {
  appendFileSync(file, `${number} ${worth} ${column}\n`);
  const millions = Math.round(search.nodes() / 1e6);
  console.error(`${plies} stones, worth ${worth}, ${millions} million nodes in all`);
}

/**
 * The digits of a seat's book. Positions are searched stone by stone. A position's value to the
 * seat before the book's move is the least that it has after any answer.
 */
function findLines(seat: number, plies: number, file: string): string {
  const found = readFound(file);
  const least = new Map<number, Worth>();
  let digits = '';
  walkLines(seat, plies, (position, number) => {
    let entry = found.get(number);
    if (entry === undefined) {
      entry = position.plies === 0 ? FIRST : findMove(position, least.get(number) ?? -1);
      keep(file, number, entry, position);
    }
    for (const next of answersTo(position, entry.column)) {
      least.set(next, Math.max(entry.worth, least.get(next) ?? -1) as Worth);
    }
    digits += String(entry.column + 1);
    return entry.column;
  });
  return digits;
}

function findMove(position: Position, least: Worth): Found {
  const worth = search.worthOf(position, least);
  const column =
    worth === -1
      ? lookAhead(position, soundColumns(position), LOST_PLIES, LOST_NODES)
      : search.columnFor(position, worth);
  return { worth, column };
}

/** The numbers of the positions after a stone in this column and any answer. */
function answersTo(position: Position, column: number): number[] {
  const next = drop(position, column);
  return openColumns(next)
    .filter((answer) => !winsBy(next, answer))
    .map((answer) => makeCanonical(drop(next, answer)).number);
}

/** From the first stone on: results for a position help with later ones. */
function findOpenings(plies: number, file: string): void {
  const found = readFound(file);
  const visited = new Set<number>();
  const visit = (position: Position, least: Worth): void => {
    const { number } = makeCanonical(position);
    if (visited.has(number)) return;
    visited.add(number);
    const entry = found.get(number) ?? proveOpening(position, least);
    if (!found.has(number)) keep(file, number, entry, position);
    if (position.plies === plies) return;
    for (const column of openColumns(position)) {
      visit(makeCanonical(drop(position, column)).position, (0 - entry.worth) as Worth);
    }
  };
  visit(EMPTY_BOARD, 1);
}

function proveOpening(position: Position, least: Worth): Found {
  if (position.plies === 0) return FIRST;
  const worth = search.worthOf(position, least);
  if (worth === -1) return { worth, column: NO_COLUMN };
  return { worth, column: obviousColumn(position) ?? search.columnFor(position, worth) };
}

/** The signs of all positions with that many stones; those missing in the file are unknown. */
function printOpenings(plies: number, file: string): void {
  const found = readFound(file);
  const signs = [...listOpenings(plies).keys()].map((number) => {
    const entry = found.get(number);
    if (entry === undefined) return makeSign(null);
    const { worth, column } = entry;
    return makeSign({ worth, column: column === NO_COLUMN ? null : column });
  });
  printRows(signs.join(''));
}

/** Rows that can be pasted into a table. */
function printRows(text: string): void {
  for (const row of text.match(/.{1,90}/g) ?? []) console.log(row);
}

const [what, number, ...rest] = process.argv.slice(2);
if (what === 'lines' && rest.length === 2) {
  printRows(findLines(Number(number), Number(rest[0]), rest[1]!));
} else if (what === 'openings' && rest.length === 1) {
  findOpenings(Number(number), rest[0]!);
} else if (what === 'signs' && rest.length === 1) {
  printOpenings(Number(number), rest[0]!);
} else {
  throw new Error('usage: see the first lines of scripts/connect4-book.ts');
}
