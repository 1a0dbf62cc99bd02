/** What a game's board is to the page: mounted once, shown each position, asks for moves. */

import type { Translate } from '../i18n/translate.ts';
import type { ResultFrame, Seat } from '../protocol.ts';

/** A position as the board is to show it. */
export interface BoardState {
  /** The server's view of the game; its form is the game's own. */
  readonly view: unknown;
  /** The legal actions of the seat to move; null where they are not finite. */
  readonly legal: readonly unknown[] | null;
  readonly turn: Seat | null;
  /** The player's own seat; null for watchers. */
  readonly seat: Seat | null;
  /** May the player move now? */
  readonly canMove: boolean;
  /** The player's action that is on its way to the server. */
  readonly sending: unknown;
  readonly lastMove: { readonly v: number; readonly seat: Seat; readonly action: unknown } | null;
  readonly result: ResultFrame | null;
}

/** What a board may ask of the page. */
export interface BoardHost {
  readonly t: Translate;
  /** The player wants this action. The board shows it only once the server says so. */
  play(action: unknown): void;
}

export interface BoardView {
  readonly element: Element;
  render(state: BoardState): void;
  /** Puts the keyboard on the board. */
  focus(): void;
}

/** A game on screen: one chunk each, loaded when a session is of that game. */
export interface BoardModule {
  makeBoard(host: BoardHost): BoardView;
  /** A seat's piece as a picture, and in words. */
  makePiece(seat: Seat): SVGSVGElement;
  pieceName(seat: Seat, t: Translate): string;
  /** An action in words, for those who hear the board. */
  describeMove(action: unknown, seat: Seat, name: string, t: Translate): string;
}
