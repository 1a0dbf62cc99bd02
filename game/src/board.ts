/**
 * A game's own board on the players' page: what the page asks of it, and what it may ask of the page. A board is an
 * ES module that exports `makeBoard`, and of the rest of `BoardModule` whatever it needs.
 */

import type { Seat } from './game.ts';
import type { PredictedRules, Prediction, StateOf } from './prediction.ts';

export type { PredictedRules, Prediction, PredictionStats, StateOf } from './prediction.ts';

/** A position as the board is to show it. */
export interface BoardState<View = unknown, Action = unknown> {
  /** What the player may see of the game: the `view` of its rules. */
  readonly view: View;
  readonly variant: string;
  /** How many seats there are. */
  readonly seats: number;
  /** The actions that may be made now; null where they are not finite. The seat's own where information is hidden. */
  readonly legal: readonly Action[] | null;
  /** The seat to move; null when no seat moves alone. */
  readonly turn: Seat | null;
  /** The seats that may act now: the one to move, or several at the same time. */
  readonly acting: readonly Seat[];
  /** The player's own seat; null for watchers and in replays. */
  readonly seat: Seat | null;
  /** Whose side is nearest: the player's own, the first for watchers. */
  readonly nearest: Seat;
  /** May the player act now? */
  readonly canMove: boolean;
  /** The player's action that is on its way to the server; null when none is. */
  readonly sending: Action | null;
  /** The last action; its `action` is null where the player may not see it. */
  readonly lastMove: {
    readonly v: number;
    readonly seat: Seat;
    readonly action: Action | null;
  } | null;
  /** What the server said of an action that it refused, in English; null once the position changes. */
  readonly refusal: string | null;
  readonly result: BoardResult | null;
}

/** How the match came out. Beside these stands what the game adds, as the `detail` of its outcome. */
export interface BoardResult {
  readonly reason: string;
  /** The one winner's player id; null when nobody or more than one has won. */
  readonly winner: string | null;
  readonly winners: readonly (string | null)[];
  readonly placements: readonly {
    readonly playerId: string | null;
    readonly seat: Seat;
    readonly isBot: boolean;
    /** 1 for the first; equal places are shared. */
    readonly place: number;
    readonly score?: number | undefined;
  }[];
  readonly durationMs: number;
  readonly moveCount: number;
  readonly [detail: string]: unknown;
}

/** Sentences of the game's `strings.json`, in the player's language. */
export interface BoardText {
  /** The text of a key, with `{name}` and its like filled in; the key itself, as words, where there is none. */
  (key: string, params?: Readonly<Record<string, string | number>>): string;
  /** The language's tag, e.g. `de`. */
  readonly language: string;
}

/** What can be heard. */
export type BoardSound =
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

/** What a board may ask of the page. */
export interface BoardHost {
  readonly t: BoardText;
  /** The player wants this action. The board shows it only once the server says so. */
  play(action: unknown): void;
  /** Tells players who hear the board what has changed under their hands. */
  say(text: string): void;
  /** Plays a sound, as loud as 0 to 1. */
  sound(cue: BoardSound, loudness?: number): void;
  /** How fast what moves is shown: 1 in a match; in a replay as was chosen, 0 while it is held. */
  pace(): number;
  /** The name of a seat's player. */
  nameOf(seat: Seat): string;
  /**
   * Makes the cells of a grid, row by row, one tab stop: arrow keys walk over them, and Enter, Space and a tap press
   * one. They have no other way to be reached by the keyboard.
   */
  walk(
    cells: readonly (HTMLElement | SVGElement)[],
    columns: number,
    press: (index: number) => void,
  ): void;
  /**
   * The player tried what cannot be done: the page says why, in `why`, and shakes the board. Out of turn it says that
   * instead. Absent where a replay is shown.
   */
  refuse?(why?: string): void;
  /** Adds a style sheet, once for each text. The page's policy refuses `<style>` and `style="…"`. */
  style(css: string): void;
  /** The match itself, for a game that runs by the clock; absent where a replay is shown. */
  readonly live?: LiveMatch;
}

/** What a game that runs by the clock needs of its match beside what every board is shown. */
export interface LiveMatch {
  /**
   * Plays the game's ticks ahead of the server, by the game's own rules, and sends what the player holds down.
   * Without `stateOf` the view is the state.
   */
  predict<State>(rules: PredictedRules<State>, stateOf?: StateOf<State>): Prediction<State>;
  /** There and back, ms; null before the first ping. */
  roundTripMs(): number | null;
  /** The other player who has lost the connection. */
  awaySeat(): Seat | null;
}

/** An action with what it led to, for putting it into words. */
export interface ShownMove {
  /** The view before it, as far as it was seen, and after it. */
  readonly before: unknown;
  readonly view: unknown;
  readonly variant: string;
  /** A player's name as one says it to the player who looks. */
  nameOf(seat: Seat): string;
}

export interface BoardView<View = unknown, Action = unknown> {
  readonly element: Element;
  /** Shows a position. Called with every change, and with some that change nothing for the board. */
  render(state: BoardState<View, Action>): void;
}

/** What the module exports. */
export interface BoardModule<View = unknown, Action = unknown> {
  makeBoard(host: BoardHost): BoardView<View, Action>;
  /** Does the board take all the room there is? Without it, it is the largest square that fits. */
  readonly fillsRoom?: boolean;
  /** A seat's piece as a picture, for its plate. */
  makePiece?(seat: Seat): SVGSVGElement;
  /** The same in words. */
  pieceName?(seat: Seat, t: BoardText): string;
  /**
   * An action in words, for players who hear the board; null leaves that to the page. `action` is null where it may
   * not be seen.
   */
  describeMove?(
    action: Action | null,
    seat: Seat,
    name: string,
    t: BoardText,
    shown: ShownMove,
  ): string | null;
  /** How long the way to a view is shown, ms; without it, it is short. */
  showingMs?(view: View): number;
  /** What the seat to move has to do, where "your turn" leaves that open; null where it does not. */
  hint?(
    position: Pick<BoardState<View, Action>, 'view' | 'variant' | 'legal'>,
    t: BoardText,
  ): string | null;
  /** What else there is to say of a seat, on its plate; null for nothing. */
  note?(view: View, seat: Seat, t: BoardText): string | null;
}
