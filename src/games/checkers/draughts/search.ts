/** Searches draughts: alpha-beta with iterative deepening, within a number of positions. */

import type { Budget, Search } from '../deepening.ts';
import {
  INFINITE,
  makeDeepening,
  PLIES_MAX,
  POOR_DEPTH_MIN,
  POOR_FROM,
  THREAT_PLIES,
  WIN,
} from '../deepening.ts';
import { makeNote, OPEN, readNote } from '../note.ts';
import { evaluate } from './evaluation.ts';
import type { Line } from './line.ts';
import { enterAfter, enterGame, enterNext, isRepeated, isTimeUp, makeLine } from './line.ts';
import type { Lister } from './lister.ts';
import { CAPTURED, canCapture, canMove, MOVE_LENGTH, makeLister, writeMoves } from './lister.ts';
import { makeMove, unmakeMove } from './making.ts';
import type { DraughtsMove } from './moves.ts';
import type { Order } from './order.ts';
import { bringBest, makeOrder, markOf, praise, promiseAll } from './order.ts';
import type { DraughtsState } from './state.ts';
import { afterMove } from './state.ts';
import type { Table } from './table.ts';
import { makeTable } from './table.ts';
import type { DraughtsVariant } from './variant.ts';
import { DRAUGHTS } from './variant.ts';

/** The memory of a search; overwritten by the next one. */
interface Memory extends Budget {
  readonly board: Lister;
  readonly table: Table;
  readonly order: Order;
  readonly line: Line;
}

export function makeSearch(variant: DraughtsVariant): Search<DraughtsState, DraughtsMove> {
  const rules = DRAUGHTS[variant];
  const memory: Memory = {
    board: makeLister(rules),
    table: makeTable(),
    order: makeOrder(),
    line: makeLine(rules),
    left: 0,
  };
  return makeDeepening(memory, (state, legal) => {
    memory.table.clear();
    memory.order.merit.fill(0);
    enterGame(memory.line, memory.board, state);
    const states = new Map(legal.map((move) => [move, afterMove(state, move)]));
    return (move, depth, low, high) =>
      lookAfter(memory, state, states.get(move)!, depth, low, high);
  });
}

/** The value of the move from the game's position to another one. */
function lookAfter(
  memory: Memory,
  game: DraughtsState,
  next: DraughtsState,
  depth: number,
  low: number,
  high: number,
): number {
  const place = enterAfter(memory.line, memory.board, game, next);
  // Subtracted, to avoid returning -0.
  return 0 - look(memory, place, 1, 0, next.turn, depth - 1, -high, -low);
}

/**
 * The value of the position at an index of the line, which is on the board, for the seat to move:
 * exact between `alpha` and `beta`, otherwise a bound. Its moves are listed from `at` on.
 */
function look(
  memory: Memory,
  place: number,
  ply: number,
  at: number,
  seat: number,
  depth: number,
  alpha: number,
  beta: number,
): number {
  const { board, table, order, line } = memory;
  memory.left -= 1;
  if (memory.left < 0 || isRepeated(line, place)) return 0;
  if (ply >= PLIES_MAX || isCalm(board, seat, depth)) {
    if (!canMove(board, seat)) return ply - WIN;
    return isTimeUp(line, place) ? 0 : evaluate(board, seat);
  }
  const slot = table.find(line.keys[place]!, line.otherKeys[place]!);
  const known = slot === -1 ? OPEN : readNote(table.note(slot), alpha, beta, ply, depth);
  if (known !== OPEN) return known;
  const end = writeMoves(board, at, seat);
  if (end === at) return ply - WIN;
  if (isTimeUp(line, place)) return 0;
  promiseAll(order, board, at, end, seat, slot === -1 ? 0 : table.best(slot));
  return lookBelow(memory, place, ply, at, end, seat, depth, alpha, beta);
}

/** Searches the moves listed from `at` to `end`, and stores the result. */
function lookBelow(
  memory: Memory,
  place: number,
  ply: number,
  at: number,
  end: number,
  seat: number,
  depth: number,
  alpha: number,
  beta: number,
): number {
  const { board, order, line } = memory;
  const [first, places] = [at / MOVE_LENGTH, end / MOVE_LENGTH];
  // A forced move costs no depth.
  const below = places === first + 1 ? depth : depth - 1;
  let best = -INFINITE;
  let bestMark = 0;
  for (let next = first; next < places && best < beta; next += 1) {
    const record = bringBest(order, next, places);
    const mark = markOf(board, record);
    const isStep = board.moves[record + CAPTURED] === 0;
    makeMove(board, record);
    enterNext(line, board, place, record);
    const low = best > alpha ? best : alpha;
    const isPoor = next >= first + POOR_FROM && isStep && depth >= POOR_DEPTH_MIN;
    let value = low + 1;
    if (next > first) {
      const depthFirst = isPoor ? below - 1 : below;
      value = -look(memory, place + 1, ply + 1, end, 1 - seat, depthFirst, -low - 1, -low);
    }
    if (value > low && (next === first || isPoor || value < beta)) {
      value = -look(memory, place + 1, ply + 1, end, 1 - seat, below, -beta, -low);
    }
    unmakeMove(board, record);
    if (memory.left < 0) return 0;
    if (value <= best) continue;
    best = value;
    bestMark = mark;
    if (best >= beta && isStep) praise(order, mark, seat, depth);
  }
  if (depth >= 0) {
    const note = makeNote(best, alpha, beta, ply, depth, seat);
    memory.table.store(line.keys[place]!, line.otherKeys[place]!, note, bestMark);
  }
  return best;
}

/** The search ends here: no depth is left, and neither side has a capture. */
function isCalm(board: Lister, seat: number, depth: number): boolean {
  if (depth > 0 || canCapture(board, seat)) return false;
  return depth <= -THREAT_PLIES || !canCapture(board, 1 - seat);
}
