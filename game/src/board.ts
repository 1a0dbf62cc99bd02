/**
 * The interface between a game's own board and the players' page. A board is an ES module that
 * exports `makeBoard`, and any other members of `BoardModule` that it needs.
 */

import type { Seat } from './game.ts';
import type { PredictedRules, Prediction, StateOf } from './prediction.ts';

export type { PredictedRules, Prediction, PredictionStats, StateOf } from './prediction.ts';

/** A position for the board to show. */
export interface BoardState<View = unknown, Action = unknown> {
  /** What the player may see of the game: the `view` of its rules. */
  readonly view: View;
  readonly variant: string;
  /** How many seats there are. */
  readonly seats: number;
  /** The actions that are legal now; null if they are not finite. With hidden information, the seat's own. */
  readonly legal: readonly Action[] | null;
  /** The seat to move; null when no seat moves alone. */
  readonly turn: Seat | null;
  /** The seats that may act now: the one to move, or several at the same time. */
  readonly acting: readonly Seat[];
  /** The player's own seat; null for watchers and in replays. */
  readonly seat: Seat | null;
  /** The seat whose side is nearest: the player's own, the first for watchers. */
  readonly nearest: Seat;
  /** Whether the player may act now. */
  readonly canMove: boolean;
  /** The player's action that is being sent; null if none is. */
  readonly sending: Action | null;
  /** The last action; its `action` is null if the player may not see it. */
  readonly lastMove: {
    readonly v: number;
    readonly seat: Seat;
    readonly action: Action | null;
  } | null;
  /** The server's error for a refused action, in English; null once the position changes. */
  readonly refusal: string | null;
  readonly result: BoardResult | null;
}

/** The result of the match. The game adds its own fields, from the `detail` of its outcome. */
export interface BoardResult {
  readonly reason: string;
  /** The one winner's player id; null if nobody or more than one has won. */
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
  /** The text of a key, with `{name}` and the like filled in; the key itself if it has no text. */
  (key: string, params?: Readonly<Record<string, string | number>>): string;
  /** The language's tag, e.g. `de`. */
  readonly language: string;
}

/** The sounds. */
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

/** What a board may ask the page to do. */
export interface BoardHost {
  readonly t: BoardText;
  /** The player wants this action. The board shows it only after the server has confirmed it. */
  play(action: unknown): void;
  /** Announces a change to players who use a screen reader. */
  say(text: string): void;
  /** Plays a sound with a loudness of 0 to 1. */
  sound(cue: BoardSound, loudness?: number): void;
  /** The speed of animations: 1 in a match; in a replay the chosen speed, 0 while it is paused. */
  pace(): number;
  /** The name of a seat's player. */
  nameOf(seat: Seat): string;
  /**
   * Makes the cells of a grid, row by row, one tab stop: arrow keys move between them, and Enter,
   * Space and a tap press one. The keyboard reaches them in no other way.
   */
  walk(
    cells: readonly (HTMLElement | SVGElement)[],
    columns: number,
    press: (index: number) => void,
  ): void;
  /**
   * The player tried something illegal: the page shows `why` and shakes the board. Out of turn it
   * says that instead. Absent in replays.
   */
  refuse?(why?: string): void;
  /** Adds a style sheet, once per text. The page's policy refuses `<style>` and `style="…"`. */
  style(css: string): void;
  /** The running match of a tick game; absent in replays. */
  readonly live?: LiveMatch;
}

/** What a tick game needs of its match in addition to other boards. */
export interface LiveMatch {
  /**
   * Plays the game's ticks ahead of the server, by the game's own rules, and sends the player's
   * input. Without `stateOf` the view is the state.
   */
  predict<State>(rules: PredictedRules<State>, stateOf?: StateOf<State>): Prediction<State>;
  /** Round-trip time in ms; null before the first ping. */
  roundTripMs(): number | null;
  /** The opponent who has lost the connection. */
  awaySeat(): Seat | null;
}

/** An action and its result, to be described in words. */
export interface ShownMove {
  /** The view before it, if it was seen, and after it. */
  readonly before: unknown;
  readonly view: unknown;
  readonly variant: string;
  /** A player's name as shown to this player. */
  nameOf(seat: Seat): string;
}

export interface BoardView<View = unknown, Action = unknown> {
  readonly element: Element;
  /** Shows a position. Called after every change, including some that do not concern the board. */
  render(state: BoardState<View, Action>): void;
}

/** The exports of the module. */
export interface BoardModule<View = unknown, Action = unknown> {
  makeBoard(host: BoardHost): BoardView<View, Action>;
  /** Whether the board uses all the space there is. Otherwise it is the largest square that fits. */
  readonly fillsRoom?: boolean;
  /** A seat's piece as a picture, for its plate. */
  makePiece?(seat: Seat): SVGSVGElement;
  /** The same in words. */
  pieceName?(seat: Seat, t: BoardText): string;
  /**
   * Describes an action for screen readers; null leaves that to the page. `action` is null if it
   * may not be seen.
   */
  describeMove?(
    action: Action | null,
    seat: Seat,
    name: string,
    t: BoardText,
    shown: ShownMove,
  ): string | null;
  /** How long the transition to a view takes, ms; short by default. */
  showingMs?(view: View): number;
  /** What the seat to move has to do, if "your turn" is not enough; null otherwise. */
  hint?(
    position: Pick<BoardState<View, Action>, 'view' | 'variant' | 'legal'>,
    t: BoardText,
  ): string | null;
  /** Further text about a seat, on its plate; null for none. */
  note?(view: View, seat: Seat, t: BoardText): string | null;
}
