/** The records of a session's log. A session is the fold of its records, and nothing else. */

import { BOT_LEVELS, type BotLevel } from '../../game/src/bot.ts';
import type { GameId, Json, Options, Outcome, Seat } from '../../game/src/game.ts';
import type { TickRun } from '../../game/src/tick-game.ts';

export const MODES = ['live', 'test', 'training'] as const;
export type Mode = (typeof MODES)[number];

/** `hosted` is made by start-match only and cannot be requested. */
export const MATCH_TYPES = ['matchmaking', 'private', 'bot'] as const;
export type MatchType = (typeof MATCH_TYPES)[number] | 'hosted';

export const BOT_DIFFICULTIES = BOT_LEVELS;
export type BotDifficulty = BotLevel;

/** A chess clock: time for each seat and the increment of a move. */
export interface ClockSetting {
  readonly initialMs: number;
  readonly incrementMs: number;
}

/** What a rematch knows of the matches before it. Players are named by their seats in this session. */
export interface Series {
  readonly rematchOf: string;
  /** The first session of the series. */
  readonly first: string;
  /** The number of this match in the series, from 2. */
  readonly number: number;
  /** Matches won before this one, by seat. */
  readonly wins: readonly number[];
  readonly draws: number;
}

/** A session's complete setup, with defaults filled in. Fixed from the first record on. */
export interface SessionSetup {
  readonly game: GameId;
  readonly rulesVersion: number;
  /** The hash of that version's code; absent for shipped games. */
  readonly rulesHash?: string;
  readonly mode: Mode;
  readonly matchType: MatchType;
  readonly variant: string;
  /** How many seats there are. */
  readonly seats: number;
  /** The game's own options. */
  readonly options: Options;
  /** How long a turn may take before the seat is lost. */
  readonly turnTimeoutMs: number;
  readonly clock: ClockSetting | null;
  /** How long a seat may be without a socket. */
  readonly disconnectGraceMs: number;
  /** Whether `turnTimeoutMs` applies. */
  readonly afk: boolean;
  readonly botDifficulty: BotDifficulty;
  /** `drawn`: seats are taken in the order the seed gives (rule S2). Absent: in numeric order. */
  readonly seating?: 'drawn';
  /** For a rematch: the matches before it; absent for any other session. */
  readonly series?: Series;
  /** Secret until the end: 64 hex digits. */
  readonly seed: string;
  /** A session still pending at this time ends. Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Reasons with which any game may end; the games add their own. */
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

/** The client's id for a command, stored so that a repeat has no second effect. */
export type CommandId = string;

/**
 * An event of the log. `k` is the kind. Players are named by seat only: their ids are stored
 * elsewhere, so that they can be erased (rule R2).
 */
export type LogRecord =
  | {
      readonly k: 'created';
      readonly setup: SessionSetup;
      /** In the order in which they were taken. */
      readonly taken: readonly Seat[];
      readonly bots: readonly Seat[];
      /**
       * By index in `bots`: the service's playing strength on that seat. Null is a tenant's own
       * program; if this is absent, all are.
       */
      readonly levels?: readonly (BotDifficulty | null)[];
      readonly node: string;
    }
  /** `level` is set if the service plays the seat, and is its strength. */
  | {
      readonly k: 'joined';
      readonly seat: Seat;
      readonly bot: boolean;
      readonly level?: BotDifficulty;
    }
  /**
   * The seat is open again: its player left before the start, or the tenant removed them. `id` is
   * the player's own command; null for the tenant's. From here on the seat's former player is
   * unknown.
   */
  | { readonly k: 'left'; readonly seat: Seat; readonly id: CommandId | null }
  | { readonly k: 'entropy'; readonly seat: Seat; readonly value: string }
  | { readonly k: 'connected'; readonly seat: Seat }
  /** `putAway`: the service did it, not the player. */
  | { readonly k: 'disconnected'; readonly seat: Seat; readonly putAway?: true }
  | { readonly k: 'started' }
  | { readonly k: 'action'; readonly seat: Seat; readonly id: CommandId; readonly action: Json }
  /** Ticks of a tick game, from tick `from` on; at most 15 (decision 0016). */
  | { readonly k: 'ticks'; readonly from: number; readonly runs: readonly TickRun[] }
  | { readonly k: 'draw'; readonly seat: Seat; readonly id: CommandId; readonly do: DrawStep }
  /** The turn timed out and the game has its own answer to that. */
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

/** A record with its version `v` in the session and its commit time `at` (ms since 1970). */
export interface Entry {
  readonly v: number;
  readonly at: number;
  readonly record: LogRecord;
}
