/** Which node serves which webhook: a column of its row, good as long as the node's lease is. */

import type { ServedWebhook, WebhookClaimStore } from '../cluster.ts';
import { textOrNull } from '../rows/row.ts';
import { HAS_LEASE } from './lease.ts';
import type { Row, Sql, Transactor, Tx } from './sql.ts';

export function makeWebhookClaimStore(db: Sql & Transactor): WebhookClaimStore {
  let last: Held | null = null;
  return {
    async claimWebhooks(node) {
      const claimed = await db.transaction((tx) => claim(tx, node, last));
      last = claimed.held;
      return { served: last?.served ?? [], share: claimed.share };
    },
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

/** What a node serves. */
interface Held {
  readonly node: string;
  readonly served: readonly ServedWebhook[];
  /** Of the rows that it was read from, or of older ones. */
  readonly digest: string | null;
}

interface Claimed {
  /** Null for a node without a lease. */
  readonly held: Held | null;
  readonly share: number;
}

/** The rows are read only when they have changed since the node was last told: there may be tens of thousands. */
async function claim(tx: Tx, node: string, last: Held | null): Promise<Claimed> {
  const own = await tx.get(`SELECT draining FROM node WHERE id = $1 AND ${HAS_LEASE}`, node);
  if (own === undefined) return { held: null, share: 0 };
  const { digest, heldCount, share, isAnyFree } = await look(tx, node);
  const ownShare = own['draining'] === true ? 0 : share;
  const room = ownShare - heldCount;
  const taken = room > 0 && isAnyFree ? await take(tx, node, room) : 0;
  const isSame = taken === 0 && last?.node === node && last.digest === digest;
  const held = isSame ? last : { node, digest, served: await readServed(tx, node) };
  return { held, share: ownShare };
}

/** A webhook that no living node serves. */
const IS_FREE = `(server IS NULL OR server <> ALL (ARRAY(SELECT id FROM node WHERE ${HAS_LEASE})))`;

/** Epochs and revisions only rise: what a node serves is never again what it was, and nor is its digest. */
const LOOK = `SELECT count(*) AS webhooks, count(*) FILTER (WHERE server = $1) AS held,
    bit_xor(hashtextextended(id, (epoch << 32) # revision)) FILTER (WHERE server = $1)::text AS digest,
    bool_or${IS_FREE} AS is_any_free,
    (SELECT count(*) FROM node WHERE ${HAS_LEASE} AND NOT draining) AS nodes
  FROM webhook WHERE disabled IS NULL`;

/** All active webhooks, in one look. Shares are rounded up: together they leave nothing over. */
async function look(tx: Tx, node: string) {
  const row = (await tx.get(LOOK, node))!;
  return {
    digest: textOrNull(row['digest']),
    heldCount: Number(row['held']),
    share: Math.ceil(Number(row['webhooks']) / Math.max(1, Number(row['nodes']))),
    isAnyFree: row['is_any_free'] === true,
  };
}

/** Answers how many. Those that another node is taking at this moment are left to it. */
function take(tx: Tx, node: string, room: number): Promise<number> {
  return tx.run(
    `UPDATE webhook SET server = $1, epoch = epoch + 1 WHERE id IN (
       SELECT id FROM webhook WHERE disabled IS NULL AND ${IS_FREE}
       ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    node,
    room,
  );
}

async function readServed(tx: Tx, node: string): Promise<readonly ServedWebhook[]> {
  const rows = await tx.all(
    `SELECT tenant, id, epoch, revision FROM webhook WHERE server = $1 AND disabled IS NULL ORDER BY id`,
    node,
  );
  return rows.map(toServed);
}

function toServed(row: Row): ServedWebhook {
  return {
    tenant: String(row['tenant']),
    id: String(row['id']),
    epoch: Number(row['epoch']),
    revision: Number(row['revision']),
  };
}
