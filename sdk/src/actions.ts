/** A player's actions in each game, as sent to the server. */

import type { Game, KnownGame } from './generated/games.ts';

export interface TictactoeAction {
  /** The cell to mark, 0 to 8 in row order. */
  readonly position: number;
}

export interface Connect4Action {
  /** The column to drop a stone into, 0 to 6 from the left. */
  readonly column: number;
}

export interface CheckersAction {
  /** The cell of the piece that moves, in row order. */
  readonly from: number;
  /** The cell on which it ends. */
  readonly to: number;
  /** The intermediate cells, if two captures share both ends. */
  readonly path?: readonly number[];
}

/** Rolls the die, or moves that token, 0 to 3, by the last roll. */
export type LudoAction = { readonly roll: true } | { readonly token: number };

export interface PoolShot {
  readonly shot: {
    /** Direction from above, radians: 0 towards the foot, turning to the left. */
    readonly aim: number;
    /** Speed of the tip at impact, m/s. */
    readonly speed: number;
    /** Where the tip hits the ball: metres to the right of its centre, and above it. Default 0. */
    readonly side?: number;
    readonly follow?: number;
    /** Elevation of the cue, radians. Default 0. */
    readonly elevation?: number;
  };
  /** The called ball and pocket. */
  readonly call?: {
    readonly ball: number;
    readonly pocket: PoolPocket;
  };
  /** The turn passes even if balls are pocketed. */
  readonly safety?: true;
  /** The push-out after a break: the shot need not hit anything. */
  readonly pushOut?: true;
  /** Where the cue ball is placed, when it is in hand. Metres. */
  readonly place?: { readonly x: number; readonly y: number };
}
export type PoolPocket =
  | 'head-left'
  | 'side-left'
  | 'foot-left'
  | 'foot-right'
  | 'side-right'
  | 'head-right';
export type PoolAction = PoolShot | { readonly choose: 'accept' | 'rerack' | 'pass' | 'spot' };

export interface Actions {
  readonly checkers: CheckersAction;
  readonly tictactoe: TictactoeAction;
  readonly connect4: Connect4Action;
  /** No actions: players send input masks, tick by tick. */
  readonly 'fight-arena': never;
  readonly pool: PoolAction;
  readonly ludo: LudoAction;
}

/** The types of an operator's game, as its rules define them; passed with the game's id. */
export interface OwnGame {
  readonly view: unknown;
  readonly action: unknown;
}

/** The actions of a game: the SDK knows those of shipped games, `Own` gives those of another. */
export type ActionOf<G extends Game, Own extends OwnGame = OwnGame> = G extends KnownGame
  ? Actions[G]
  : Own['action'];
