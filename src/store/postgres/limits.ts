/** Limits that all nodes share, in rows: windows of tokens, and places that nodes have. */

import type { LimitStore } from '../limits.ts';
import { HAS_LEASE, NOW } from './lease.ts';
import type { Sql, Transactor } from './sql.ts';

/** The formula of `grantOf`: `$3` limit, `$4` wanted, `$5` part. */
const grantOf = (used: string) =>
  `greatest(0, least($3::bigint - ${used}, $4::bigint, greatest(1, ($3::bigint - ${used}) / $5::bigint)))`;

/** Rows removed at a time. */
const REMOVED_MAX = 10_000;

/** A node whose lease has been over for so long does not come back for what it had. Ms. */
const GONE_MS = 600_000;

/** Rows of nodes that are gone. The nodes are looked up one by one: a table may be long. */
function removeOfGone(db: Sql, table: string): Promise<number> {
  return db.run(
    `WITH RECURSIVE holder AS (
       (SELECT node FROM ${table} ORDER BY node LIMIT 1)
       UNION ALL
       SELECT (SELECT node FROM ${table} WHERE node > holder.node ORDER BY node LIMIT 1)
         FROM holder WHERE holder.node IS NOT NULL
     )
     DELETE FROM ${table} WHERE node IN (
       SELECT node FROM holder WHERE node IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM node WHERE node.id = holder.node AND node.lease_until > ${NOW} - ${GONE_MS}))`,
  );
}

export function makeLimitStore(db: Sql & Transactor): LimitStore {
  return {
    async takeTokens({ key, endsAt, limit, wanted, part }) {
      const row = await db.get(
        `INSERT INTO token_window (key, ends_at, used, granted)
           VALUES ($1, $2, ${grantOf('0')}, ${grantOf('0')})
         ON CONFLICT (key, ends_at) DO UPDATE SET
           used = token_window.used + ${grantOf('token_window.used')},
           granted = ${grantOf('token_window.used')}
         RETURNING granted, greatest(0, $3::bigint - used) AS left`,
        key,
        endsAt,
        limit,
        wanted,
        part,
      );
      return { granted: Number(row!['granted']), left: Number(row!['left']) };
    },
    async returnTokens({ key, endsAt }, count) {
      await db.run(
        'UPDATE token_window SET used = greatest(0, used - $3) WHERE key = $1 AND ends_at = $2',
        key,
        endsAt,
        count,
      );
    },
    holdPlaces: ({ key, node, max, taken, wanted }) =>
      db.transaction(async (tx) => {
        await tx.run(
          `INSERT INTO place_head (key) VALUES ($1)
           ON CONFLICT (key) DO UPDATE SET key = excluded.key`,
          key,
        );
        const row = await tx.get(
          `SELECT coalesce(sum(n), 0) AS n FROM place_lease JOIN node ON node.id = place_lease.node
            WHERE key = $1 AND place_lease.node <> $2
              AND ${HAS_LEASE}`,
          key,
          node,
        );
        const held = Math.max(taken, Math.min(wanted, max - Number(row!['n'])));
        await tx.run(
          held === 0
            ? 'DELETE FROM place_lease WHERE key = $1 AND node = $2'
            : `INSERT INTO place_lease (key, node, n) VALUES ($1, $2, $3)
               ON CONFLICT (key, node) DO UPDATE SET n = excluded.n`,
          ...(held === 0 ? [key, node] : [key, node, held]),
        );
        return held;
      }),
    async removeLeftovers(endedBefore) {
      const windows = await db.run(
        `DELETE FROM token_window WHERE (key, ends_at) IN (
           SELECT key, ends_at FROM token_window WHERE ends_at < $1 LIMIT $2
           FOR UPDATE SKIP LOCKED)`,
        endedBefore,
        REMOVED_MAX,
      );
      let left = 0;
      for (const table of ['place_lease', 'presence']) left += await removeOfGone(db, table);
      return windows + left;
    },
  };
}
