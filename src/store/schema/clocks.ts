/** The current time in ms since 1970, in each database's SQL. */

/** The database server's clock: machines' clocks need not agree. */
export const POSTGRES_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** The machine's clock, constant within a statement. */
export const SQLITE_NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
