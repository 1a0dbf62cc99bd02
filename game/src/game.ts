/** The one interface behind which all games stand: plain functions over plain data. */

import type { Random } from './random.ts';

/** A game's name in paths, logs and requests: 2 to 32 lower-case letters, digits and hyphens, e.g. `connect4`. */
export type GameId = string;

/** Seats of a game at most. */
export const SEATS_MAX = 16;

/** Index of a seat in a session, counted from 0 in the order in which seats were taken. */
export type Seat = number;

/** Values that survive JSON unchanged: what states, actions and views are made of. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };

/** One option of a game: how it is spelled, what it may be, what it is when nobody asks. */
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

/** How many may sit at a game. */
export interface SeatRange {
  readonly min: number;
  readonly max: number;
}

/** What a game is set up with. All of it is checked before an engine sees it. */
export interface Setup {
  readonly variant: string;
  /** How many seats take part. */
  readonly seats: number;
  /** Every option of the game's `options`, defaults filled in. A match from before an option was added lacks that one. */
  readonly options: Options;
}

/** How a game came out. Seats not in `winners` lost, unless `winners` is empty: then it is drawn. */
export interface Outcome {
  readonly winners: readonly Seat[];
  /** Place of each seat, 1 for the first; equal places are shared. Indexed by seat. */
  readonly places: readonly number[];
  /** The game's own word for the end, e.g. `three_in_a_row`. snake_case, closed list per game. */
  readonly reason: string;
  /** What the result shows beside the reason, e.g. `{ line: [0, 1, 2] }`. */
  readonly detail: { readonly [key: string]: Json };
  /** Points by seat, for games that count them. They are shown; winners and places are what counts. */
  readonly scores?: readonly number[];
}

/** Why an action was refused. The state is as it was. */
export interface Refusal {
  readonly code: 'not_your_turn' | 'illegal_move' | 'ambiguous_move';
  /** One sentence for the developer, naming what was wrong. */
  readonly error: string;
}

/** Something worth telling the tenant beyond the move itself, e.g. `checkers.crowned`. */
export interface GameEvent {
  readonly type: string;
  readonly data: { readonly [key: string]: Json };
}

export interface Applied<State> {
  readonly state: State;
  readonly events: readonly GameEvent[];
}

/**
 * What a game has that runs by the clock. Its `turn` is null, it has no actions, and its state
 * changes by `step` alone. The same function runs on the server, which decides, and in the browser,
 * which predicts.
 */
export interface TickRules<State> {
  readonly ticksPerSecond: number;
  /** What a seat holds down is an integer of 0 to this. */
  readonly maskMax: number;
  /** The state a tick later; `masks` are by seat. A game that is over stays as it is. Total. */
  step(state: State, masks: readonly number[]): State;
  /** How many ticks have been played. */
  tickOf(state: State): number;
  /** A short hash of all that is in the state: 8 hex digits. */
  hash(state: State): string;
  /** What is to be told of the ticks that lead from one state to another. */
  eventsOf(before: State, after: State): readonly GameEvent[];
}

/**
 * A game. Every function is pure and total over valid states; none changes its arguments.
 * `State` and `Action` are JSON values: a state can be hashed, an action is its own wire form.
 */
export interface Game<State, Action> {
  readonly id: GameId;
  /** Raised whenever the same inputs would give another game; replays carry it. */
  readonly rulesVersion: number;
  readonly seats: { readonly min: number; readonly max: number; readonly default: number };
  /** How many seats a variant takes, where that is not what the game takes. */
  readonly variantSeats?: Readonly<Record<string, SeatRange>>;
  /** The rule sets; the first is the default. */
  readonly variants: readonly [string, ...string[]];
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Time for a turn when the session names none, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** May players offer each other a draw? */
  readonly drawOffers: boolean;
  /**
   * True when all see the same: `view` does not look at its seat, and everybody is shown every action and
   * what is legal. So frames are made once for all. Without it a game needs `imagine`.
   */
  readonly openInformation: boolean;
  /**
   * Only of a game that runs by the clock (decision 0016): then `turn` is null throughout, there is
   * no action, and what seats hold down comes by ticks.
   */
  readonly ticks?: TickRules<State>;

  /** The position before the start, which pending sessions show. Takes no chance. */
  initial(setup: Setup): State;
  /** The position at the start, for games that deal cards or draw lots before the first action. */
  deal?(state: State, random: Random): Applied<State>;
  /** The seat to move; null when the game is over or nobody moves alone. */
  turn(state: State): Seat | null;
  /**
   * The seats that may act now, in any order, for games in which several act at the same time: then `turn` is
   * null throughout, and there are no clocks. Empty once it is over. Whoever has acted leaves the list until
   * the others have, too: they have what is left of the same time for it.
   */
  acting?(state: State): readonly Seat[];
  /** The validating door for untrusted input: the action, or null when its shape is wrong. */
  parseAction(input: unknown): Action | null;
  /** Says of input that `parseAction` refuses which field is wrong, and what it has to be. */
  actionFault?(input: unknown): string | null;
  /**
   * What whoever is to act may do; null where that is not finite. Empty once it is over. `seat` is given where
   * several may act at once, and is one of them.
   */
  legalActions(state: State, seat?: Seat): readonly Action[] | null;
  /** The next state, or why not. Legality is membership in `legalActions` where that is finite. */
  apply(state: State, seat: Seat, action: Action, random: Random): Applied<State> | Refusal;
  /** What a seat may see; null is a watcher, who sees what is open to all. */
  view(state: State, seat: Seat | null): Json;
  /**
   * What `viewer` is shown of an action that `seat` made in `state`. Without it everybody is shown all
   * of it where information is open, and nobody but the seat itself (others see null) where it is not.
   */
  showAction?(state: State, seat: Seat, action: Action, viewer: Seat | null): Json;
  /**
   * A state that looks the same to `viewer`, with all that they cannot see drawn again. Bots think about such
   * a state and never about the true one, and the contract suite finds by it what a view gives away.
   */
  imagine?(state: State, viewer: Seat | null, random: Random): State;
  /** How it came out, or null while it goes on. */
  outcome(state: State): Outcome | null;
  /**
   * The game's own answer to a missed turn, for games in which a seat may miss one and play on.
   * Without it, and when it answers null, the seat forfeits.
   */
  missTurn?(state: State, seat: Seat, random: Random): Applied<State> | null;
  /**
   * How long this turn may take, in ms, where a session gives each turn `turnTimeoutMs`. A phase may be
   * shorter or longer than others; without it all are the same.
   */
  turnLimitMs?(state: State, turnTimeoutMs: number): number;
  /** Is a seat that has just missed a turn lost by it, although the turn was played for it? */
  hasMissedOut?(state: State, seat: Seat): boolean;
  /**
   * The game after a seat has gone, for games in which others play on. Without it the seat's
   * opponent wins.
   */
  forfeit?(state: State, seat: Seat): State;
  /**
   * Has the seat nothing to do any more while others play on, because it was eliminated or is home? Its
   * player may leave at no cost.
   */
  isOut?(state: State, seat: Seat): boolean;
  /**
   * Is it certain who has won, while others play on for their places? Such a match is not aborted
   * when all have gone: everybody's absence ends by itself, and the game comes out.
   */
  hasWinner?(state: State): boolean;
  /**
   * How long a game of that setup is played, in ms from the match's start; null as long as it takes.
   * The match keeps the time: a game has no clock. Comes with `timeUp`.
   */
  timeLimitMs?(setup: Setup): number | null;
  /** How a game that goes on has come out now that its time is up. */
  timeUp?(state: State): Outcome;
  /** The action as the game's players write it down, e.g. `11-15`. */
  makeNotation(state: State, action: Action): string;
  /** Reads one written action; null when it is none or not legal here. `seat` as for `legalActions`. */
  parseNotation(state: State, text: string, seat?: Seat): Action | null;
}

/** A game whose types are its own business: what the match, the log and the wire work with. */
export type AnyGame = Game<Json, Json>;

/** Whoever is to act: one seat, several at the same time, or nobody. */
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

/** How many seats one of the game's variants takes. */
export function seatRangeOf(
  { seats, variantSeats }: Pick<AnyGame, 'seats' | 'variantSeats'>,
  variant: string,
): SeatRange {
  return variantSeats?.[variant] ?? seats;
}

export function isRefusal(value: object): value is Refusal {
  return 'code' in value;
}
