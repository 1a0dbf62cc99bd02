/** The one interface of all games: pure functions on plain data. */

import type { Random } from './random.ts';

/** A game's name in paths, logs and requests: 2 to 32 lower-case letters, digits and hyphens, e.g. `connect4`. */
export type GameId = string;

/** The most seats of a game. */
export const SEATS_MAX = 16;

/** Index of a seat in a session, counted from 0 in the order in which seats were taken. */
export type Seat = number;

/** Values that survive JSON unchanged: states, actions and views consist of them. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** One option of a game: its name, its valid values, its default. */
export type OptionSpec =
  | {
      readonly kind: 'integer';
      readonly min: number;
      readonly max: number;
      readonly default: number;
    }
  | { readonly kind: 'boolean'; readonly default: boolean }
  | {
      readonly kind: 'choice';
      readonly values: readonly (string | boolean)[];
      readonly default: string | boolean;
    };

export type OptionValue = number | boolean | string;
export type Options = Readonly<Record<string, OptionValue>>;

/** How many seats a game may have. */
export interface SeatRange {
  readonly min: number;
  readonly max: number;
}

/** The setup of a game. It is validated before an engine sees it. */
export interface Setup {
  readonly variant: string;
  /** How many seats take part. */
  readonly seats: number;
  /**
   * Every option of the game's `options`, with defaults filled in. A match from before an option
   * was added lacks it.
   */
  readonly options: Options;
}

/** The result of a game. Seats not in `winners` lost, unless `winners` is empty: then it is drawn. */
export interface Outcome {
  readonly winners: readonly Seat[];
  /** Place of each seat, 1 for the first; equal places are shared. Indexed by seat. */
  readonly places: readonly number[];
  /** The game's own reason for the end, e.g. `three_in_a_row`. snake_case, a closed list per game. */
  readonly reason: string;
  /** What the result shows in addition to the reason, e.g. `{ line: [0, 1, 2] }`. */
  readonly detail: { readonly [key: string]: Json };
  /** Points by seat, for games that count them. For display only: winners and places decide. */
  readonly scores?: readonly number[];
}

/** Why an action was refused. The state is unchanged. */
export interface Refusal {
  readonly code: 'not_your_turn' | 'illegal_move' | 'ambiguous_move';
  /** One sentence for the developer that names what was wrong. */
  readonly error: string;
}

/** An event for the tenant beyond the move itself, e.g. `checkers.crowned`. */
export interface GameEvent {
  readonly type: string;
  readonly data: { readonly [key: string]: Json };
}

export interface Applied<State> {
  readonly state: State;
  readonly events: readonly GameEvent[];
}

/**
 * The rules of a tick game. Its `turn` is null, it has no actions, and only `step` changes its
 * state. The same function runs on the server, which decides, and in the browser, which predicts.
 */
export interface TickRules<State> {
  readonly ticksPerSecond: number;
  /** A seat's input is an integer from 0 to this. */
  readonly maskMax: number;
  /** The state one tick later; `masks` are by seat. A finished game does not change. Total. */
  step(state: State, masks: readonly number[]): State;
  /** How many ticks have been played. */
  tickOf(state: State): number;
  /** A short hash of the whole state: 8 hex digits. */
  hash(state: State): string;
  /** The events of the ticks that lead from one state to another. */
  eventsOf(before: State, after: State): readonly GameEvent[];
}

/**
 * A game. Every function is pure and total over valid states; none changes its arguments. `State`
 * and `Action` are JSON values: a state can be hashed, an action is its own wire form.
 */
export interface Game<State, Action> {
  readonly id: GameId;
  /** Raised whenever the same inputs would give another game; replays include it. */
  readonly rulesVersion: number;
  readonly seats: { readonly min: number; readonly max: number; readonly default: number };
  /** The seat range of a variant, if it differs from the game's. */
  readonly variantSeats?: Readonly<Record<string, SeatRange>>;
  /** The rule sets; the first is the default. */
  readonly variants: readonly [string, ...string[]];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** The default turn limit, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** Whether players may offer each other a draw. */
  readonly drawOffers: boolean;
  /**
   * True if everybody sees the same: `view` ignores its seat, and everybody sees every action and
   * what is legal. Then frames are made once for all viewers. Otherwise a game needs `imagine`.
   */
  readonly openInformation: boolean;
  /**
   * Only for tick games (decision 0016): then `turn` is always null, there are no actions, and
   * seats send inputs by ticks.
   */
  readonly ticks?: TickRules<State>;

  /** The position before the start, which pending sessions show. Uses no random numbers. */
  initial(setup: Setup): State;
  /** The opening position, for games that deal cards or draw lots before the first action. */
  deal?(state: State, random: Random): Applied<State>;
  /** The seat to move; null if the game is over or nobody moves alone. */
  turn(state: State): Seat | null;
  /**
   * The seats that may act now, in any order, for games in which several act at the same time: then
   * `turn` is always null, and there are no clocks. Empty after the end. A seat that has acted is
   * not listed until the others have acted, too; they have the rest of the same time limit.
   */
  acting?(state: State): readonly Seat[];
  /** Validates untrusted input: the action, or null if its shape is wrong. */
  parseAction(input: unknown): Action | null;
  /** For input that `parseAction` refuses: which field is wrong, and its valid values. */
  actionFault?(input: unknown): string | null;
  /**
   * The legal actions; null if they are not finite. Empty after the end. `seat` is given if several
   * may act at once, and is one of them.
   */
  legalActions(state: State, seat?: Seat): readonly Action[] | null;
  /** The next state, or why not. If `legalActions` is finite, exactly its actions are legal. */
  apply(state: State, seat: Seat, action: Action, random: Random): Applied<State> | Refusal;
  /** What a seat may see; null is a watcher, who sees what is public. */
  view(state: State, seat: Seat | null): Json;
  /**
   * What `viewer` is shown of an action that `seat` made in `state`. Without it everybody sees all
   * of it with open information, and only the seat itself (others see null) otherwise.
   */
  showAction?(state: State, seat: Seat, action: Action, viewer: Seat | null): Json;
  /**
   * A state that looks the same to `viewer`, with everything hidden from them drawn again. Bots
   * think about such a state, never about the true one, and the contract suite uses it to find
   * leaks in views.
   */
  imagine?(state: State, viewer: Seat | null, random: Random): State;
  /** The result, or null while the game continues. */
  outcome(state: State): Outcome | null;
  /**
   * The game's own move for a missed turn, for games in which a seat may miss one and play on.
   * Without it, and if it returns null, the seat forfeits.
   */
  missTurn?(state: State, seat: Seat, random: Random): Applied<State> | null;
  /**
   * The limit of this turn, in ms, if the session's is `turnTimeoutMs`. A phase may be shorter or
   * longer; without it all are the same.
   */
  turnLimitMs?(state: State, turnTimeoutMs: number): number;
  /** Whether a seat that has just missed a turn is out, although the turn was played for it. */
  hasMissedOut?(state: State, seat: Seat): boolean;
  /** The game after a seat has left, for games in which the others play on. Without it the opponent wins. */
  forfeit?(state: State, seat: Seat): State;
  /**
   * Whether the seat has nothing to do any more while others play on, because it was eliminated or
   * has finished. Its player may leave at no cost.
   */
  isOut?(state: State, seat: Seat): boolean;
  /**
   * Whether the winner is certain while others play on for their places. Such a match is not
   * aborted when all have left: their absences end one by one, and the game gets its result.
   */
  hasWinner?(state: State): boolean;
  /**
   * The game's time limit for that setup, in ms from the match's start; null for none. The match
   * keeps the time: a game has no clock. Requires `timeUp`.
   */
  timeLimitMs?(setup: Setup): number | null;
  /** The result of an unfinished game when its time limit ends. */
  timeUp?(state: State): Outcome;
  /** The action in the game's usual notation, e.g. `11-15`. */
  makeNotation(state: State, action: Action): string;
  /** Parses one action in notation; null if it is none or not legal here. `seat` as for `legalActions`. */
  parseNotation(state: State, text: string, seat?: Seat): Action | null;
}

/** A game of any state and action type: the match, the log and the wire use it. */
export type AnyGame = Game<Json, Json>;

/** The seats to act: one, several at the same time, or none. */
export function actingSeats(game: AnyGame, state: Json): readonly Seat[] {
  if (game.acting !== undefined) return game.acting(state);
  const seat = game.turn(state);
  return seat === null ? [] : [seat];
}

/** What `viewer` is shown of an action made in `state`. */
export function shownAction(
  game: AnyGame,
  state: Json,
  made: { readonly seat: Seat; readonly action: Json },
  viewer: Seat | null,
): Json {
  const { seat, action } = made;
  if (game.showAction !== undefined) return game.showAction(state, seat, action, viewer);
  return game.openInformation || viewer === seat ? action : null;
}

/** The seat range of one of the game's variants. */
export function seatRangeOf(
  { seats, variantSeats }: Pick<AnyGame, 'seats' | 'variantSeats'>,
  variant: string,
): SeatRange {
  return variantSeats?.[variant] ?? seats;
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value;
}
