/** Appends audit rows, each linked to the one before it (rule D8). */

import {
  CHAIN_START,
  type ChainedAudit,
  type ChainHead,
  chainAudit,
} from '../../../accounts/audit-chain.ts';
import { type Row, textOrNull } from '../../rows/row.ts';
import type { AuditRow } from '../../store.ts';
import type { Tx } from './script.ts';

const LOCK_HEAD = `INSERT INTO audit_head (tenant, n, hash) VALUES (:tenant, 0, :start)
  ON CONFLICT (tenant) DO UPDATE SET n = audit_head.n RETURNING n, hash, mac`;

/** Until the transaction ends, nobody else appends to the tenant's chain. */
export async function lockHead(tx: Tx, tenant: string): Promise<ChainHead> {
  return toHead((await tx.get(LOCK_HEAD, { tenant, start: CHAIN_START }))!);
}

export async function insertAudit(tx: Tx, audit: AuditRow): Promise<void> {
  const head = await lockHead(tx, audit.tenant);
  const mac = head.n > 0 ? head.mac : await macOfInstallation(tx);
  await appendAudit(tx, chainAudit({ ...head, mac }, audit, tx.auditKeys()));
}

/** Chains of several tenants are locked in tenant order, in all transactions. */
export async function insertAudits(tx: Tx, audits: readonly AuditRow[]): Promise<void> {
  const sorted = [...audits].sort((a, b) =>
    a.tenant < b.tenant ? -1 : Number(a.tenant > b.tenant),
  );
  for (const audit of sorted) await insertAudit(tx, audit);
}

/** Read without a lock: chains are locked in tenant order, and this is the first. */
async function macOfInstallation(tx: Tx): Promise<string | null> {
  const row = await tx.get("SELECT mac FROM audit_head WHERE tenant = ''");
  return textOrNull(row?.['mac']);
}

/** Requires the lock on the head. */
export async function appendAudit(tx: Tx, row: ChainedAudit): Promise<void> {
  const { tenant, actor, act, object, at, n, hash, mac } = row;
  await tx.run('UPDATE audit_head SET n = :n, hash = :hash, mac = :mac WHERE tenant = :tenant', {
    tenant,
    n,
    hash,
    mac,
  });
  await tx.run(
    `INSERT INTO audit (tenant, n, actor, act, object, at, hash, mac)
     VALUES (:tenant, :n, :actor, :act, :object, :at, :hash, :mac)`,
    { tenant, n, actor, act, object, at, hash, mac },
  );
}

export function toHead(row: Row): ChainHead {
  return { n: Number(row['n']), hash: String(row['hash']), mac: textOrNull(row['mac']) };
}
