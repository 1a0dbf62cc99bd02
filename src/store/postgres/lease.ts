/** The database's clock: no two machines' clocks need to agree. */

/** The time, in ms since 1970. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
