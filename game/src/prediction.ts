/** A tick game on the player's side: what prediction needs, and what it returns. */

import type { TickRules } from './game.ts';

/** The part of a game's rules that prediction needs. */
export interface PredictedRules<State> {
  /** Without `hash`, a state that differs from the server's goes unnoticed. */
  readonly ticks: Pick<TickRules<State>, 'ticksPerSecond' | 'step' | 'tickOf'> &
    Partial<Pick<TickRules<State>, 'hash'>>;
}

/** Builds the state from a view that shows all of it; `tick` is the next tick. */
export type StateOf<State> = (view: unknown, tick: number) => State;

export interface Prediction<State> {
  /**
   * Plays the due ticks with the current input, and sends what is to be sent. Call it for every
   * animation frame. Returns the state to draw; null before the first has arrived.
   */
  frame(mask: number): State | null;
  /**
   * The last state confirmed by the server, never a predicted one. Null before the first has
   * arrived, like the next.
   */
  readonly confirmed: State | null;
  readonly stats: PredictionStats | null;
  /** Time until play continues, ms: 0 while it runs, null while unknown (a player is missing). */
  readonly resumesInMs: number | null;
  stop(): void;
}

/** How good the predictions were. */
export interface PredictionStats {
  /** How often a prediction was wrong, and for how many ticks at most. */
  readonly rollbacks: number;
  readonly deepest: number;
  /** How often one was wrong for so long that players see it; not counted in `rollbacks` or `deepest`. */
  readonly jumps: number;
  /** Total number of ticks played again. */
  readonly replayed: number;
  /** How often the game waited because the server had sent nothing for too long. */
  readonly waits: number;
  /** How often the whole state was requested again, and how often because a hash differed. */
  readonly resyncs: number;
  readonly desyncs: number;
  /** The player's inputs that the server did not use as sent, because they came too late. */
  readonly refused: number;
}
