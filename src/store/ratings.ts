/** The port to ratings. The commit that ends a match writes them; they are read here. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';
import type { PlayerOutcome, Standing } from '../matchmaking/rating.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

/** A player's standing in one game. */
export interface GameStanding extends Standing {
  readonly game: GameId;
}

/** A player in one mode. */
export interface RatedPlayer {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
  readonly standings: readonly GameStanding[];
}

/** A position on a board: the entries after it are lower, or equal with a later pseudonym. */
export interface BoardPlace {
  readonly rating: number;
  readonly ref: string;
}

export interface Leader extends BoardPlace {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly standing: Standing;
}

export interface BoardQuery {
  readonly tenant: string;
  readonly mode: Mode;
  readonly game: GameId;
  /** Deviations are computed for this time, ms since 1970. */
  readonly now: number;
  /** Players with fewer games, or a larger deviation, are not listed. */
  readonly gamesMin: number;
  readonly deviationMax: number;
  readonly after: BoardPlace | null;
  readonly limit: number;
}

/** How many of a player's sessions one page of rated matches examines at most. */
export const SESSIONS_EXAMINED = 500;

/** What one match did to a player's rating. Points are rounded to a tenth. */
export interface RatedMatch {
  readonly session: string;
  /** When it ended, ms since 1970. */
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly outcome: PlayerOutcome;
}

export interface RatedMatchQuery {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
  readonly game: GameId;
  /** The last id of the previous page; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

export interface RatedMatchPage {
  readonly matches: readonly RatedMatch[];
  /** The id to continue before; null at the end. */
  readonly next: string | null;
}

export interface RatingStore {
  /** A player of one mode with their standings; null when that mode has no such player. */
  findRatedPlayer(tenant: string, world: KeyMode, playerId: string): Promise<RatedPlayer | null>;
  /** The standings of players in one game, by id. Players without one are left out. */
  findStandings(
    world: { readonly tenant: string; readonly mode: Mode; readonly game: GameId },
    playerIds: readonly string[],
  ): Promise<ReadonlyMap<string, Standing>>;
  /**
   * A player's rated matches of a game, newest session first; null when that mode has no such
   * player. One call examines at most `SESSIONS_EXAMINED` sessions, so a page may be short and
   * still have a `next`.
   */
  listRatedMatches(query: RatedMatchQuery): Promise<RatedMatchPage | null>;
  /** All standings of a player in both modes, for exports (rule R2). */
  listStandings(
    tenant: string,
    playerId: string,
  ): Promise<readonly (GameStanding & { readonly mode: Mode })[]>;
  /** The best players of a game, highest first. Erased players are left out. */
  listLeaders(query: BoardQuery): Promise<readonly Leader[]>;
}
