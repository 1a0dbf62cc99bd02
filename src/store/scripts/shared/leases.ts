/** Leases of nodes, by the database's clock: machines' clocks need not agree. */

import type { LeaseRow, MemberStore, Renewal } from '../../cluster.ts';
import type { Row } from '../../rows/row.ts';
import { type Runner, scriptOfOne, type Tx } from './script.ts';

/** Whether the lease in a row of `node` is valid. */
export const HAS_LEASE = 'node.lease_until > now_ms()';

/** How long the rows of a dead node stay, until another node joins. Ms. */
const GONE_MS = 24 * 60 * 60 * 1_000;

export function makeLeaseStore({
  sql,
  write,
}: Runner): Pick<MemberStore, 'renewLease' | 'listLeases' | 'endLease' | 'removeNode'> {
  return {
    renewLease: (node, ttlMs, isDraining, isLostTimeDue = false) =>
      write(RENEW, { node, ttlMs, isDraining, isLostTimeDue }),
    async listLeases() {
      const rows = await sql.all(
        `SELECT id, lease_until, alive_at, draining, ${HAS_LEASE} AS is_valid FROM node
          WHERE lease_until > 0 ORDER BY id`,
      );
      return rows.map(toLeaseRow);
    },
    endLease: (node, leftMs) => write(END, { node, leftMs }),
    async removeNode(node) {
      await write(REMOVE, node);
    },
  };
}

function toLeaseRow(row: Row): LeaseRow {
  return {
    node: String(row['id']),
    leaseUntil: Number(row['lease_until']),
    aliveAt: Number(row['alive_at']),
    isDraining: Boolean(row['draining']),
    isValid: Boolean(row['is_valid']),
  };
}

interface Renew {
  readonly node: string;
  readonly ttlMs: number;
  readonly isDraining: boolean;
  readonly isLostTimeDue: boolean;
}

const PROLONG = `UPDATE node SET lease_until = now_ms() + :ttlMs, draining = :isDraining, keys_audit = TRUE,
    alive_at = CASE WHEN :isLostTimeDue THEN alive_at ELSE now_ms() END
  WHERE id = :node`;
/** A row with only a heartbeat had no lease to lose. */
const PROLONG_KEPT = `${PROLONG} AND (lease_until = 0 OR ${HAS_LEASE})`;

/** Nearly always one statement. If somebody ends the lease between the first two, it had expired anyway. */
const RENEW = scriptOfOne('renewLease', renew, { isLoose: true });

async function renew(tx: Tx, ask: Renew): Promise<Renewal> {
  const values = { ...ask };
  if ((await tx.run(PROLONG_KEPT, values)) > 0) return 'kept';
  if ((await tx.run(PROLONG, values)) > 0) return 'lost';
  await join(tx, ask);
  return 'kept';
}

/** A new node. Rows of dead nodes are removed, except the latest sign of life. */
async function join(tx: Tx, { node, ttlMs, isDraining }: Renew): Promise<void> {
  await tx.run(
    `INSERT INTO node (id, lease_until, alive_at, draining, keys_audit)
       VALUES (:node, now_ms() + :ttlMs, now_ms(), :isDraining, TRUE)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, keys_audit = TRUE`,
    { node, ttlMs, isDraining },
  );
  await tx.run(
    `DELETE FROM node WHERE lease_until < now_ms() - :gone AND alive_at < now_ms() - :gone
        AND alive_at < (SELECT max(alive_at) FROM node)`,
    { gone: GONE_MS },
  );
  await tx.run('DELETE FROM mail WHERE NOT EXISTS (SELECT 1 FROM node WHERE node.id = to_node)');
}

const END = scriptOfOne(
  'endLease',
  async (tx, { node, leftMs }: { readonly node: string; readonly leftMs: number }) => {
    const ended = await tx.run(
      `UPDATE node SET lease_until = now_ms()
        WHERE id = :node AND ${HAS_LEASE} AND lease_until <= now_ms() + :leftMs`,
      { node, leftMs },
    );
    return ended > 0;
  },
  { isLoose: true },
);

const REMOVE = scriptOfOne(
  'removeNode',
  async (tx, node: string) => {
    await tx.run(`UPDATE node SET lease_until = now_ms() WHERE id = :node AND ${HAS_LEASE}`, {
      node,
    });
    await tx.run('DELETE FROM mail WHERE to_node = :node', { node });
    return null;
  },
  { isLoose: true },
);

export const LEASE_SCRIPTS = [RENEW, END, REMOVE];
