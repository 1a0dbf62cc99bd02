/** The positions up to the current one of a draughts search: repetitions, and counts of limits. */

import { PLIES_MAX } from '../deepening.ts';
import { HALVES, keyChange, keyOf, SEAT_KEY } from './key.ts';
import type { Remains } from './limits.ts';
import { countOn, LIMITED_PIECES_MAX } from './limits.ts';
import type { Lister } from './lister.ts';
import { ARRIVES, CAPTURED, KING, LEAVES } from './lister.ts';
import { remainsOn, setUp } from './position.ts';
import type { DraughtsState } from './state.ts';
import type { DraughtsRules } from './variant.ts';

/** Positions by their index in the line. A line begins where no earlier position can return. */
export interface Line {
  readonly rules: DraughtsRules;
  /** Both halves of the key at each index. */
  readonly keys: Int32Array;
  readonly otherKeys: Int32Array;
  /** The first index whose position could repeat at this one. */
  readonly starts: Int32Array;
  /** How many pieces there are, and which ones when so few are left that limits may apply. */
  readonly pieces: Int32Array;
  readonly remains: (Remains | null)[];
  /** The count of each limit, index by index. */
  readonly counts: Int32Array;
}

/** Has room for a whole past and a search. */
export function makeLine(rules: DraughtsRules): Line {
  const places = rules.quietPliesMax + PLIES_MAX + 2;
  return {
    rules,
    keys: new Int32Array(places),
    otherKeys: new Int32Array(places),
    starts: new Int32Array(places),
    pieces: new Int32Array(places),
    remains: Array(places).fill(null),
    counts: new Int32Array(places * rules.limits.length),
  };
}

/** Enters the positions of a game so far; the board then has the last of them. */
export function enterGame(line: Line, board: Lister, state: DraughtsState): void {
  const last = state.past.length;
  for (const [place, squares] of [...state.past, state.squares].entries()) {
    setUp(board, squares);
    enterBoard(line, board, place, (last - place) % 2 === 0 ? state.turn : 1 - state.turn);
  }
}

/** Enters a state that follows a game; returns its index. The board then has it. */
export function enterAfter(
  line: Line,
  board: Lister,
  game: DraughtsState,
  next: DraughtsState,
): number {
  const place = game.past.length + 1;
  setUp(board, next.squares);
  enterBoard(line, board, place, next.turn);
  line.starts[place] = next.past.length === 0 ? place : 0;
  const remains = remainsOn(board);
  line.pieces[place] = [...remains.men, ...remains.kings].reduce((sum, each) => sum + each);
  line.remains[place] = remains;
  line.counts.set(next.counts, place * line.rules.limits.length);
  return place;
}

function enterBoard(line: Line, board: Lister, place: number, seat: number): void {
  line.keys[place] = keyOf(board, HALVES[0]) ^ (seat * SEAT_KEY);
  line.otherKeys[place] = keyOf(board, HALVES[1]);
}

/** Enters the position after the one at an index, by the listed move that has just been made. */
export function enterNext(line: Line, board: Lister, place: number, at: number): void {
  const { moves } = board;
  const next = place + 1;
  const captured = moves[at + CAPTURED]!;
  const mayComeAgain = captured === 0 && (moves[at + LEAVES]! & KING) !== 0;
  line.keys[next] = line.keys[place]! ^ keyChange(board, at, HALVES[0]) ^ SEAT_KEY;
  line.otherKeys[next] = line.otherKeys[place]! ^ keyChange(board, at, HALVES[1]);
  line.starts[next] = mayComeAgain ? line.starts[place]! : next;
  line.pieces[next] = line.pieces[place]! - captured;
  if (line.pieces[next]! > LIMITED_PIECES_MAX) line.remains[next] = null;
  else countLimits(line, board, place, captured > 0, moves[at + LEAVES] !== moves[at + ARRIVES]);
}

function countLimits(
  { rules, remains, counts }: Line,
  board: Lister,
  place: number,
  isCapture: boolean,
  crowns: boolean,
): void {
  const { limits } = rules;
  const before = remains[place] ?? null;
  const after = remainsOn(board);
  remains[place + 1] = after;
  const done = { isCapture, crowns };
  for (let n = 0; n < limits.length; n += 1) {
    const counted = counts[place * limits.length + n]!;
    counts[(place + 1) * limits.length + n] =
      before === null ? 0 : countOn(limits[n]!, counted, before, after, done);
  }
}

/** Whether the position at this index occurred before, with the same seat to move. */
export function isRepeated({ keys, otherKeys, starts }: Line, place: number): boolean {
  // Two plies back each side has moved once: nothing can repeat.
  for (let back = place - 4; back >= starts[place]!; back -= 2) {
    if (keys[back] === keys[place] && otherKeys[back] === otherKeys[place]) return true;
  }
  return false;
}

/** Whether the game is drawn here for lack of progress. */
export function isTimeUp({ rules, starts, remains, counts }: Line, place: number): boolean {
  const { limits, quietPliesMax } = rules;
  if (place - starts[place]! >= quietPliesMax) return true;
  if (remains[place] === null) return false;
  for (let n = 0; n < limits.length; n += 1) {
    if (counts[place * limits.length + n]! >= limits[n]!.plies) return true;
  }
  return false;
}
