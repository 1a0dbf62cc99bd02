/** Lists the moves of draughts, for counting or searching millions of positions. */

import type { Geometry } from './geometry.ts';
import { GEOMETRIES } from './geometry.ts';
import type { DraughtsRules } from './variant.ts';

/** The content of a square. Pieces have the bit of their seat, and another for kings. */
export const EMPTY = 0;
export const KING = 4;
export const seatBit = (seat: number): number => 1 << seat;
/** The rim, and squares that are not dark. */
const RIM = 8;
/** A jumped piece: it stays in the way until the capture is over. */
const JUMPED = 16;

/** No side ever has more pieces. */
const CAPTURED_MAX = 20;
/** The layout of a move's record: its squares, the piece as it leaves and arrives, */
export const FROM = 0;
export const TO = 1;
export const LEAVES = 2;
export const ARRIVES = 3;
/** how many pieces it captures, their squares, what they are, and the squares landed on between. */
export const CAPTURED = 4;
export const CAPTURED_SQUARES = 5;
export const CAPTURED_PIECES = CAPTURED_SQUARES + CAPTURED_MAX;
export const LANDINGS = CAPTURED_PIECES + CAPTURED_MAX;
/** Numbers a move takes. */
export const MOVE_LENGTH = LANDINGS + CAPTURED_MAX;
/** Initial room for moves; it is doubled when it is full. */
const MOVES_START = 256;

/** The working data of a listing. */
export interface Lister {
  readonly edge: 8 | 10;
  readonly geometry: Geometry;
  readonly majority: boolean;
  readonly crownsInPassing: boolean;
  /** The pieces by square. Changed while captures are searched, and restored. */
  readonly pieces: Int8Array;
  /** Records of moves. Replaced by a larger array when it is full. */
  moves: Int16Array;
  /** Where the next record goes. */
  end: number;
  /** Whether moves are only counted, not written. Then only `end` moves. */
  isCounting: boolean;
  /** Where the list begins, and the largest capture in it. */
  start: number;
  most: number;
  /** The seat to move, and the bit of the other. */
  seat: number;
  enemy: number;
  /** The moving piece: its origin, its kind there, and its kind now. */
  from: number;
  leaving: number;
  piece: number;
  /** The capture so far: what has been jumped, and where the piece landed after each jump. */
  readonly jumpedSquares: Int16Array;
  readonly jumpedPieces: Int8Array;
  readonly landings: Int16Array;
}

/** Its board is empty. */
export function makeLister({ dialect, majority, crownsInPassing }: DraughtsRules): Lister {
  const { edge } = dialect;
  const geometry = GEOMETRIES[edge];
  const pieces = new Int8Array(geometry.size).fill(RIM);
  for (const square of geometry.squares) pieces[square] = EMPTY;
  return {
    edge,
    geometry,
    majority,
    crownsInPassing,
    pieces,
    moves: new Int16Array(MOVES_START * MOVE_LENGTH),
    end: 0,
    isCounting: false,
    start: 0,
    most: 0,
    seat: 0,
    enemy: 0,
    from: 0,
    leaving: 0,
    piece: 0,
    jumpedSquares: new Int16Array(CAPTURED_MAX),
    jumpedPieces: new Int8Array(CAPTURED_MAX),
    landings: new Int16Array(CAPTURED_MAX),
  };
}

/**
 * Writes the moves of a seat from an index in `moves` on, and returns where they end. Captures with
 * the same result by different paths are separate.
 */
export function writeMoves(lister: Lister, at: number, seat: number): number {
  lister.isCounting = false;
  return run(lister, at, seat);
}

/** The number of the seat's moves: as many as would be written. */
export function countMoves(lister: Lister, seat: number): number {
  lister.isCounting = true;
  return run(lister, 0, seat) / MOVE_LENGTH;
}

/** Whether the seat has a capture. */
export function canCapture({ pieces, geometry }: Lister, seat: number): boolean {
  const own = seatBit(seat);
  const enemy = seatBit(1 - seat);
  for (const from of geometry.squares) {
    const piece = pieces[from]!;
    if ((piece & own) === 0) continue;
    for (const direction of geometry.directions) {
      let over = from + direction;
      if ((piece & KING) !== 0) while (pieces[over] === EMPTY) over += direction;
      if ((pieces[over]! & enemy) !== 0 && pieces[over + direction] === EMPTY) return true;
    }
  }
  return false;
}

/** Whether the seat has any move. */
export function canMove(lister: Lister, seat: number): boolean {
  const { pieces, geometry } = lister;
  const own = seatBit(seat);
  const { directions } = geometry;
  for (const from of geometry.squares) {
    const piece = pieces[from]!;
    if ((piece & own) === 0) continue;
    const isKing = (piece & KING) !== 0;
    const first = isKing ? 0 : 2 * seat;
    for (let n = first; n < first + (isKing ? 4 : 2); n += 1) {
      if (pieces[from + directions[n]!] === EMPTY) return true;
    }
  }
  return canCapture(lister, seat);
}

function run(lister: Lister, at: number, seat: number): number {
  const { pieces, geometry } = lister;
  const own = seatBit(seat);
  lister.start = at;
  lister.end = at;
  lister.most = 0;
  lister.seat = seat;
  lister.enemy = seatBit(1 - seat);
  for (const from of geometry.squares) {
    if ((pieces[from]! & own) !== 0) captureWith(lister, from);
  }
  if (lister.end > at) return lister.end;
  for (const from of geometry.squares) {
    if ((pieces[from]! & own) !== 0) stepWith(lister, from);
  }
  return lister.end;
}

function stepWith(lister: Lister, from: number): void {
  const { pieces, seat, geometry } = lister;
  const { directions } = geometry;
  lister.from = from;
  lister.leaving = pieces[from]!;
  lister.piece = lister.leaving;
  if ((lister.piece & KING) === 0) {
    const first = 2 * seat;
    for (let n = first; n < first + 2; n += 1) {
      const to = from + directions[n]!;
      if (pieces[to] === EMPTY) finish(lister, to, 0);
    }
    return;
  }
  for (const direction of directions) {
    for (let to = from + direction; pieces[to] === EMPTY; to += direction) finish(lister, to, 0);
  }
}

/** Lists the captures of the piece on a square, which is lifted meanwhile. */
function captureWith(lister: Lister, from: number): void {
  const { pieces, geometry } = lister;
  const piece = pieces[from]!;
  lister.from = from;
  lister.leaving = piece;
  lister.piece = piece;
  pieces[from] = EMPTY;
  if ((piece & KING) === 0) jumpAsMan(lister, from, 0);
  else for (const direction of geometry.directions) jumpAlong(lister, from, direction, 0);
  pieces[from] = piece;
}

/** Every way for a man to continue a capture from a square after `done` pieces; false without any. */
function jumpAsMan(lister: Lister, from: number, done: number): boolean {
  const { pieces, enemy, geometry, seat } = lister;
  let found = false;
  for (const direction of geometry.directions) {
    const over = from + direction;
    const to = over + direction;
    if ((pieces[over]! & enemy) === 0 || pieces[to] !== EMPTY) continue;
    found = true;
    take(lister, over, done);
    lister.landings[done] = to;
    if (lister.crownsInPassing && geometry.crowningSeat[to] === seat) {
      lister.piece |= KING;
      if (!turnAside(lister, to, direction, done + 1)) finish(lister, to, done + 1);
      lister.piece ^= KING;
    } else if (!jumpAsMan(lister, to, done + 1)) finish(lister, to, done + 1);
    putBack(lister, done);
  }
  return found;
}

/** Every way for a king to capture the next piece in that direction, and continue; false without any. */
function jumpAlong(lister: Lister, from: number, direction: number, done: number): boolean {
  const { pieces } = lister;
  let over = from + direction;
  while (pieces[over] === EMPTY) over += direction;
  if ((pieces[over]! & lister.enemy) === 0 || pieces[over + direction] !== EMPTY) return false;
  take(lister, over, done);
  landBehind(lister, over + direction, direction, done + 1);
  putBack(lister, done);
  return true;
}

/**
 * Every continuation for a king that has jumped `done` pieces and may land anywhere from a square
 * on. If it can capture from one of these squares it must. Continuing straight is one way, wherever
 * it lands in between: the first square represents them all.
 */
function landBehind(lister: Lister, first: number, direction: number, done: number): void {
  const { pieces, landings } = lister;
  let found = false;
  let to = first;
  for (; pieces[to] === EMPTY; to += direction) {
    landings[done - 1] = to;
    if (turnAside(lister, to, direction, done)) found = true;
  }
  landings[done - 1] = first;
  if (jumpAlong(lister, first, direction, done) || found) return;
  for (let end = first; end !== to; end += direction) finish(lister, end, done);
}

/** Every way for a king to capture from a square to either side of its direction. */
function turnAside(lister: Lister, from: number, direction: number, done: number): boolean {
  let found = false;
  for (const other of lister.geometry.directions) {
    if (other === direction || other === -direction) continue;
    if (jumpAlong(lister, from, other, done)) found = true;
  }
  return found;
}

function take({ pieces, jumpedSquares, jumpedPieces }: Lister, over: number, done: number): void {
  jumpedSquares[done] = over;
  jumpedPieces[done] = pieces[over]!;
  pieces[over] = JUMPED;
}

function putBack({ pieces, jumpedSquares, jumpedPieces }: Lister, done: number): void {
  pieces[jumpedSquares[done]!] = jumpedPieces[done]!;
}

/** The move ends here. With the majority rule only the largest captures are kept. */
function finish(lister: Lister, to: number, captured: number): void {
  if (lister.majority && captured !== lister.most) {
    if (captured < lister.most) return;
    lister.most = captured;
    lister.end = lister.start;
  }
  if (!lister.isCounting) write(lister, to, captured);
  lister.end += MOVE_LENGTH;
}

function write(lister: Lister, to: number, captured: number): void {
  const { end: at, from, seat, geometry } = lister;
  if (at + MOVE_LENGTH > lister.moves.length) {
    const larger = new Int16Array(2 * lister.moves.length);
    larger.set(lister.moves);
    lister.moves = larger;
  }
  const { moves, jumpedSquares, jumpedPieces, landings } = lister;
  moves[at + FROM] = from;
  moves[at + TO] = to;
  moves[at + LEAVES] = lister.leaving;
  moves[at + ARRIVES] = geometry.crowningSeat[to] === seat ? lister.piece | KING : lister.piece;
  moves[at + CAPTURED] = captured;
  for (let n = 0; n < captured; n += 1) {
    moves[at + CAPTURED_SQUARES + n] = jumpedSquares[n]!;
    moves[at + CAPTURED_PIECES + n] = jumpedPieces[n]!;
    moves[at + LANDINGS + n] = landings[n]!;
  }
}
