/** How well a machine plays a game, and the one interface behind which all of them choose. */

import type { Json, Seat } from './game.ts';
import type { Random } from './random.ts';

/** From what a child can beat to what nobody beats; where a game is not solved, `perfect` is `hard`. */
export const BOT_LEVELS = ['easy', 'medium', 'hard', 'perfect'] as const;
export type BotLevel = (typeof BOT_LEVELS)[number];

/** Positions a level may look at: a solver sees about six million of connect four in a second. */
export const NODES_MAX: Readonly<Record<BotLevel, number>> = {
  easy: 10_000,
  medium: 50_000,
  hard: 600_000,
  perfect: 12_000_000,
};

/** A position in which a seat is to move. A mind looks at what that seat may see, and no further. */
export interface Question<State> {
  readonly state: State;
  readonly seat: Seat;
  readonly level: BotLevel;
  /**
   * Positions that may be looked at: the whole budget, as a mind has no clock. It answers with the
   * best it has found by then.
   */
  readonly nodesMax: number;
}

/** Somebody who plays one game, with a memory of their own. Not to be shared between threads. */
export interface Mind<State, Action> {
  /** A legal action. `random` is the bot's own chance and never the match's (rule S9). */
  choose(question: Question<State>, random: Random): Action;
}

export interface Bot<State, Action> {
  makeMind(): Mind<State, Action>;
}

/** A bot whose types are its game's own business. */
export type AnyBot = Bot<Json, Json>;
export type AnyMind = Mind<Json, Json>;

/** One of the values, all equally likely. Throws when there is none. */
export function pickOne<T>(values: readonly T[], random: Random): T {
  return values[random.integer(values.length)] as T;
}

/** True in `percent` of 100 cases. */
export function happens(percent: number, random: Random): boolean {
  return random.integer(100) < percent;
}
