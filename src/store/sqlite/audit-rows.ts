/** The audit's rows as they are written: each linked to the one before it (rule D8). */

import { CHAIN_START, hashAudit } from '../../accounts/audit-chain.ts';
import type { AuditRow } from '../store.ts';
import type { Statements } from './statements.ts';

/** Inside a transaction that holds the lock: nobody else writes a row between look and insert. */
export function insertAudit(sql: Statements, audit: AuditRow): void {
  const { tenant, actor, act, object, at } = audit;
  const last = sql.get(
    'SELECT n, hash FROM audit WHERE tenant = ? ORDER BY n DESC LIMIT 1',
    tenant,
  );
  const n = Number(last?.['n'] ?? 0) + 1;
  const hash = hashAudit(String(last?.['hash'] ?? CHAIN_START), n, audit);
  sql.run(
    'INSERT INTO audit (tenant, actor, act, object, at, n, hash) VALUES (?, ?, ?, ?, ?, ?, ?)',
    tenant,
    actor,
    act,
    object,
    at,
    n,
    hash,
  );
}
