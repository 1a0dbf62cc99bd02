/** What a game's board is to the page: mounted once, shown each position, asks for moves. */

import type { Translate } from '../i18n/translate.ts';
import type { Fight, ResultFrame, Seat } from '../protocol.ts';

/** A position as the board is to show it. */
export interface BoardState {
  /** The server's view of the game; its form is the game's own. */
  readonly view: unknown;
  readonly variant: string;
  /** How many seats there are. */
  readonly seats: number;
  /** The legal actions of the seat to move; null where they are not finite. */
  readonly legal: readonly unknown[] | null;
  readonly turn: Seat | null;
  /** The player's own seat; null for watchers. */
  readonly seat: Seat | null;
  /** Whose side is nearest: the player's own, the first for watchers. */
  readonly nearest: Seat;
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
  /** Tells those who hear the board what has changed under their hands. */
  say(text: string): void;
  /** Lets a sound be heard, as loud as 0 to 1. */
  sound(cue: SoundCue, loudness?: number): void;
  /** How fast what moves is shown: 1 in a match; in a replay as was chosen, 0 while it is held. */
  pace(): number;
  /** A seat's player as he is called. */
  nameOf(seat: Seat): string;
  /** The match itself, for a game that runs by the clock; absent where a replay is shown. */
  readonly live?: LiveMatch;
}

/** What a game that runs by the clock needs of its match beside what every board is shown. */
export interface LiveMatch {
  /** The player's own side of it. Rejects when its part of the SDK cannot be fetched. */
  fight(): Promise<Fight>;
  /** There and back, ms; null before the first ping. */
  roundTripMs(): number | null;
  /** The other player who has lost the connection. */
  awaySeat(): Seat | null;
}

/** What can be heard: of the boards, and of the page itself. */
export type SoundCue =
  | 'place'
  | 'take'
  | 'crown'
  | 'roll'
  | 'hop'
  | 'home'
  | 'ball'
  | 'cushion'
  | 'pocket'
  | 'strike'
  | 'swing'
  | 'swingHeavy'
  | 'hit'
  | 'hitHeavy'
  | 'block'
  | 'throw'
  | 'charge'
  | 'bolt'
  | 'jump'
  | 'land'
  | 'fall'
  | 'gong'
  | 'ko'
  | 'turn'
  | 'won'
  | 'lost'
  | 'over';

/** A move with what it led to, for putting it into words. */
export interface ShownMove {
  /** The view before it, as far as it was seen, and after it. */
  readonly before: unknown;
  readonly view: unknown;
  readonly variant: string;
  /** A player as one says it to whoever looks. */
  nameOf(seat: Seat): string;
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
  describeMove(action: unknown, seat: Seat, name: string, t: Translate, shown: ShownMove): string;
  /** How long the way to a view is shown, ms; where that is not said it is short. */
  showingMs?(view: unknown): number;
  /** What the seat to move has to do, where "your turn" leaves that open; null where it does not. */
  hint?(position: Pick<BoardState, 'view' | 'variant' | 'legal'>, t: Translate): string | null;
  /** What else there is to say of a seat, on its plate; null for nothing. */
  note?(view: unknown, seat: Seat, t: Translate): string | null;
}
