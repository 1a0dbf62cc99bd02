/** Leases of nodes, by the database's clock: no two machines' clocks need to agree. */

import type { Sql } from './sql.ts';

/** The time, in ms since 1970. */
export const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** Is the lease of the node in a row of `node` not over? */
export const HAS_LEASE = `node.lease_until > ${NOW}`;

/** Does a node of a version serve that writes no MACs into the audit? */
export async function isServingUnkeyed(sql: Sql): Promise<boolean> {
  const row = await sql.get(`SELECT 1 FROM node WHERE ${HAS_LEASE} AND NOT keys_audit LIMIT 1`);
  return row !== undefined;
}
