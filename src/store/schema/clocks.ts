/** The time in ms since 1970, as each database tells it. */

/** No two machines' clocks need to agree. */
export const POSTGRES_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
/** The machine's, the same throughout a statement. */
export const SQLITE_NOW = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
