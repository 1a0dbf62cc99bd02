/** The squares that a piece passes and captures: for drawing, and for choosing step by step. Pure. */

import { fieldOf, indexIn } from '../../field.ts';
import type { Seat } from '../../protocol.ts';

export interface Piece {
  readonly seat: Seat;
  readonly king: boolean;
}

/** Cells in row order, row 0 at the top: 64 of them, or 100. */
export type Cells = readonly (Piece | null)[];

/** A move in wire form. */
export interface Action {
  readonly from: number;
  readonly to: number;
  /** Cells landed on in between, if the two ends alone are ambiguous. */
  readonly path?: readonly number[];
}

/** The path of a piece in a move. */
export interface Route {
  /** From the first cell to the last. */
  readonly cells: readonly number[];
  /** Pieces jumped on the way to each cell after the first; empty for a step. */
  readonly captured: readonly number[];
}

/** The differences between the variants that matter for drawing. */
export interface Gait {
  /** Men capture backwards, too. */
  readonly menCaptureBack: boolean;
  /** Kings move and jump over any distance. */
  readonly kingsFly: boolean;
  /** A man that reaches the far row during a capture continues as a king. */
  readonly crownedOnTheWay: boolean;
}

const SHORT: Gait = { menCaptureBack: false, kingsFly: false, crownedOnTheWay: false };
const LONG: Gait = { menCaptureBack: true, kingsFly: true, crownedOnTheWay: false };
const GAITS: Readonly<Record<string, Gait>> = {
  american: SHORT,
  russian: { ...LONG, crownedOnTheWay: true },
  brazilian: LONG,
  international: LONG,
};

export function gaitOf(variant: string): Gait {
  return Object.hasOwn(GAITS, variant) ? GAITS[variant]! : SHORT;
}

export function edgeOf(cells: Cells): number {
  return Math.round(Math.sqrt(cells.length));
}

/** The board of a view; an empty one of 64 cells when there is none. */
export function readCells(view: unknown): Cells {
  const board = fieldOf(view, 'board');
  if (!Array.isArray(board) || (board.length !== 64 && board.length !== 100)) {
    return Array<null>(64).fill(null);
  }
  return board.map((each: unknown) => {
    const seat = indexIn(fieldOf(each, 'seat'), 2);
    return seat === null ? null : { seat, king: fieldOf(each, 'king') === true };
  });
}

/** A move from the server; null when it is invalid on a board of this many cells. */
export function readAction(value: unknown, count: number): Action | null {
  const from = indexIn(fieldOf(value, 'from'), count);
  const to = indexIn(fieldOf(value, 'to'), count);
  if (from === null || to === null) return null;
  const path = fieldOf(value, 'path');
  const between = Array.isArray(path) && path.every((each) => indexIn(each, count) !== null);
  return between ? { from, to, path } : { from, to };
}

/** A capture in progress. */
interface Way {
  readonly cells: readonly number[];
  readonly captured: readonly number[];
  readonly king: boolean;
}

/** The routes that a legal move can mean: several only if they capture the same pieces. */
export function routesOf(cells: Cells, action: Action, gait: Gait): readonly Route[] {
  const piece = cells[action.from] ?? null;
  const step: Route = { cells: [action.from, action.to], captured: [] };
  if (piece === null) return [step];
  const start: Way = { cells: [action.from], captured: [], king: piece.king };
  const fitting = captures(cells, piece.seat, start, gait).filter(
    (way) => way.cells.at(-1) === action.to && fitsPath(way.cells, action.path),
  );
  const most = Math.max(0, ...fitting.map((way) => way.captured.length));
  const longest = fitting.filter((way) => way.captured.length === most);
  return most === 0
    ? [step]
    : longest.map(({ cells: walked, captured }) => ({ cells: walked, captured }));
}

/** The cells whose pieces a seat can capture with its next move. */
export function takenBy(seat: Seat, cells: Cells, gait: Gait): ReadonlySet<number> {
  return new Set(
    cells
      .flatMap((piece, cell) =>
        piece?.seat === seat
          ? captures(cells, seat, { cells: [cell], captured: [], king: piece.king }, gait)
          : [],
      )
      .flatMap(({ captured }) => captured),
  );
}

function fitsPath(cells: readonly number[], path: readonly number[] | undefined): boolean {
  if (path === undefined) return true;
  return path.length === cells.length - 2 && path.every((cell, n) => cell === cells[n + 1]);
}

/** Every way to continue the capture. Jumped pieces stay and block until the end. */
function captures(cells: Cells, seat: Seat, way: Way, gait: Gait): readonly Way[] {
  const next = jumps(cells, seat, way, gait);
  if (next.length === 0) return way.captured.length === 0 ? [] : [way];
  return next.flatMap((each) => captures(cells, seat, each, gait));
}

function jumps(cells: Cells, seat: Seat, way: Way, gait: Gait): readonly Way[] {
  const edge = edgeOf(cells);
  const at = way.cells.at(-1)!;
  const forward = seat === 0 ? -1 : 1;
  const flies = way.king && gait.kingsFly;
  const isFree = (cell: number | null): cell is number =>
    cell !== null && (cells[cell] === null || cell === way.cells[0]);
  return [-1, 1].flatMap((down) =>
    [-1, 1].flatMap((right) => {
      if (!way.king && !gait.menCaptureBack && down !== forward) return [];
      let over = beside(at, edge, down, right);
      while (flies && isFree(over)) over = beside(over, edge, down, right);
      if (over === null || cells[over]?.seat !== 1 - seat || way.captured.includes(over)) return [];
      const landings: Way[] = [];
      let to = beside(over, edge, down, right);
      while (isFree(to)) {
        const crowned = gait.crownedOnTheWay && isFarRow(to, edge, seat);
        landings.push({
          cells: [...way.cells, to],
          captured: [...way.captured, over],
          king: way.king || crowned,
        });
        to = flies ? beside(to, edge, down, right) : null;
      }
      return landings;
    }),
  );
}

export function isFarRow(cell: number, edge: number, seat: Seat): boolean {
  return Math.floor(cell / edge) === (seat === 0 ? 0 : edge - 1);
}

/** The next cell on a diagonal; null beyond the board. */
function beside(cell: number, edge: number, down: number, right: number): number | null {
  const row = Math.floor(cell / edge) + down;
  const column = (cell % edge) + right;
  return row < 0 || row >= edge || column < 0 || column >= edge ? null : row * edge + column;
}
