/** The games and what each can be set up with. Made by scripts/generate.ts: not to be changed by hand. */
// @table

/** The games that come with the service. */
export type KnownGame =
  | 'checkers'
  | 'tictactoe'
  | 'connect4'
  | 'fight-arena'
  | 'pool'
  | 'ludo';

/** A game's id: a shipped one, or one of the operator's own. */
export type Game = KnownGame | (string & {});

/** The rule sets of each game; the first is the default. */
export interface GameVariants {
  readonly 'checkers': 'american' | 'russian' | 'brazilian' | 'international';
  readonly 'tictactoe': 'standard';
  readonly 'connect4': 'standard';
  readonly 'fight-arena': 'standard';
  readonly 'pool': 'eightball' | 'nineball';
  readonly 'ludo': 'classic' | 'quick' | 'timed' | 'teams';
}

/** How many may sit at each game. */
export interface GameSeats {
  readonly 'checkers': 2;
  readonly 'tictactoe': 2;
  readonly 'connect4': 2;
  readonly 'fight-arena': 2;
  readonly 'pool': 2;
  readonly 'ludo': 2 | 3 | 4;
}

/** Each game's own options. */
export interface GameOptions {
  readonly 'checkers': unknown;
  readonly 'tictactoe': unknown;
  readonly 'connect4': unknown;
  readonly 'fight-arena': {
    readonly roundSeconds?: number | null | undefined;
    readonly roundsToWin?: number | null | undefined;
  };
  readonly 'pool': {
    readonly callPocket?: "all" | "eight" | "none" | null | undefined;
  };
  readonly 'ludo': {
    readonly thirdSixVoidsTurn?: true | "last" | null | undefined;
    readonly ownPairIsBlock?: boolean | null | undefined;
    readonly captureBeforeHome?: boolean | null | undefined;
    readonly startSquaresSafe?: boolean | null | undefined;
  };
}
