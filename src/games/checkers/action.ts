/** Finds the legal move that a player's action means. */

import { fieldFault, ownField, wholeNumberFault } from '../../../game/src/field.ts';
import type { Refusal, Seat } from '../../../game/src/game.ts';
import { illegalMove } from '../../../game/src/refusal.ts';
import type { Move } from './rule-set.ts';

export type CheckersAction = {
  /** The cell of the piece that moves, in row order: 0 to 63, on the large board to 99. */
  readonly from: number;
  /** The cell on which it ends. */
  readonly to: number;
  /**
   * The cells it lands on in between, in order; empty for a single jump. Only if two captures share
   * both ends.
   */
  readonly path?: readonly number[];
};

/** Cells of the largest board. */
const CELLS_MAX = 100;
/** No piece captures more than twenty others. */
const PATH_CELLS_MAX = 19;

export function parseAction(input: unknown): CheckersAction | null {
  const from = parseCell(ownField(input, 'from'));
  const to = parseCell(ownField(input, 'to'));
  if (from === null || to === null) return null;
  const given = ownField(input, 'path');
  if (given === undefined) return { from, to };
  const path = parsePath(given);
  return path === null ? null : { from, to, path };
}

export function actionFault(input: unknown): string | null {
  const isPathOrNone = (value: unknown) => value === undefined || parsePath(value) !== null;
  return (
    wholeNumberFault(ownField(input, 'from'), 'from', 0, CELLS_MAX - 1) ??
    wholeNumberFault(ownField(input, 'to'), 'to', 0, CELLS_MAX - 1) ??
    fieldFault(
      ownField(input, 'path'),
      'path',
      isPathOrNone,
      `a list of at most ${PATH_CELLS_MAX} cells, each from 0 to ${CELLS_MAX - 1}`,
    )
  );
}

function parseCell(value: unknown): number | null {
  if (typeof value !== 'number' || !Number.isInteger(value)) return null;
  // Adding 0 makes 0 of -0.
  return value >= 0 && value < CELLS_MAX ? value + 0 : null;
}

function parsePath(value: unknown): readonly number[] | null {
  if (!Array.isArray(value) || value.length > PATH_CELLS_MAX) return null;
  const cells: (number | null)[] = Array.from(value, parseCell);
  return cells.every((cell) => cell !== null) ? cells : null;
}

const sharesEnds = (a: CheckersAction, b: Move): boolean => a.from === b.from && a.to === b.to;

const isPath = (cells: readonly number[], path: readonly number[]): boolean =>
  cells.length === path.length && cells.every((cell, index) => cell === path[index]);

/** The action of one of the legal moves: with its path if another move has the same ends. */
export function makeAction(move: Move, legal: readonly Move[]): CheckersAction {
  const { from, to, ways } = move;
  const isOnly = legal.filter((each) => sharesEnds(move, each)).length === 1;
  return isOnly ? { from, to } : { from, to, path: ways[0] };
}

/** The moves that an action may mean. */
export interface Choice<M extends Move> {
  /** The seat to move. */
  readonly turn: Seat;
  readonly legal: readonly M[];
  readonly majority: boolean;
  /** Whether the seat has a piece on that cell. */
  owns(cell: number): boolean;
}

/** The legal move that an action means, or why there is none. */
export function findMove<M extends Move>(choice: Choice<M>, action: CheckersAction): M | Refusal {
  const { from, to, path } = action;
  const fitting = choice.legal.filter((move) => sharesEnds(action, move));
  if (fitting.length === 0) return illegalMove(whyNot(choice, action));
  if (path === undefined) {
    return fitting.length === 1 ? fitting[0]! : ambiguousMove(from, to, fitting);
  }
  if (fitting.length === 1) {
    return illegalMove(`Only one move goes from cell ${from} to cell ${to}: leave out the path`);
  }
  const chosen = fitting.find(({ ways }) => isPath(ways[0], path));
  return chosen ?? illegalMove(whyNotBy(path, action, fitting));
}

/** Each move has one canonical form: an action in another form is told which. */
function whyNotBy(
  path: readonly number[],
  { from, to }: CheckersAction,
  fitting: readonly Move[],
): string {
  const meant = fitting.find(({ ways }) => ways.some((way) => isPath(way, path)));
  if (meant === undefined) return `No capture from cell ${from} to cell ${to} goes by that path`;
  const sent = JSON.stringify(meant.ways[0]);
  return `The capture from cell ${from} to cell ${to} by that path is sent as ${sent}`;
}

function ambiguousMove(from: number, to: number, fitting: readonly Move[]): Refusal {
  const paths = fitting.map(({ ways }) => JSON.stringify(ways[0])).join(' or ');
  const error = `Several captures go from cell ${from} to cell ${to}: give the path, ${paths}`;
  return { code: 'ambiguous_move', error };
}

function whyNot(
  { turn, legal, majority, owns }: Choice<Move>,
  { from, to }: CheckersAction,
): string {
  if (!owns(from)) return `Seat ${turn} has no piece on cell ${from}`;
  if (legal[0]?.isCapture !== true) return `The piece on cell ${from} cannot move to cell ${to}`;
  if (legal.every((move) => move.from !== from)) {
    const much = majority ? ' as much as another one, which' : ', and another one';
    return `The piece on cell ${from} cannot capture${much} has to`;
  }
  const far = majority ? 'as many as it can' : 'as far as it can';
  return `The piece on cell ${from} has to capture ${far}, which does not end on cell ${to}`;
}
