/** Searches American checkers: alpha-beta with iterative deepening, within a number of positions. */

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
import { enter, enterGame, isRepeated, makeLine } from './line.ts';
import type { AmericanMove } from './moves.ts';
import { piecesOf } from './moves.ts';
import type { Order } from './order.ts';
import { bringBest, makeOrder, praise, promiseAll } from './order.ts';
import type { AmericanState } from './state.ts';
import { countQuietPlies, isQuiet, PAST_LENGTH, QUIET_PLIES_MAX } from './state.ts';
import { canCapture, canMove, SUCCESSOR_LENGTH, writeSuccessors } from './successors.ts';
import type { Table } from './table.ts';
import { makeTable } from './table.ts';

/** The memory of a search; overwritten by the next one. */
interface Memory extends Budget {
  readonly table: Table;
  readonly order: Order;
  readonly line: Line;
}

export function makeSearch(): Search<AmericanState, AmericanMove> {
  const order = makeOrder(PLIES_MAX);
  const memory: Memory = { table: makeTable(), order, line: makeLine(PLIES_MAX), left: 0 };
  return makeDeepening(memory, (state) => {
    memory.table.clear();
    order.merit.fill(0);
    enterGame(memory.line, state);
    return (move, depth, low, high) => lookAfter(memory, state, move, depth, low, high);
  });
}

/** The value of one move of the game's position. */
function lookAfter(
  memory: Memory,
  state: AmericanState,
  move: AmericanMove,
  depth: number,
  low: number,
  high: number,
): number {
  const place = countQuietPlies(state) + 1;
  const { turn: side, kings } = move.next;
  const [own, other] = [piecesOf(move.next, side) | 0, piecesOf(move.next, 1 - side) | 0];
  enter(memory.line, place, isQuiet(state, move) ? 0 : place, own, other, kings | 0);
  // Subtracted, to avoid returning -0.
  return 0 - look(memory, place, 1, 0, side, depth - 1, -high, -low);
}

/**
 * The value of the position at an index of the line for the side to move: exact between `alpha` and
 * `beta`, otherwise a bound. Its successors are listed from `at` on.
 */
function look(
  memory: Memory,
  place: number,
  ply: number,
  at: number,
  side: number,
  depth: number,
  alpha: number,
  beta: number,
): number {
  const { table, order, line } = memory;
  memory.left -= 1;
  if (memory.left < 0 || isRepeated(line, place)) return 0;
  const own = line.positions[place * PAST_LENGTH]!;
  const other = line.positions[place * PAST_LENGTH + 1]!;
  const kings = line.positions[place * PAST_LENGTH + 2]!;
  if (ply >= PLIES_MAX || isCalm(own, other, kings, side, depth)) {
    return canMove(own, other, kings, side) ? evaluate(own, other, kings, side) : ply - WIN;
  }
  const slot = table.find(own, other, kings, side);
  const known = slot === -1 ? OPEN : readNote(table.note(slot), alpha, beta, ply, depth);
  if (known !== OPEN) return known;
  const end = writeSuccessors(order.list, at, own, other, kings, side);
  if (end === at) return ply - WIN;
  if (place - line.starts[place]! >= QUIET_PLIES_MAX) return 0;
  promiseAll(order, at, end, own, other, side, slot === -1 ? own : table.best(slot));
  return lookBelow(memory, place, ply, at, end, side, depth, alpha, beta);
}

/** Searches the successors listed from `at` to `end`, and stores the result. */
function lookBelow(
  memory: Memory,
  place: number,
  ply: number,
  at: number,
  end: number,
  side: number,
  depth: number,
  alpha: number,
  beta: number,
): number {
  const { order, line } = memory;
  const own = line.positions[place * PAST_LENGTH]!;
  const other = line.positions[place * PAST_LENGTH + 1]!;
  const kings = line.positions[place * PAST_LENGTH + 2]!;
  let best = -INFINITE;
  let bestMove = own;
  for (let next = at; next < end && best < beta; next += SUCCESSOR_LENGTH) {
    bringBest(order, next, end);
    const after = order.list[next]!;
    const rest = order.list[next + 1]!;
    const mayComeAgain = rest === other && (own & ~after & kings) !== 0;
    const start = mayComeAgain ? line.starts[place]! : place + 1;
    enter(line, place + 1, start, rest, after, order.list[next + 2]!);
    const low = best > alpha ? best : alpha;
    const isPoor =
      next >= at + POOR_FROM * SUCCESSOR_LENGTH && rest === other && depth >= POOR_DEPTH_MIN;
    // A forced move costs no depth.
    const below = end === at + SUCCESSOR_LENGTH ? depth : depth - 1;
    let value = low + 1;
    if (next > at) {
      const depthFirst = isPoor ? below - 1 : below;
      value = -look(memory, place + 1, ply + 1, end, side ^ 1, depthFirst, -low - 1, -low);
    }
    if (value > low && (next === at || isPoor || value < beta)) {
      value = -look(memory, place + 1, ply + 1, end, side ^ 1, below, -beta, -low);
    }
    if (memory.left < 0) return 0;
    if (value <= best) continue;
    best = value;
    bestMove = after;
    if (best >= beta && rest === other) praise(order, own, after, side, depth);
  }
  if (depth >= 0) {
    const note = makeNote(best, alpha, beta, ply, depth, side);
    memory.table.store(own, other, kings, note, bestMove);
  }
  return best;
}

/** The search ends here: no depth is left, and neither side has a capture. */
function isCalm(own: number, other: number, kings: number, side: number, depth: number): boolean {
  if (depth > 0 || canCapture(own, other, kings, side)) return false;
  return depth <= -THREAT_PLIES || !canCapture(other, own, kings, side ^ 1);
}
