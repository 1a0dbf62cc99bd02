/** A position of the past as a board is shown it: nobody can do anything with it. Pure. */

import type { BoardState } from '../games/board-view.ts';
import type { SessionView } from '../protocol.ts';

export function stateOf(session: SessionView): BoardState {
  return {
    view: session.view,
    variant: session.variant,
    seats: session.seats,
    legal: session.legal,
    turn: session.turn,
    acting: session.acting,
    seat: null,
    nearest: session.seat ?? 0,
    canMove: false,
    sending: null,
    lastMove: session.lastMove,
    refusal: null,
    result: session.result,
  };
}
