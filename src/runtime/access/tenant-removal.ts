/**
 * Removal of a tenant: the serving process ends its sessions, the removing one exports and removes the rest (rule
 * R3).
 */

import type { Mode } from '../../match/record.ts';
import type { SessionFilter, SessionStore } from '../../store/store.ts';
import { isExported, TENANT_PARTS, type TenantRemovalStore } from '../../store/tenant-removal.ts';
import type { SessionService } from '../sessions/session-service.ts';

const MODES: readonly Mode[] = ['live', 'test', 'training'];
/** Sessions that are ended concurrently. */
const ENDED_AT_ONCE = 50;
/** Rows of one page of an export, and of one transaction that removes. */
const PAGE = 500;
/** The same for rows with children: a match's log may have thousands. */
const PARENT_PAGE = 50;

const ALL_MODES: Omit<SessionFilter, 'tenant' | 'status' | 'limit'> = {
  mode: null,
  game: null,
  playerId: null,
  createdFrom: null,
  createdTo: null,
  before: null,
};

type RemovalSessions = Pick<SessionStore, 'listSessions'>;

/** Sessions that have not ended, at most this many. */
export async function openSessionsOf(
  store: RemovalSessions,
  tenant: string,
  limit = ENDED_AT_ONCE,
): Promise<readonly string[]> {
  const filter = { ...ALL_MODES, tenant, limit };
  const [pending, active] = await Promise.all([
    store.listSessions({ ...filter, status: 'pending' }),
    store.listSessions({ ...filter, status: 'active' }),
  ]);
  return [...pending, ...active].map(({ id }) => id);
}

/** Ends the sessions of tenants that are being removed. To be called every second or so. */
export async function endRemovedSessions(
  store: RemovalSessions & Pick<TenantRemovalStore, 'listRemovals'>,
  sessions: Pick<SessionService, 'end'>,
): Promise<void> {
  for (const tenant of await store.listRemovals()) {
    const open = await openSessionsOf(store, tenant);
    // Another node may have ended it.
    await Promise.all(open.map((id) => sessions.end({ tenant, id, modes: MODES }, null)));
  }
}

/** Calls `write` with each row of the tenant, as one line of JSON. Returns how many there were, by table. */
export async function exportTenant(
  store: Pick<TenantRemovalStore, 'exportPart'>,
  tenant: string,
  write: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const part of TENANT_PARTS) {
    const tables = [part.table, ...(part.children ?? []).map(({ table }) => table)];
    if (!tables.some((table) => isExported(part, table))) continue;
    const limit = part.children === undefined ? PAGE : PARENT_PAGE;
    let after: Parameters<typeof store.exportPart>[2] = null;
    do {
      const { rows, next } = await store.exportPart(tenant, part, after, limit);
      for (const each of rows) {
        counts[each.table] = (counts[each.table] ?? 0) + 1;
        write(JSON.stringify(each));
      }
      after = next;
    } while (after !== null);
  }
  return counts;
}

/**
 * Removes everything but the tenant itself. After a crash the next call continues. Without tickets no call creates
 * a session any more: `whenNoneStart` then waits for the last to end. Null when that returns false.
 */
export async function removeTenantRows(
  store: Pick<TenantRemovalStore, 'removePart' | 'removePeople'>,
  tenant: string,
  whenNoneStart: () => Promise<boolean>,
  onRemoved: (rows: number) => void = () => {},
): Promise<number | null> {
  let total = await store.removePeople(tenant);
  for (const part of TENANT_PARTS) {
    if (part.table === 'session' && !(await whenNoneStart())) return null;
    const limit = part.children === undefined ? PAGE : PARENT_PAGE;
    for (let count = 1; count > 0; total += count) {
      count = await store.removePart(tenant, part, limit);
      onRemoved(total + count);
    }
  }
  return total;
}
