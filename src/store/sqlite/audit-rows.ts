/** The audit's rows as they are written: each linked to the one before it (rule D8). */

import {
  CHAIN_START,
  type ChainedAudit,
  type ChainHead,
  chainAudit,
} from '../../accounts/audit-chain.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow } from '../store.ts';
import type { Statements } from './statements.ts';

/** Inside a transaction that holds the lock: nobody else writes a row between look and insert. */
export function insertAudit(sql: Statements, audit: AuditRow): void {
  insert(sql, chainAudit(headOf(sql, audit.tenant), audit, sql.auditKeys.keys));
}

const START: ChainHead = { n: 0, hash: CHAIN_START, mac: null };

function headOf(sql: Statements, tenant: string): ChainHead {
  return newest(sql, tenant) ?? { ...START, mac: newest(sql, '')?.mac ?? null };
}

function newest(sql: Statements, tenant: string): ChainHead | null {
  const row = sql.get(
    'SELECT n, hash, mac FROM audit WHERE tenant = ? ORDER BY n DESC LIMIT 1',
    tenant,
  );
  if (row === undefined) return null;
  return { n: Number(row['n']), hash: String(row['hash']), mac: textOrNull(row['mac']) };
}

function insert(sql: Statements, { tenant, actor, act, object, at, n, hash, mac }: ChainedAudit) {
  sql.run(
    'INSERT INTO audit (tenant, actor, act, object, at, n, hash, mac) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
    tenant,
    actor,
    act,
    object,
    at,
    n,
    hash,
    mac,
  );
  sql.run(
    `INSERT INTO audit_head (tenant, n, hash, mac) VALUES (?, ?, ?, ?)
     ON CONFLICT (tenant) DO UPDATE SET n = excluded.n, hash = excluded.hash, mac = excluded.mac`,
    tenant,
    n,
    hash,
    mac,
  );
}
