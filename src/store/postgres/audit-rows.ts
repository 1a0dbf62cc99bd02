/** The audit's rows as they are written: each linked to the one before it (rule D8). */

import { CHAIN_START, hashAudit } from '../../accounts/audit-chain.ts';
import type { AuditRow } from '../store.ts';
import type { Tx } from './sql.ts';

/** From here to the end of the transaction nobody else adds to the tenant's chain. */
export async function insertAudit(tx: Tx, audit: AuditRow): Promise<void> {
  const { tenant, actor, act, object, at } = audit;
  const head = await tx.get(
    `INSERT INTO audit_head (tenant, n, hash) VALUES ($1, 0, $2)
     ON CONFLICT (tenant) DO UPDATE SET n = audit_head.n RETURNING n, hash`,
    tenant,
    CHAIN_START,
  );
  const n = Number(head!['n']) + 1;
  const hash = hashAudit(String(head!['hash']), n, audit);
  await tx.run(
    `WITH head AS (UPDATE audit_head SET n = $2, hash = $7 WHERE tenant = $1)
     INSERT INTO audit (tenant, n, actor, act, object, at, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    tenant,
    n,
    actor,
    act,
    object,
    at,
    hash,
  );
}

/** Those of several tenants in the order of these, as all transactions lock their chains. */
export async function insertAudits(tx: Tx, audits: readonly AuditRow[]): Promise<void> {
  const sorted = [...audits].sort((a, b) =>
    a.tenant < b.tenant ? -1 : Number(a.tenant > b.tenant),
  );
  for (const audit of sorted) await insertAudit(tx, audit);
}
