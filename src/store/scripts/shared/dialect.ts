/**
 * What a database is given in its own words, where the same words would make one of them read all rows. All else
 * of a statement is written once.
 */

export interface Dialect {
  /**
   * From rows of `session_metadata AS pairs` to the session of each, in their order: `session`. PostgreSQL has
   * to look up each by itself, or it joins all there are; SQLite has to be told which of the two comes first.
   */
  readonly sessionsOfPairs: string;
  /** From a player's rows of `seat` to their sessions. SQLite has to be told which of the two comes first. */
  readonly sessionsOfSeats: string;
  /**
   * A game's sessions that are under way: `session`. SQLite counts no rows, and may take an index that leads past
   * all that have ended.
   */
  readonly openSessionsOfGame: string;
}
