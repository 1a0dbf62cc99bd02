/** The audit's rows as they are written: each linked to the one before it (rule D8). */

import {
  CHAIN_START,
  type ChainedAudit,
  type ChainHead,
  chainAudit,
} from '../../accounts/audit-chain.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow } from '../store.ts';
import type { Row, Tx } from './sql.ts';

/** From here to the end of the transaction nobody else adds to the tenant's chain. */
export async function insertAudit(tx: Tx, audit: AuditRow): Promise<void> {
  const head = await lockHead(tx, audit.tenant);
  const mac = head.n > 0 ? head.mac : await macOfInstallation(tx);
  await insert(tx, chainAudit({ ...head, mac }, audit, tx.auditKeys()));
}

/** Those of several tenants in the order of these, as all transactions lock their chains. */
export async function insertAudits(tx: Tx, audits: readonly AuditRow[]): Promise<void> {
  const sorted = [...audits].sort((a, b) =>
    a.tenant < b.tenant ? -1 : Number(a.tenant > b.tenant),
  );
  for (const audit of sorted) await insertAudit(tx, audit);
}

async function lockHead(tx: Tx, tenant: string): Promise<ChainHead> {
  const head = await tx.get(
    `INSERT INTO audit_head (tenant, n, hash) VALUES ($1, 0, $2)
     ON CONFLICT (tenant) DO UPDATE SET n = audit_head.n RETURNING n, hash, mac`,
    tenant,
    CHAIN_START,
  );
  return toHead(head!);
}

/** Read, not locked: chains are locked in the order of their tenants, and this is the first. */
async function macOfInstallation(tx: Tx): Promise<string | null> {
  const row = await tx.get("SELECT mac FROM audit_head WHERE tenant = ''");
  return textOrNull(row?.['mac'] ?? null);
}

async function insert(tx: Tx, row: ChainedAudit): Promise<void> {
  const { tenant, actor, act, object, at, n, hash, mac } = row;
  await tx.run(
    `WITH head AS (UPDATE audit_head SET n = $2, hash = $7, mac = $8 WHERE tenant = $1)
     INSERT INTO audit (tenant, n, actor, act, object, at, hash, mac)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    tenant,
    n,
    actor,
    act,
    object,
    at,
    hash,
    mac,
  );
}

function toHead(row: Row): ChainHead {
  return {
    n: Number(row['n']),
    hash: String(row['hash']),
    mac: textOrNull(row['mac']!),
  };
}
