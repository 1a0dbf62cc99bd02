/** Leases of nodes, by the database's clock: no two machines' clocks need to agree. */

/** The time, in ms since 1970. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Is the lease of the node in a row of `node` not over? */
export const HAS_LEASE = `node.lease_until > ${NOW}`;
