/** Which node serves which webhook. A webhook belongs to a node while that node's lease is valid. */

import type { ServedWebhook, WebhookClaim, WebhookClaimStore } from '../../cluster.ts';
import type { Row } from '../../rows/row.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';

/**
 * Every so many asks one examines all webhooks even without a change: nodes of an older version do
 * not report changes.
 */
const FULL_CHECK_EVERY = 10;

/**
 * Records that webhooks have changed. Last in a transaction, because all transactions that change
 * one wait for this row.
 */
export async function noteWebhookChange(tx: Tx): Promise<void> {
  await tx.run(
    `INSERT INTO revision (name, n) VALUES ('webhooks', 1)
     ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`,
  );
}

/** A node's last result. */
interface Told extends Claimed {
  readonly node: string;
  readonly sign: string;
}

/**
 * The rows are read only when one may have changed since the node's last call: there may be tens of
 * thousands.
 */
export function makeWebhookClaimStore({ sql, write }: Runner): WebhookClaimStore {
  let last: Told | null = null;
  let asked = 0;
  return {
    async claimWebhooks(node) {
      const sign = await readSign(sql, node);
      asked += 1;
      const isFresh = last?.node === node && last.sign === sign && asked % FULL_CHECK_EVERY !== 0;
      if (!isFresh || !last!.isSettled) {
        const before = last?.node === node ? last.served : [];
        last = null;
        const claimed = await write(CLAIM, node);
        const served = isSame(before, claimed.served) ? before : claimed.served;
        last = { ...claimed, served, node, sign };
      }
      return { served: last!.served, share: last!.share };
    },
    async releaseWebhooks(node, webhooks) {
      if (webhooks.length > 0) await write(RELEASE, { node, webhooks });
    },
  };
}

/** Unchanged as long as no webhook changes and the same nodes live. */
async function readSign(sql: Sql, node: string): Promise<string> {
  const rows = await sql.all(
    `SELECT id, draining, (SELECT n FROM revision WHERE name = 'webhooks') AS n FROM node
      WHERE ${HAS_LEASE} ORDER BY id`,
  );
  const living = rows.map(({ id, draining }) => `${String(id)}${draining ? ' draining' : ''}`);
  return [node, String(rows[0]?.['n']), ...living].join('\n');
}

function isSame(a: readonly ServedWebhook[], b: readonly ServedWebhook[]): boolean {
  return a.length === b.length && JSON.stringify(a) === JSON.stringify(b);
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

interface Claimed extends WebhookClaim {
  /** Nothing that the node should have is free: until something changes it need not check. */
  readonly isSettled: boolean;
}

const CLAIM = scriptOfOne('claimWebhooks', claim);

async function claim(tx: Tx, node: string): Promise<Claimed> {
  const living = await tx.all(`SELECT id, draining FROM node WHERE ${HAS_LEASE} ORDER BY id`);
  const own = living.find(({ id }) => id === node);
  if (own === undefined) return { served: [], share: 0, isSettled: true };
  const share = own['draining'] ? 0 : await shareOf(tx, living);
  const ids = living.map(({ id }) => String(id));
  const held = await readServed(tx, node);
  const room = share - held.length;
  const free = room > 0 ? await countFree(tx, ids, room) : 0;
  if (free === 0) return { served: held, share, isSettled: true };
  const taken = await take(tx, node, ids, room);
  const served = taken === 0 ? held : await readServed(tx, node);
  // Last: all transactions that change a webhook wait for it.
  if (taken > 0) await noteWebhookChange(tx);
  return { served, share, isSettled: taken >= free };
}

/** Shares are rounded up, so that together they cover all. */
async function shareOf(tx: Tx, living: readonly Row[]): Promise<number> {
  const row = await tx.get('SELECT count(*) AS n FROM webhook WHERE disabled IS NULL');
  const nodes = living.filter(({ draining }) => !draining).length;
  return Math.ceil(Number(row!['n']) / Math.max(1, nodes));
}

/** A webhook that no live node serves. */
const IS_FREE = '(server IS NULL OR server NOT IN :living(text))';

async function countFree(tx: Tx, living: readonly string[], most: number): Promise<number> {
  const row = await tx.get(
    `SELECT count(*) AS n FROM (
       SELECT 1 AS one FROM webhook WHERE disabled IS NULL AND ${IS_FREE} LIMIT :most) AS free`,
    { living, most },
  );
  return Number(row!['n']);
}

/** Returns how many. Skips those that another node is claiming. */
function take(tx: Tx, node: string, living: readonly string[], room: number): Promise<number> {
  return tx.run(
    `WITH taken AS (
       SELECT id FROM webhook WHERE disabled IS NULL AND ${IS_FREE}
        ORDER BY id LIMIT :room FOR UPDATE SKIP LOCKED)
     UPDATE webhook SET server = :node, epoch = epoch + 1 WHERE id IN (SELECT id FROM taken)`,
    { node, living, room },
  );
}

async function readServed(tx: Tx, node: string): Promise<readonly ServedWebhook[]> {
  const rows = await tx.all(
    `SELECT tenant, id, epoch, revision FROM webhook WHERE server = :node AND disabled IS NULL
      ORDER BY id`,
    { node },
  );
  return rows.map((row) => ({
    tenant: String(row['tenant']),
    id: String(row['id']),
    epoch: Number(row['epoch']),
    revision: Number(row['revision']),
  }));
}

interface Release {
  readonly node: string;
  readonly webhooks: readonly string[];
}

const RELEASE = scriptOfOne('releaseWebhooks', async (tx, { node, webhooks }: Release) => {
  const released = await tx.run(
    `UPDATE webhook SET server = NULL WHERE id IN (
       SELECT id FROM webhook WHERE id IN :webhooks(text) AND server = :node ORDER BY id FOR UPDATE)`,
    { node, webhooks },
  );
  if (released > 0) await noteWebhookChange(tx);
  return null;
});

export const WEBHOOK_CLAIM_SCRIPTS = [CLAIM, RELEASE];
