/** Derives the moves made between two states of a session, as far as their views show them. Pure. */

import { fieldOf, indexIn } from './field.ts';
import type { Seat, SessionView } from './protocol.ts';

export interface MissedMove {
  readonly seat: Seat;
  /** In the protocol's form; empty if the view itself shows the move. */
  readonly action: unknown;
  /** The position before; null if it is not known exactly, because more moves may lie in between. */
  readonly before: SessionView | null;
}

/** For connect four, whose actions name columns. */
const COLUMNS = 7;
const TICTACTOE_CELLS = 9;
/** The variant of checkers whose kings move by one square; in all others they fly. */
const SHORT_KINGS = 'american';
/** The owner of a mark or disc. */
const SEATS: Readonly<Record<string, Seat>> = { X: 0, O: 1, red: 0, yellow: 1 };

/** In order. Ambiguous moves are left out: a wrong move is worse than none. */
export function missedMoves(before: SessionView, after: SessionView): MissedMove[] {
  const last = lastOf(after);
  if (last.seat !== null) {
    const isNew = JSON.stringify(last) !== JSON.stringify(lastOf(before));
    return isNew ? [{ seat: last.seat, action: {}, before: null }] : [];
  }
  const first = before.turn === 1 ? 1 : 0;
  const [some, others] = [first, 1 - first].map((seat) => movesOnBoard(seat, before, after));
  const count = Math.max(some!.length, others!.length);
  return Array.from({ length: count }, (_, n) => [some![n], others![n]])
    .flat()
    .filter((move) => move !== undefined);
}

/** These views contain the last event: roll by roll, or a shot; a pending die counts as a roll. */
function lastOf({ view, turn, seats }: SessionView): {
  seat: Seat | null;
  last: unknown;
  die: unknown;
} {
  const [last, die] = [fieldOf(view, 'last'), fieldOf(view, 'die')];
  const named = indexIn(fieldOf(Array.isArray(last) ? last[0] : last, 'seat'), seats);
  return { seat: named ?? (typeof die === 'number' ? turn : null), last, die };
}

/** The marks or pieces that a seat has placed or moved on the board. */
function movesOnBoard(seat: Seat, before: SessionView, { view }: SessionView): MissedMove[] {
  const cells = boardOf(view);
  const old = boardOf(before.view);
  const isHere = (board: readonly unknown[], cell: number): boolean => seatOn(board[cell]) === seat;
  const changed = (from: readonly unknown[], to: readonly unknown[]): number[] =>
    [...cells.keys()].filter((cell) => isHere(to, cell) && !isHere(from, cell));
  const came = changed(old, cells);
  if (came.some((cell) => typeof cells[cell] === 'string')) {
    return came.map((cell) => ({ seat, action: makePlacing(cell, cells.length), before }));
  }
  if (came.length !== 1) return [];
  const to = came[0]!;
  // Even if only one square was left: several moves of one piece must not be described as one.
  const [from, ...more] = changed(cells, old).filter(canGo(seat, before, cells, to));
  return from === undefined || more.length > 0 ? [] : [{ seat, action: { from, to }, before }];
}

/** Whether the mover can come from one of the squares that a seat's pieces have left, including captured ones. */
function canGo(
  seat: Seat,
  before: SessionView,
  cells: readonly unknown[],
  to: number,
): (from: number) => boolean {
  const { turn, legal, variant } = before;
  if (turn === seat && legal !== null) {
    return (from) =>
      legal.some((each) => fieldOf(each, 'from') === from && fieldOf(each, 'to') === to);
  }
  // The view has no legal actions of the player who answered. A flying king can have come from anywhere.
  if (fieldOf(cells[to], 'king') === true && variant !== SHORT_KINGS) return () => false;
  return isStep(seat, boardOf(before.view), cells, to);
}

/** A step moves by one square, a capture by two. */
function isStep(
  seat: Seat,
  old: readonly unknown[],
  cells: readonly unknown[],
  to: number,
): (from: number) => boolean {
  const count = (board: readonly unknown[]): number =>
    board.filter((cell) => seatOn(cell) === 1 - seat).length;
  const length = count(old) - count(cells) + 1;
  const edge = Math.sqrt(cells.length);
  const across = (from: number): number => Math.abs((from % edge) - (to % edge));
  const along = (from: number): number => Math.abs(Math.floor(from / edge) - Math.floor(to / edge));
  return (from) => length <= 2 && across(from) === length && along(from) === length;
}

function makePlacing(cell: number, cells: number): unknown {
  return cells === TICTACTOE_CELLS ? { position: cell } : { column: cell % COLUMNS };
}

/** Cells in row order from the top. */
function boardOf(view: unknown): readonly unknown[] {
  const board = fieldOf(view, 'board');
  return Array.isArray(board) ? board : [];
}

function seatOn(cell: unknown): Seat | null {
  if (typeof cell !== 'string') return indexIn(fieldOf(cell, 'seat'), 2);
  return Object.hasOwn(SEATS, cell) ? SEATS[cell]! : null;
}
