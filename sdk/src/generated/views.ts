/** What the `view` of a state shows, by game. Made by scripts/generate.ts: not to be changed by hand. */
// @table

export interface CheckersPiece {
  /** Whose it is. */
  readonly seat: number;
  readonly king: boolean;
}

export interface Fighter {
  /** Feet, from the left wall, mm. */
  readonly x: number;
  /** Feet, from the ground, mm. */
  readonly y: number;
  /** Mm a tick; 0 on the ground. */
  readonly vx: number;
  /** Mm a tick; 0 on the ground. */
  readonly vy: number;
  /** 1 looks to the right. */
  readonly facing: -1 | 1;
  readonly health: number;
  /** `free` is standing, walking and crouching. */
  readonly act: "free" | "dash" | "backdash" | "prejump" | "air" | "landing" | "attack" | "hit" | "block" | "fall" | "down";
  /** Which tick of its act this is, from 1. */
  readonly age: number;
  readonly isCrouching: boolean;
  /** The attack; null unless `act` is `attack`. */
  readonly move: "light" | "heavy" | "lowLight" | "sweep" | "airLight" | "airHeavy" | "bolt" | "rise" | "throw" | null;
  /** That attack has met somebody. */
  readonly hasContact: boolean;
  /** Ticks of stun or of lying left. */
  readonly stun: number;
  /** Mm still to slide; to the left below zero. */
  readonly slide: number;
  /** Hits taken in a row. */
  readonly row: number;
  /** The mask of the tick before. */
  readonly held: number;
  /** Buttons pressed while busy. */
  readonly wanted: number;
  /** For how many more ticks they count. */
  readonly wantedFor: number;
  /** The fighter's bolt, mm from the left wall; 0 when there is none. */
  readonly boltX: number;
  /** Which way the bolt flies; 0 when there is none. */
  readonly boltFacing: -1 | 1 | 0;
}

export interface FightRound {
  /** Null when the round is played again. */
  readonly winner: number | null;
  readonly by: "knockout" | "time" | "double_knockout" | "equal_health";
  /** Left, by seat. */
  readonly health: readonly [number, number];
  /** How long it took. */
  readonly ticks: number;
}

export interface PoolBall {
  /** The number on it; 0 is the cue ball. */
  readonly n: number;
  /** From the middle of the table towards the foot, m. */
  readonly x: number;
  /** From the middle of the table to the left, m. */
  readonly y: number;
}

export interface PoolLastShot {
  /** Who shot. */
  readonly seat: number;
  readonly action: {
    readonly shot: {
      /** Direction from above, radians: 0 towards the foot, turning left. */
      readonly aim: number;
      /** Of the ball, m/s. */
      readonly speed: number;
      /** Where the tip met the ball, m right of its middle. */
      readonly side: number;
      /** The same, m above it. */
      readonly follow: number;
      /** How far the butt was raised, radians. */
      readonly elevation: number;
    };
    readonly call?: {
      readonly ball: number;
      readonly pocket: "head-left" | "side-left" | "foot-left" | "foot-right" | "side-right" | "head-right";
    } | undefined;
    readonly safety?: true | undefined;
    readonly pushOut?: true | undefined;
    /** Where the cue ball was put first, m. */
    readonly place?: {
      readonly x: number;
      readonly y: number;
    } | undefined;
  };
  /** Balls that do not lie any more where they lay before the shot. */
  readonly before: readonly PoolBall[];
  /** Object balls that fell, in order, and where. */
  readonly pocketed: readonly ({
    readonly ball: number;
    readonly pocket: "head-left" | "side-left" | "foot-left" | "foot-right" | "side-right" | "head-right";
  })[];
  /** Where the cue ball fell. */
  readonly scratched: "head-left" | "side-left" | "foot-left" | "foot-right" | "side-right" | "head-right" | null;
  readonly foul: "scratch" | "no_contact" | "wrong_ball_first" | "behind_head_string" | "no_rail" | "weak_break" | null;
  /** Balls put back on the table since. */
  readonly spotted: readonly number[];
  /** `event_cap`: it was stopped after too many events. */
  readonly end: "rest" | "event_cap";
  readonly motion: PoolMotion;
}

export interface PoolMotion {
  /** When nothing travels any more, whole microseconds after the strike. */
  readonly duration: number;
  /** A ball each: `ball, t, x, y`, then `dt, cx, cy, dx, dy` for each piece, a quadratic Bézier curve from where it begins. Times in µs, lengths in hundredths of a millimetre. */
  readonly paths: readonly (readonly number[])[];
  /** When two balls met: time in µs, ball, ball. */
  readonly contacts: readonly (readonly [number, number, number])[];
  /** When a ball met a cushion or a jaw: time in µs, ball, which. */
  readonly cushions: readonly (readonly [number, number, "head" | "foot" | "left" | "right" | "head-left" | "side-left" | "foot-left" | "foot-right" | "side-right" | "head-right"])[];
}

export interface LudoStep {
  readonly seat: number;
  readonly die: number;
  /** The token that moved; null when none could. */
  readonly token: number | null;
  readonly from: string | null;
  readonly to: string | null;
  /** Tokens sent back to their yards. */
  readonly captured: readonly {
    readonly seat: number;
    readonly token: number;
  }[];
  /** The third six in a row. */
  readonly void: boolean;
}

/** What a state of checkers shows. */
export interface CheckersView {
  /** The cells in row order, row 0 at the top, light ones too: 64, or 100 in `international`. */
  readonly board: readonly (CheckersPiece | null)[];
  /** The seat to move has to capture. */
  readonly mustCapture: boolean;
}

/** What a state of tictactoe shows. */
export interface TictactoeView {
  /** The nine cells in row order, row 0 at the top; null is empty. */
  readonly board: readonly ("X" | "O" | null)[];
}

/** What a state of connect4 shows. */
export interface Connect4View {
  /** The 42 cells in row order, row 0 at the top; null is empty. */
  readonly board: readonly ("red" | "yellow" | null)[];
}

/** What a state of fight-arena shows. */
export interface FightArenaView {
  /** Ticks since the match began; stands still once it is over. */
  readonly tick: number;
  readonly phase: "ready" | "fight" | "pause" | "over";
  /** Ticks left of `ready`, `pause`, or of the round's time. */
  readonly left: number;
  /** Ticks for which both stand still after a contact. */
  readonly stop: number;
  /** By seat. */
  readonly fighters: readonly [Fighter, Fighter];
  /** Those that are over. */
  readonly rounds: readonly FightRound[];
  readonly roundsToWin: number;
  /** The time of a round. */
  readonly roundTicks: number;
  /** By seat. */
  readonly roundsWon: readonly number[];
}

/** What a state of pool shows. */
export interface PoolView {
  readonly variant: "eightball" | "nineball";
  /** Which shots have to be called. */
  readonly callPocket: "all" | "eight" | "none";
  /** Those on the table. */
  readonly balls: readonly PoolBall[];
  /** The next shot is a break. */
  readonly isBreak: boolean;
  /** Where the cue ball may be put; null when it is played from where it lies. */
  readonly inHand: "anywhere" | "behind_head_string" | null;
  /** What the seat chooses from instead of a shot. */
  readonly choices: readonly ("accept" | "rerack" | "pass" | "spot")[];
  /** By seat in eightball; null while the table is open. */
  readonly groups: readonly ["solids" | "stripes", "solids" | "stripes"] | null;
  /** The next shot may be a push-out. */
  readonly mayPushOut: boolean;
  /** Fouls in a row by seat, counted in nineball. */
  readonly fouls: readonly [number, number];
  /** Shots played, breaks included. */
  readonly shots: number;
  /** The shot before this position, as it can be drawn. */
  readonly last: PoolLastShot | null;
}

/** What a state of ludo shows. */
export interface LudoView {
  /** Places by seat and token: `yard`, `track 17`, `home 1` to `home 5`, `done`. */
  readonly tokens: readonly (readonly string[])[];
  /** The roll that waits for a token. */
  readonly die: number | null;
  /** Sixes rolled in a row in this turn. */
  readonly sixes: number;
  /** What the last input did, roll by roll. */
  readonly last: readonly LudoStep[];
  /** Seats that have got home, the first first. */
  readonly home: readonly number[];
  /** Seats that are out, in the order in which they went. */
  readonly out: readonly number[];
  /** Turns missed in a row, by seat. */
  readonly missed: readonly number[];
  /** By seat; null unless `captureBeforeHome` is set. */
  readonly hasCaptured: readonly boolean[] | null;
  /** Points by seat; null unless `timed`. */
  readonly scores: readonly number[] | null;
}

/** By game. */
export interface Views {
  readonly 'checkers': CheckersView;
  readonly 'tictactoe': TictactoeView;
  readonly 'connect4': Connect4View;
  readonly 'fight-arena': FightArenaView;
  readonly 'pool': PoolView;
  readonly 'ludo': LudoView;
}
