/** Looks ahead in American checkers: alpha-beta, one ply deeper each time, within a number of positions. */

import type { Search } from '../deepening.ts';
import { deepen, INFINITE, PLIES_MAX, shuffle, WIN } from '../deepening.ts';
import type { Bound } from '../note.ts';
import {
  AT_LEAST,
  AT_MOST,
  EXACT,
  makeNote,
  noteBound,
  noteDepth,
  noteValue,
  valueAt,
  valueFrom,
} from '../note.ts';
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

/** Where the depth has ended and a capture threatens, a line goes on for so many plies. */
const THREAT_PLIES = 3;
/** Steps that look poor are first looked at less deep: from this place in the order, from this depth. */
const POOR_FROM = 3 * SUCCESSOR_LENGTH;
const POOR_DEPTH_MIN = 3;

/** What a search works with; overwritten by the next one. */
interface Memory {
  readonly table: Table;
  readonly order: Order;
  readonly line: Line;
  /** Positions that may still be looked at; below 0 everything is worth nothing. */
  left: number;
}

export function makeSearch(): Search<AmericanState, AmericanMove> {
  const order = makeOrder(PLIES_MAX);
  const memory: Memory = { table: makeTable(), order, line: makeLine(PLIES_MAX), left: 0 };
  let nodes = 0;
  return {
    nodes: () => nodes,
    rank(state, legal, limits, random) {
      memory.table.clear();
      order.merit.fill(0);
      memory.left = limits.nodesMax;
      enterGame(memory.line, state);
      const looking = {
        look: (move: AmericanMove, depth: number, low: number, high: number) =>
          lookAfter(memory, state, move, depth, low, high),
        goesOn: () => memory.left >= 0,
      };
      const ranked = deepen(looking, shuffle(legal, random), limits);
      nodes = limits.nodesMax - Math.max(memory.left, 0);
      return ranked;
    },
  };
}

/** The value of one move of the position that the game is in. */
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
  // Subtracted, as -0 would be no number to hand out.
  return 0 - look(memory, place, 1, 0, side, depth - 1, -high, -low);
}

/**
 * The value of the position at a place of the line for the side to move: exact between `alpha` and
 * `beta`, else a bound. `at` is where its successors are to be listed.
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
  const note = slot === -1 ? 0 : table.note(slot);
  if (slot !== -1 && noteDepth(note) >= depth) {
    const value = valueAt(noteValue(note), ply);
    const bound = noteBound(note);
    if (bound === EXACT || (bound === AT_LEAST ? value >= beta : value <= alpha)) return value;
  }
  const end = writeSuccessors(order.list, at, own, other, kings, side);
  if (end === at) return ply - WIN;
  if (place - line.starts[place]! >= QUIET_PLIES_MAX) return 0;
  promiseAll(order, at, end, own, other, side, slot === -1 ? own : table.best(slot));
  return lookBelow(memory, place, ply, at, end, side, depth, alpha, beta);
}

/** Looks at the successors that are listed from `at` to `end`, and remembers what it finds. */
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
    const isPoor = next >= at + POOR_FROM && rest === other && depth >= POOR_DEPTH_MIN;
    // A single answer is no choice: it costs no depth.
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
    const bound: Bound = best >= beta ? AT_LEAST : best > alpha ? EXACT : AT_MOST;
    const note = makeNote(valueFrom(best, ply), depth, bound, side);
    memory.table.store(own, other, kings, note, bestMove);
  }
  return best;
}

/** Nothing is left to look at: the depth has ended, and neither side has a capture. */
function isCalm(own: number, other: number, kings: number, side: number, depth: number): boolean {
  if (depth > 0 || canCapture(own, other, kings, side)) return false;
  return depth <= -THREAT_PLIES || !canCapture(other, own, kings, side ^ 1);
}
