/** Bot levels, and the one interface of all bots. */

import type { Json, Seat } from './game.ts';
import type { Random } from './random.ts';

/** From one that a child can beat to one that nobody beats; for unsolved games, `perfect` is `hard`. */
export const BOT_LEVELS = ['easy', 'medium', 'hard', 'perfect'] as const;
export type BotLevel = (typeof BOT_LEVELS)[number];

/** Positions that a level may examine: a connect four solver examines about six million per second. */
export const NODES_MAX: Readonly<Record<BotLevel, number>> = {
  easy: 10_000,
  medium: 50_000,
  hard: 600_000,
  perfect: 12_000_000,
};

/** A position in which a seat is to move. A mind uses only what that seat may see. */
export interface Question<State> {
  readonly state: State;
  readonly seat: Seat;
  readonly level: BotLevel;
  /**
   * How many positions may be examined: the whole budget, because a mind has no clock. It returns
   * the best action found by then.
   */
  readonly nodesMax: number;
}

/** A player of one game, with its own memory. Not to be shared between threads. */
export interface Mind<State, Action> {
  /** A legal action. `random` is the bot's own and never the match's (rule S9). */
  choose(question: Question<State>, random: Random): Action;
}

export interface Bot<State, Action> {
  makeMind(): Mind<State, Action>;
}

/** A bot of any game. */
export type AnyBot = Bot<Json, Json>;
export type AnyMind = Mind<Json, Json>;

/** One of the values, all equally likely. Throws if there is none. */
export function pickOne<T>(values: readonly T[], random: Random): T {
  return values[random.integer(values.length)] as T;
}

/** True with a probability of `percent`. */
export function happens(percent: number, random: Random): boolean {
  return random.integer(100) < percent;
}
