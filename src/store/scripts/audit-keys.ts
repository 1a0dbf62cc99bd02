/** The keys of the audit's chains, and where each chain stands. */

import { beginKeyed, type KeyChoice } from '../../accounts/audit-chain.ts';
import type { NewEvent } from '../../events/event.ts';
import type { AuditHead, AuditKeyStore, AuditKeysInUse } from '../audit-keys.ts';
import { toAuditHead } from '../rows/audit-rows.ts';
import { insertLink, lockHead } from './audit.ts';
import { type Runner, type Sql, scriptOfOne } from './script.ts';

/** Chains that are keyed in one transaction: each is locked until it ends. */
const TOGETHER_MAX = 64;

export interface AuditKeyOptions {
  /** Those that this thread knows of. */
  readonly inUse: AuditKeysInUse;
  /** While a process serves that writes no MACs, its rows would stand among keyed ones. */
  readonly isOldServing: () => Promise<boolean>;
}

export function makeAuditKeyStore(
  { sql, write }: Runner,
  { inUse, isOldServing }: AuditKeyOptions,
): Omit<AuditKeyStore, 'useAuditKeys'> {
  return {
    async keyChains(at, choice) {
      if (await isOldServing()) return 'later';
      const keyed = [...(await write(KEY_CHAINS, { tenants: [''], at, choice }))];
      // Looked at first: of many tenants few have to wait for a lock.
      const due = (await listHeads(sql))
        .filter(({ tenant, ...head }) => {
          return tenant !== '' && beginKeyed(head, tenant, at, inUse.keys, choice) !== null;
        })
        .map(({ tenant }) => tenant);
      for (let from = 0; from < due.length; from += TOGETHER_MAX) {
        const tenants = due.slice(from, from + TOGETHER_MAX);
        keyed.push(...(await write(KEY_CHAINS, { tenants, at, choice })));
      }
      return keyed;
    },
    auditHeads: () => listHeads(sql),
    addAnchorEvent: (event, since) => write(ADD_ANCHOR, { event, since }),
  };
}

/** Of the rows themselves: the head that writers lock is no witness of what can be read. */
const HEADS = `SELECT newest.tenant, newest.n, newest.hash, newest.mac
  FROM (SELECT id FROM tenant UNION ALL SELECT '') AS chain
    JOIN audit AS newest ON newest.tenant = chain.id
      AND newest.n = (SELECT max(n) FROM audit WHERE tenant = chain.id)
  ORDER BY newest.tenant`;

async function listHeads(sql: Sql): Promise<readonly AuditHead[]> {
  return (await sql.all(HEADS)).map(toAuditHead);
}

interface KeyChains {
  /** In their order, as chains are locked. */
  readonly tenants: readonly string[];
  readonly at: number;
  readonly choice: KeyChoice;
}

const KEY_CHAINS = scriptOfOne(
  'keyChains',
  async (tx, { tenants, at, choice }: KeyChains): Promise<readonly string[]> => {
    const keyed: string[] = [];
    for (const tenant of tenants) {
      const row = beginKeyed(await lockHead(tx, tenant), tenant, at, tx.auditKeys(), choice);
      if (row === null || (row.n === 1 && tenant !== '')) continue;
      await insertLink(tx, row);
      keyed.push(tenant);
    }
    return keyed;
  },
);

const ADD_ANCHOR = scriptOfOne(
  'addAnchorEvent',
  async (tx, { event, since }: { readonly event: NewEvent; readonly since: number }) => {
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
  },
);

export const AUDIT_KEY_SCRIPTS = [KEY_CHAINS, ADD_ANCHOR];
