/**
 * Connect four solved: alpha-beta on bits with a transposition table, by Pascal Pons' method
 * (blog.gamesolver.org). A score is 22 minus the winner's stones at the end, for the side to move,
 * so a faster win is worth more and a later loss less bad.
 */

import type { Position } from './bits.ts';
import {
  BOARD_HI,
  BOARD_LO,
  COLUMN_HI,
  COLUMN_LO,
  countBits,
  FLOOR_HI,
  FLOOR_LO,
  FROM_MIDDLE,
  foursHi,
  foursLo,
} from './bits.ts';
import { CELLS, COLUMNS } from './board.ts';
import { canWin } from './moves.ts';

/** Scores are from -18 to 18: nobody has won with fewer than four stones. */
const SCORE_MAX = 18;
const SCORE_MIN = -SCORE_MAX;

export interface Solver {
  /**
   * The score of a position without an immediate win, if it is between `alpha` and `beta`;
   * otherwise a bound on that side. Null if the nodes ran out.
   */
  search(position: Position, alpha: number, beta: number): number | null;
  /** The exact score of any position that is not over. Null if the nodes ran out. */
  solve(position: Position): number | null;
  /** Sets the node limit and resets the count. */
  allow(nodesMax: number): void;
  /** Nodes examined since then. */
  nodes(): number;
  /** Empties the table, as if the solver were new. */
  forget(): void;
}

/** Thrown through the search when the nodes run out; caught in this file. */
const OUT_OF_NODES: unique symbol = Symbol('out of nodes');

/** Columns are packed three bits each, best first, with their count above them. */
const COUNT_SHIFT = 21;
/** Ranks are packed four bits each while columns are sorted. */
const RANK_MAX = 15;

/** The open columns, most threatening first; of equals the one nearer to the middle. */
function sortColumns(
  ownLo: number,
  ownHi: number,
  allLo: number,
  allHi: number,
  openLo: number,
  openHi: number,
): number {
  let order = 0;
  let ranks = 0;
  let count = 0;
  for (let i = COLUMNS - 1; i >= 0; i -= 1) {
    const column = FROM_MIDDLE[i]!;
    const moveLo = openLo & COLUMN_LO[column]!;
    const moveHi = openHi & COLUMN_HI[column]!;
    if ((moveLo | moveHi) === 0) continue;
    const nextLo = ownLo | moveLo;
    const nextHi = ownHi | moveHi;
    const fours =
      countBits(foursLo(nextLo, nextHi, allLo)) + countBits(foursHi(nextLo, nextHi, allHi));
    const rank = Math.min(fours, RANK_MAX);
    let place = 0;
    while (place < count && ((ranks >>> (4 * place)) & RANK_MAX) > rank) place += 1;
    const ranksBefore = (1 << (4 * place)) - 1;
    ranks = (ranks & ranksBefore) | (rank << (4 * place)) | ((ranks & ~ranksBefore) << 4);
    const before = (1 << (3 * place)) - 1;
    order = (order & before) | (column << (3 * place)) | ((order & ~before) << 3);
    count += 1;
  }
  return order | (count << COUNT_SHIFT);
}

/** The transposition table: two words per position, `lo`, and `hi` with a bound. */
const TABLE_BITS = 21;
/** An upper bound is stored as 1 to 37, a lower one as 38 to 74; 0 is empty. */
const UPPER = 1 - SCORE_MIN;
const LOWER = UPPER + 2 * SCORE_MAX + 1;
const KNOWN_BITS = 7;
const KNOWN = (1 << KNOWN_BITS) - 1;

function isLower(known: number): boolean {
  return known >= LOWER + SCORE_MIN;
}

/** The index of a position in the table: the first of its two words. */
function placeOf(mask: number, keyLo: number, keyHi: number): number {
  const mixed = Math.imul(keyLo ^ Math.imul(keyHi, 0x85ebca6b), 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) & mask) << 1;
}

/** A running search. Its table outlives it: results stay true. */
interface Search {
  readonly table: Int32Array;
  /** The number of slots, less one: a bit mask. */
  readonly mask: number;
  nodesMax: number;
  nodes: number;
}

/** The stored bound of a position; 0 for none. */
function find({ table, mask }: Search, keyLo: number, keyHi: number): number {
  const place = placeOf(mask, keyLo, keyHi);
  const word = table[place + 1]!;
  return table[place] === keyLo && word >>> KNOWN_BITS === keyHi ? word & KNOWN : 0;
}

function keep({ table, mask }: Search, keyLo: number, keyHi: number, known: number): void {
  const place = placeOf(mask, keyLo, keyHi);
  table[place] = keyLo;
  table[place + 1] = (keyHi << KNOWN_BITS) | known;
}

/** Stones of the side to move, all stones, their number, and the window of scores. */
function negamax(
  search: Search,
  ownLo: number,
  ownHi: number,
  allLo: number,
  allHi: number,
  plies: number,
  low: number,
  high: number,
): number {
  search.nodes += 1;
  if (search.nodes > search.nodesMax) throw OUT_OF_NODES;
  // Where the opponent would win next: such a cell must be filled, and none below it may be.
  const threatLo = foursLo(ownLo ^ allLo, ownHi ^ allHi, allLo);
  const threatHi = foursHi(ownLo ^ allLo, ownHi ^ allHi, allHi);
  let openLo = (allLo + FLOOR_LO) & BOARD_LO;
  let openHi = (allHi + FLOOR_HI) & BOARD_HI;
  let isForced = false;
  const forcedLo = openLo & threatLo;
  const forcedHi = openHi & threatHi;
  if ((forcedLo | forcedHi) !== 0) {
    // Of two only one can be filled.
    if (countBits(forcedLo) + countBits(forcedHi) > 1) return -((CELLS - plies) >> 1);
    openLo = forcedLo;
    openHi = forcedHi;
    isForced = true;
  }
  openLo &= ~(threatLo >>> 1);
  openHi &= ~(threatHi >>> 1);
  if ((openLo | openHi) === 0) return -((CELLS - plies) >> 1);
  if (plies >= CELLS - 2) return 0;
  // The fastest loss and win that are still possible.
  const alpha = Math.max(low, -((CELLS - 2 - plies) >> 1));
  if (alpha >= high) return alpha;
  const beta = Math.min(high, (CELLS - 1 - plies) >> 1);
  if (alpha >= beta) return beta;
  if (isForced) {
    // One move: nothing to order, and its result is stored with the position after it.
    const nextLo = allLo | openLo;
    const nextHi = allHi | openHi;
    const otherLo = ownLo ^ allLo;
    const otherHi = ownHi ^ allHi;
    return -negamax(search, otherLo, otherHi, nextLo, nextHi, plies + 1, -beta, -alpha);
  }
  return explore(search, ownLo, ownHi, allLo, allHi, plies, openLo, openHi, alpha, beta);
}

/** The score over the open moves. */
function explore(
  search: Search,
  ownLo: number,
  ownHi: number,
  allLo: number,
  allHi: number,
  plies: number,
  openLo: number,
  openHi: number,
  low: number,
  high: number,
): number {
  let alpha = low;
  let beta = high;
  // The stones' owners and the columns' heights follow from this number of 49 bits.
  const keyLo = ownLo + allLo;
  const keyHi = ownHi + allHi;
  const known = find(search, keyLo, keyHi);
  if (known !== 0) {
    if (isLower(known)) alpha = Math.max(alpha, known - LOWER);
    else beta = Math.min(beta, known - UPPER);
    if (alpha >= beta) return isLower(known) ? alpha : beta;
  }
  let order = sortColumns(ownLo, ownHi, allLo, allHi, openLo, openHi);
  const otherLo = ownLo ^ allLo;
  const otherHi = ownHi ^ allHi;
  for (let count = order >>> COUNT_SHIFT; count > 0; count -= 1, order >>>= 3) {
    const nextLo = allLo | (openLo & COLUMN_LO[order & 7]!);
    const nextHi = allHi | (openHi & COLUMN_HI[order & 7]!);
    const score = -negamax(search, otherLo, otherHi, nextLo, nextHi, plies + 1, -beta, -alpha);
    if (score >= beta) {
      keep(search, keyLo, keyHi, score + LOWER);
      return score;
    }
    alpha = Math.max(alpha, score);
  }
  keep(search, keyLo, keyHi, alpha + UPPER);
  return alpha;
}

/** The table has 2 to the `tableBits` slots of 8 bytes: 16 MB by default, allocated at once. */
export function makeSolver(tableBits = TABLE_BITS): Solver {
  const table = new Int32Array(2 << tableBits);
  const state: Search = { table, mask: (1 << tableBits) - 1, nodesMax: 0, nodes: 0 };
  const search = (position: Position, alpha: number, beta: number): number | null => {
    const { ownLo, ownHi, allLo, allHi, plies } = position;
    try {
      return negamax(state, ownLo, ownHi, allLo, allHi, plies, alpha, beta);
    } catch (error) {
      if (error === OUT_OF_NODES) return null;
      throw error;
    }
  };
  return {
    search,
    solve: (position) => solve(position, search),
    allow(nodesMax) {
      state.nodesMax = nodesMax;
      state.nodes = 0;
    },
    nodes: () => state.nodes,
    forget: () => void table.fill(0),
  };
}

/** Halves the range of possible scores until one is left. */
function solve(position: Position, search: Solver['search']): number | null {
  if (canWin(position)) return (CELLS + 1 - position.plies) >> 1;
  let min = -((CELLS - position.plies) >> 1);
  let max = (CELLS + 1 - position.plies) >> 1;
  while (min < max) {
    // Nearer to a draw first: such searches are the fastest.
    let middle = min + ((max - min) >> 1);
    if (middle <= 0 && min / 2 < middle) middle = (min / 2) | 0;
    else if (middle >= 0 && max / 2 > middle) middle = (max / 2) | 0;
    const score = search(position, middle, middle + 1);
    if (score === null) return null;
    if (score <= middle) max = score;
    else min = score;
  }
  return min || 0; // Never -0.
}
