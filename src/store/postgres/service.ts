/** What of the service's own only the database's clock, or its state, tells. */

import type { ServiceStore } from '../store.ts';
import { NOW } from './lease.ts';
import type { Sql } from './sql.ts';

/** A heartbeat so far ahead of the database's clock is not trusted: small corrections keep leases. Ms. */
const AHEAD_MS = 10_000;

export function makeNodeService(db: Sql): Pick<ServiceStore, 'pruneHeartbeats' | 'ping'> {
  return {
    /**
     * Rows that a start finds ahead of the database's clock, which was set back. A live node among them joins
     * again with its next heartbeat. What is left of dead nodes is removed as a node joins.
     */
    async pruneHeartbeats() {
      await db.run(`DELETE FROM node WHERE alive_at > ${NOW} + $1`, AHEAD_MS);
    },
    ping: () =>
      // Changes nothing, and fails when the database cannot be written.
      db.run("UPDATE revision SET n = n WHERE name = 'service'").then(
        () => true,
        () => false,
      ),
  };
}
