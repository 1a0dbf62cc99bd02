/** Which node serves which webhook: a column of its row, good as long as the node's lease is. */

import type { ServedWebhook, WebhookClaim, WebhookClaimStore } from '../cluster.ts';
import { HAS_LEASE } from './lease.ts';
import type { Row, Sql, Transactor, Tx } from './sql.ts';

const FIELDS = 'tenant, id, epoch, revision';

export function makeWebhookClaimStore(db: Sql & Transactor): WebhookClaimStore {
  return {
    claimWebhooks: (node) => db.transaction((tx) => claim(tx, node)),
    async releaseWebhooks(node, webhooks) {
      if (webhooks.length === 0) return;
      await db.run(
        `UPDATE webhook SET server = NULL WHERE id IN (
           SELECT id FROM webhook WHERE id = ANY($2::text[]) AND server = $1 ORDER BY id FOR UPDATE)`,
        node,
        webhooks,
      );
    },
  };
}

async function claim(tx: Tx, node: string): Promise<WebhookClaim> {
  const own = await tx.get(`SELECT draining FROM node WHERE id = $1 AND ${HAS_LEASE}`, node);
  if (own === undefined) return { served: [], share: 0 };
  const share = own['draining'] === true ? 0 : await shareOf(tx);
  const held = await tx.all(
    `SELECT ${FIELDS} FROM webhook WHERE server = $1 AND disabled IS NULL ORDER BY id`,
    node,
  );
  const room = share - held.length;
  const taken = room > 0 ? await take(tx, node, room) : [];
  const served = [...held, ...taken].map(toServed);
  return { served: served.sort((a, b) => (a.id < b.id ? -1 : 1)), share };
}

/** Rounded up: all shares together leave nothing over. */
async function shareOf(tx: Tx): Promise<number> {
  const row = await tx.get(
    `SELECT (SELECT count(*) FROM webhook WHERE disabled IS NULL) AS webhooks,
       (SELECT count(*) FROM node WHERE ${HAS_LEASE} AND NOT draining) AS nodes`,
  );
  return Math.ceil(Number(row!['webhooks']) / Math.max(1, Number(row!['nodes'])));
}

/** Those that another node is taking at this moment are left to it. */
function take(tx: Tx, node: string, room: number): Promise<readonly Row[]> {
  return tx.all(
    `UPDATE webhook SET server = $1, epoch = epoch + 1 WHERE id IN (
       SELECT id FROM webhook WHERE disabled IS NULL AND (server IS NULL OR NOT EXISTS (
         SELECT 1 FROM node WHERE node.id = webhook.server AND ${HAS_LEASE}))
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
     RETURNING ${FIELDS}`,
    node,
    room,
  );
}

function toServed(row: Row): ServedWebhook {
  return {
    tenant: String(row['tenant']),
    id: String(row['id']),
    epoch: Number(row['epoch']),
    revision: Number(row['revision']),
  };
}
