/** The keys of the audit chains: the head of each chain, and rows that key it (rule D8). */

import { beginKeyed, CHAIN_START, type KeyChoice } from '../../../accounts/audit-chain.ts';
import type { NewEvent } from '../../../events/event.ts';
import type { AuditHead, AuditKeyStore, AuditKeysInUse } from '../../audit-keys.ts';
import { appendAudit, lockHead, toHead } from '../shared/audit.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Sql, scriptOfOne } from '../shared/script.ts';

/** `inUse`: the keys that decide which chains still have to be keyed. */
export function makeAuditKeyCalls({ sql, write }: Runner, inUse: AuditKeysInUse) {
  return {
    async keyChains(at, choice) {
      if (await isOldNodeServing(sql)) return 'later';
      const heads = await listHeads(sql);
      const start = { tenant: '', n: 0, hash: CHAIN_START, mac: null };
      // The installation's chain first: new tenants begin with its key.
      const chains = heads[0]?.tenant === '' ? heads : [start, ...heads];
      const keyed: string[] = [];
      for (const { tenant, ...head } of chains) {
        // Checked without a lock first: few of many tenants need one.
        if (beginKeyed(head, tenant, at, inUse.keys, choice) === null) continue;
        if (await write(KEY_CHAIN, { tenant, at, choice })) keyed.push(tenant);
      }
      return keyed;
    },
    auditHeads: () => listHeads(sql),
    addAnchorEvent: (event, since) => write(ADD_ANCHOR, { event, since }),
  } satisfies Partial<AuditKeyStore>;
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

interface KeyChain {
  readonly tenant: string;
  readonly at: number;
  readonly choice: KeyChoice;
}

const KEY_CHAIN = scriptOfOne('keyChain', async (tx, { tenant, at, choice }: KeyChain) => {
  const row = beginKeyed(await lockHead(tx, tenant), tenant, at, tx.auditKeys(), choice);
  if (row === null || (row.n === 1 && tenant !== '')) return false;
  await appendAudit(tx, row);
  return true;
});

interface AddAnchor {
  readonly event: NewEvent;
  readonly since: number;
}

const ADD_ANCHOR = scriptOfOne('addAnchorEvent', async (tx, { event, since }: AddAnchor) => {
  const { tenant, mode, at } = event;
  const noted = await tx.run(
    `INSERT INTO event_head (tenant, mode, seq, anchored_at)
     SELECT id, :mode, 0, :at FROM tenant WHERE id = :tenant AND active
     ON CONFLICT (tenant, mode) DO UPDATE SET anchored_at = excluded.anchored_at
       WHERE coalesce(event_head.anchored_at, 0) < :since`,
    { tenant, mode, at, since },
  );
  if (noted > 0) tx.emit(event);
  return noted > 0;
});

export const AUDIT_KEY_SCRIPTS = [KEY_CHAIN, ADD_ANCHOR];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

/**
 * From the rows themselves: the locked head row does not show what can be read. CROSS JOIN keeps
 * SQLite from starting with all rows.
 */
const HEADS = `SELECT audit.tenant, audit.n, audit.hash, audit.mac
  FROM (SELECT id, (SELECT max(n) FROM audit WHERE audit.tenant = chain.id) AS n
    FROM (SELECT '' AS id UNION ALL SELECT id FROM tenant) AS chain) AS newest
  CROSS JOIN audit WHERE audit.tenant = newest.id AND audit.n = newest.n ORDER BY audit.tenant`;

/** A node of a version without keys: its rows would have no MAC among keyed ones. */
async function isOldNodeServing(sql: Sql): Promise<boolean> {
  const row = await sql.get(
    `SELECT 1 AS one FROM node WHERE ${HAS_LEASE} AND NOT keys_audit LIMIT 1`,
  );
  return row !== undefined;
}

async function listHeads(sql: Sql): Promise<readonly AuditHead[]> {
  const rows = await sql.all(HEADS);
  return rows.map((row) => ({ tenant: String(row['tenant']), ...toHead(row) }));
}
