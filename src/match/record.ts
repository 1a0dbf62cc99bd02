/** The records of a session's log. A session is what its records fold to, and nothing else. */

import { BOT_LEVELS, type BotLevel } from '../../game/src/bot.ts';
import type { GameId, Json, Options, Outcome, Seat } from '../../game/src/game.ts';
import type { TickRun } from '../../game/src/tick-game.ts';

export const MODES = ['live', 'test', 'training'] as const;
export type Mode = (typeof MODES)[number];

/** `hosted` is made by start-match alone and cannot be asked for. */
export const MATCH_TYPES = ['matchmaking', 'private', 'bot'] as const;
export type MatchType = (typeof MATCH_TYPES)[number] | 'hosted';

export const BOT_DIFFICULTIES = BOT_LEVELS;
export type BotDifficulty = BotLevel;

/** A clock as in chess: a stock of time for each seat and what a move adds to it. */
export interface ClockSetting {
  readonly initialMs: number;
  readonly incrementMs: number;
}

/** What a rematch knows of the matches before it. Players are named by their seats in this session. */
export interface Series {
  readonly rematchOf: string;
  /** The session that the series began with. */
  readonly first: string;
  /** Which match of the series this is, from 2. */
  readonly number: number;
  /** Matches won before this one, by seat. */
  readonly wins: readonly number[];
  readonly draws: number;
}

/** Everything a session is set up with, defaults filled in. Fixed from the first record on. */
export interface SessionSetup {
  readonly game: GameId;
  readonly rulesVersion: number;
  /** Which code that version was; absent for shipped games. */
  readonly rulesHash?: string;
  readonly mode: Mode;
  readonly matchType: MatchType;
  readonly variant: string;
  /** How many seats there are. */
  readonly seats: number;
  /** The game's own options. */
  readonly options: Options;
  /** Time for one turn before the seat is lost. */
  readonly turnTimeoutMs: number;
  readonly clock: ClockSetting | null;
  /** How long a seat may be without a socket. */
  readonly disconnectGraceMs: number;
  /** Does `turnTimeoutMs` count? */
  readonly afk: boolean;
  readonly botDifficulty: BotDifficulty;
  /** `drawn`: seats are taken in the order the seed gives (rule S2). Absent: as they are counted. */
  readonly seating?: 'drawn';
  /** Of a rematch: the matches before it; absent for any other session. */
  readonly series?: Series;
  /** Secret until the end: 64 hex digits. */
  readonly seed: string;
  /** While pending, the session ends at this time. Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Reasons that any game may end with; the games add their own. */
export const COMMON_REASONS = [
  'resignation',
  'afk_timeout',
  'clock_timeout',
  'disconnect',
  'draw_agreed',
  'aborted',
  'expired',
] as const;
export type ForfeitReason = 'resignation' | 'afk_timeout' | 'clock_timeout' | 'disconnect';

/** The client's own name for a command, kept so that a repeat has no second effect. */
export type CommandId = string;

/**
 * What happened, as it stands in the log. `k` is the kind. Players are named by seat alone: who
 * sits there is kept apart, so that it can be erased (rule R2).
 */
export type LogRecord =
  | {
      readonly k: 'created';
      readonly setup: SessionSetup;
      /** In the order in which they were taken. */
      readonly taken: readonly Seat[];
      readonly bots: readonly Seat[];
      /**
       * By place in `bots`: how well the service plays that seat. Null is a bot that plays by itself,
       * a program of the tenant's; so are all where this is absent.
       */
      readonly levels?: readonly (BotDifficulty | null)[];
      readonly node: string;
    }
  /** `level` is there where the service plays the seat, and says how well. */
  | {
      readonly k: 'joined';
      readonly seat: Seat;
      readonly bot: boolean;
      readonly level?: BotDifficulty;
    }
  /**
   * The seat is open again: its player left before the start, or the tenant took them out. `id` names
   * the player's own command; null for the tenant's. From here on the seat's former player is unknown to it.
   */
  | { readonly k: 'left'; readonly seat: Seat; readonly id: CommandId | null }
  | { readonly k: 'entropy'; readonly seat: Seat; readonly value: string }
  | { readonly k: 'connected'; readonly seat: Seat }
  /** `putAway`: by the service, and not by their own doing. */
  | { readonly k: 'disconnected'; readonly seat: Seat; readonly putAway?: true }
  | { readonly k: 'started' }
  | { readonly k: 'action'; readonly seat: Seat; readonly id: CommandId; readonly action: Json }
  /** Ticks of a game that runs by the clock, from tick `from` on; at most 15 (decision 0016). */
  | { readonly k: 'ticks'; readonly from: number; readonly runs: readonly TickRun[] }
  | { readonly k: 'draw'; readonly seat: Seat; readonly id: CommandId; readonly do: DrawStep }
  /** The turn's time ran out and the game has its own answer to that. */
  | { readonly k: 'missed'; readonly seat: Seat }
  | {
      readonly k: 'forfeited';
      readonly seat: Seat;
      readonly reason: ForfeitReason;
      readonly id: CommandId | null;
    }
  | { readonly k: 'ended'; readonly outcome: Outcome }
  /** A process takes the session over. No player is connected to it yet. */
  | { readonly k: 'owned'; readonly epoch: number; readonly node: string; readonly lostMs: number }
  /** Time in which the service could not commit: charged to no player. */
  | { readonly k: 'paused'; readonly lostMs: number };

export const DRAW_STEPS = ['offer', 'accept', 'decline'] as const;
export type DrawStep = (typeof DRAW_STEPS)[number];

/** A record in its place: version `v` of the session, committed with time `at` (ms since 1970). */
export interface Entry {
  readonly v: number;
  readonly at: number;
  readonly record: LogRecord;
}
