/** The port to ratings. They are written by the commit that ends a match, and read here. */

import type { GameId } from '../../game/src/game.ts';
import type { Mode } from '../match/record.ts';
import type { PlayerOutcome, Standing } from '../matchmaking/rating.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

/** A player's standing in one game. */
export interface GameStanding extends Standing {
  readonly game: GameId;
}

/** A player as one world knows them. */
export interface RatedPlayer {
  readonly playerId: string;
  readonly displayName: string | null;
  readonly createdAt: number;
  readonly standings: readonly GameStanding[];
}

/** A place on a board: those after it are lower, or as high with a later pseudonym. */
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
  /** Deviations are counted as of this time, ms since 1970. */
  readonly now: number;
  /** Fewer games than that, or a larger deviation, are not listed. */
  readonly gamesMin: number;
  readonly deviationMax: number;
  readonly after: BoardPlace | null;
  readonly limit: number;
}

/** Sessions of a player that one page of rated matches examines at most. */
export const SESSIONS_EXAMINED = 500;

/** What one match did to a player's rating. Points are to a tenth. */
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
  /** The id that the last page ended at; null for the first page. */
  readonly before: string | null;
  readonly limit: number;
}

export interface RatedMatchPage {
  readonly matches: readonly RatedMatch[];
  /** The id to continue before; null at the end. */
  readonly next: string | null;
}

export interface RatingStore {
  /**
   * A player of one world with the standings in it; null where that world knows nobody by the id.
   */
  findRatedPlayer(tenant: string, world: KeyMode, playerId: string): Promise<RatedPlayer | null>;
  /** The standings of players in one game, by id. Who has none is left out. */
  findStandings(
    world: { readonly tenant: string; readonly mode: Mode; readonly game: GameId },
    playerIds: readonly string[],
  ): Promise<ReadonlyMap<string, Standing>>;
  /**
   * A player's rated matches of a game, the newest session first; null where that world knows nobody by the id. One call
   * examines `SESSIONS_EXAMINED` of the player's sessions at most, so a page may be short and still have a `next`.
   */
  listRatedMatches(query: RatedMatchQuery): Promise<RatedMatchPage | null>;
  /** Every standing of a player in both worlds, for exports (rule R2). */
  listStandings(
    tenant: string,
    playerId: string,
  ): Promise<readonly (GameStanding & { readonly mode: Mode })[]>;
  /** The best of a game, the highest first. Erased players are left out. */
  listLeaders(query: BoardQuery): Promise<readonly Leader[]>;
}
