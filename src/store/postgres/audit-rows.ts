/** The audit's rows as they are written: each linked to the one before it (rule D8). */

import {
  beginKeyed,
  CHAIN_START,
  type ChainedAudit,
  type ChainHead,
  chainAudit,
  type KeyChoice,
} from '../../accounts/audit-chain.ts';
import type { AuditHead, AuditKeyStore, AuditKeysInUse } from '../audit-keys.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow } from '../store.ts';
import type { Database } from './database.ts';
import { HAS_LEASE } from './lease.ts';
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

export function makeAuditKeyStore(db: Database, inUse: AuditKeysInUse): AuditKeyStore {
  return {
    async useAuditKeys(keys) {
      inUse.keys = keys;
    },
    async keyChains(at, choice) {
      if (await isOldNodeServing(db)) return 'later';
      const keyed: string[] = [];
      if (await db.transaction((tx) => keyChain(tx, '', at, choice))) keyed.push('');
      // Looked at first: of many tenants few have to wait for a lock.
      const heads = (await db.all(HEADS)).map(toHead);
      for (const { tenant, ...head } of heads.filter((each) => each.tenant !== '')) {
        if (beginKeyed(head, tenant, at, inUse.keys, choice) === null) continue;
        if (await db.transaction((tx) => keyChain(tx, tenant, at, choice))) keyed.push(tenant);
      }
      return keyed;
    },
    auditHeads: async () => (await db.all(HEADS)).map(toHead),
    addAnchorEvent: (event, since) =>
      db.transaction(async (tx) => {
        const { tenant, mode, at } = event;
        const isDue = (await tx.run(NOTE_ANCHOR, tenant, mode, at, since)) > 0;
        if (isDue) tx.emit(event);
        return isDue;
      }),
  };
}

/** Of the rows themselves: the head that writers lock is no witness of what can be read. */
const HEADS = `SELECT newest.* FROM (SELECT id FROM tenant UNION ALL SELECT '') AS chain (id)
  CROSS JOIN LATERAL (
    SELECT tenant, n, hash, mac FROM audit WHERE tenant = chain.id ORDER BY n DESC LIMIT 1
  ) AS newest ORDER BY newest.tenant`;

const NOTE_ANCHOR = `INSERT INTO event_head (tenant, mode, seq, anchored_at)
  SELECT id, $2, 0, $3 FROM tenant WHERE id = $1 AND active
  ON CONFLICT (tenant, mode) DO UPDATE SET anchored_at = excluded.anchored_at
    WHERE coalesce(event_head.anchored_at, 0) < $4`;

/** One of a version from before there were keys: its rows would stand among keyed ones without a MAC. */
async function isOldNodeServing(db: Database): Promise<boolean> {
  const row = await db.get(`SELECT 1 FROM node WHERE ${HAS_LEASE} AND NOT keys_audit LIMIT 1`);
  return row !== undefined;
}

async function keyChain(tx: Tx, tenant: string, at: number, choice: KeyChoice): Promise<boolean> {
  const row = beginKeyed(await lockHead(tx, tenant), tenant, at, tx.auditKeys(), choice);
  if (row === null || (row.n === 1 && tenant !== '')) return false;
  await insert(tx, row);
  return true;
}

async function lockHead(tx: Tx, tenant: string): Promise<ChainHead> {
  const head = await tx.get(
    `INSERT INTO audit_head (tenant, n, hash) VALUES ($1, 0, $2)
     ON CONFLICT (tenant) DO UPDATE SET n = audit_head.n RETURNING tenant, n, hash, mac`,
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

function toHead(row: Row): AuditHead {
  return {
    tenant: String(row['tenant']),
    n: Number(row['n']),
    hash: String(row['hash']),
    mac: textOrNull(row['mac']!),
  };
}
