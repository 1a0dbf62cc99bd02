/**
 * SQL that differs between the databases, where the same text would make one of them scan a table.
 * Everything else is written once.
 */

export interface Dialect {
  /**
   * From rows of `session_metadata AS pairs` to each session, in order: `session`. PostgreSQL needs
   * a lookup per row, or it joins whole tables; SQLite needs the join order.
   */
  readonly sessionsOfPairs: string;
  /** From a player's rows of `seat` to their sessions. SQLite needs the join order. */
  readonly sessionsOfSeats: string;
  /**
   * A game's open sessions: `session`. SQLite has no row counts, and may choose an index that also
   * has all ended ones.
   */
  readonly openSessionsOfGame: string;
}
