/** A game that runs by the clock on the player's side: what it takes to predict it, and what that gives. */

import type { TickRules } from './game.ts';

/** As much of a game's rules as prediction takes. */
export interface PredictedRules<State> {
  /** Without `hash` nobody notices that a state is another one than the server's. */
  readonly ticks: Pick<TickRules<State>, 'ticksPerSecond' | 'step' | 'tickOf'> &
    Partial<Pick<TickRules<State>, 'hash'>>;
}

/** Makes the state of a view that shows all of it; `tick` is the one that comes next. */
export type StateOf<State> = (view: unknown, tick: number) => State;

export interface Prediction<State> {
  /**
   * Plays the ticks that are due with what is held down now, and sends what is to be sent. To be called with every
   * picture. Returns the state to draw; null before the first has come.
   */
  frame(mask: number): State | null;
  /** The last state that the server has told, never a guess. Null before the first has come, as the next. */
  readonly confirmed: State | null;
  readonly stats: PredictionStats | null;
  /** Until play goes on, ms: 0 while it runs, null while nobody knows (somebody is missing). */
  readonly resumesInMs: number | null;
  stop(): void;
}

/** How well the guesses were. */
export interface PredictionStats {
  /** How often a guess was wrong, and for how many ticks at most. */
  readonly rollbacks: number;
  readonly deepest: number;
  /** How often one was wrong for so long that players see it; not in `rollbacks` or `deepest`. */
  readonly jumps: number;
  /** Ticks played again in all. */
  readonly replayed: number;
  /** How often the game waited because the server had told nothing for too long. */
  readonly waits: number;
  /** How often the whole state was asked for again, and how often of these because a hash differed. */
  readonly resyncs: number;
  readonly desyncs: number;
  /** Own masks that the server did not use as they were sent: they came too late. */
  readonly refused: number;
}
