/** A position for a board without actions; the page adds those of its own player. Pure. */

import type { Seat, SessionView } from '../protocol.ts';
import type { BoardState } from './board-view.ts';

export function watchedStateOf(session: SessionView, nearest: Seat): BoardState {
  return {
    view: session.view,
    variant: session.variant,
    seats: session.seats,
    legal: session.legal,
    turn: session.turn,
    acting: session.acting,
    seat: null,
    nearest,
    canMove: false,
    sending: null,
    lastMove: session.lastMove,
    refusal: null,
    result: session.result,
  };
}
