/** A tenant's end where nodes share the database: what it has of its own, and leases tell. */

import type { Runner } from '../scripts/script.ts';
import { countOpen, makeTenantRemovalStore } from '../scripts/tenant-removal.ts';
import type { TenantRemovalStore } from '../tenant-removal.ts';
import { HAS_LEASE } from './lease.ts';
import type { Sql } from './sql.ts';

/** A node that claims a session at the same time locks its row, too: one of the two finds what the other did. */
const CLOSE = `UPDATE session SET status = 'ended', ended_at = $2, holder = NULL, wake_at = NULL,
    due_node = NULL
  WHERE tenant = $1 AND status <> 'ended' AND NOT EXISTS (
    SELECT FROM node WHERE node.id = session.holder AND ${HAS_LEASE})`;

export function makeSharedRemovalStore(db: Sql, runner: Runner): TenantRemovalStore {
  const removal = makeTenantRemovalStore(runner);
  return {
    ...removal,
    async closeSessions(tenant, at) {
      await db.run(CLOSE, tenant, at);
      return countOpen(runner.sql, tenant);
    },
    async finishRemoval(tenant, audit) {
      await db.run('DELETE FROM presence WHERE tenant = $1', tenant);
      return removal.finishRemoval(tenant, audit);
    },
  };
}
