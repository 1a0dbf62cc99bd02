/** The moves of a match as this page has seen them, and the position after each. Pure. */

import { fieldOf } from '../field.ts';
import type { MissedMove } from '../missed-moves.ts';
import type { Seat, ServerFrame, SessionView } from '../protocol.ts';
import { isMove } from '../protocol.ts';

/** One move. Its positions are those the server showed to this player, so hidden information stays hidden. */
export interface PlayedMove {
  readonly seat: Seat;
  readonly action: unknown;
  /** The position before and after it; null if this page has not seen it. */
  readonly before: SessionView | null;
  readonly after: SessionView | null;
}

export interface History {
  /** The position before the first move; null if the page was opened later. */
  readonly start: SessionView | null;
  readonly moves: readonly PlayedMove[];
}

export const NO_MOVES: History = { start: null, moves: [] };

/** More moves than any match of the service's own games is likely to have. The oldest are dropped first. */
const MOVES_MAX = 600;

export interface Step {
  readonly before: SessionView | null;
  readonly session: SessionView;
  readonly cause: ServerFrame;
  /** For a board that can derive the moves from one position to a later one. */
  readonly missedMoves?: (before: SessionView, after: SessionView) => readonly MissedMove[];
}

/** The history after a frame; the same object if the frame shows no move. */
export function historyAfter(history: History, step: Step): History {
  const { before, session, cause } = step;
  const begun = startOf(history, before, session);
  if (cause.t === 'update' && isOfGame(cause.action)) {
    const { seat, action } = cause;
    return append(begun, [{ seat, action, before, after: session }]);
  }
  return cause.t === 'state' ? append(begun, movesIn(begun, step)) : begun;
}

/** The position before the first move starts a history; a page that was opened later has none. */
function startOf(history: History, before: SessionView | null, session: SessionView): History {
  const isFresh = before === null || before.status === 'pending';
  const isFirst = session.status === 'active' && isFresh && session.lastMove === null;
  if (history.start !== null || history.moves.length > 0 || !isFirst) return history;
  return { ...history, start: session };
}

/** The moves that a whole state implies since the last one. */
function movesIn(history: History, { before, session, missedMoves }: Step): readonly PlayedMove[] {
  const { lastMove } = session;
  if (before === null) {
    const isKnown = history.moves.length > 0 || lastMove === null || !isOfGame(lastMove.action);
    return isKnown ? [] : [{ ...lastMove, before: null, after: session }];
  }
  const missed = missedMoves?.(before, session) ?? [];
  return missed.map((move, n) => ({
    seat: move.seat,
    action: move.action,
    before: move.before,
    after: n === missed.length - 1 ? session : null,
  }));
}

function append(history: History, made: readonly PlayedMove[]): History {
  if (made.length === 0) return history;
  const moves = [...history.moves, ...made];
  const tooMany = moves.length - MOVES_MAX;
  return tooMany > 0 ? { start: null, moves: moves.slice(tooMany) } : { ...history, moves };
}

/** A move, or a turn that was played automatically; not a draw offer and the like. */
function isOfGame(action: unknown): boolean {
  return isMove(action) || fieldOf(action, 'missed') !== undefined;
}
