/** The watch over keys in PostgreSQL: counts of all nodes together. */

import {
  HOURS_A_DAY,
  hourOf,
  type KeyWatchStore,
  type NotedKeyUse,
  USUAL_HOURS,
} from '../key-watch.ts';
import { toKeyAlert, toKeyFacts } from '../rows/key-watch-rows.ts';
import { insertAudit } from './audit-rows.ts';
import type { Row, Sql, Transactor, Tx } from './sql.ts';

export function makeKeyWatchStore(db: Sql & Transactor): KeyWatchStore {
  return {
    noteKeyUses: (uses, at, networksMax) =>
      db.transaction(async (tx) => {
        // In one order, as every node does this at the same times.
        const sorted = [...uses].sort((a, b) => (a.key < b.key ? -1 : 1));
        const keys = sorted.map(({ key }) => key);
        await countHour(tx, sorted, hourOf(at));
        const known = byKey(await tx.all(KNOWN, keys));
        const added = await addNetworks(tx, sorted, known, at, networksMax);
        const hours = byKey(await tx.all(HOURS, keys, hourOf(at)));
        return uses.map(({ key }) =>
          toKeyFacts(key, hours.get(key) ?? {}, known.get(key) ?? {}, added.get(key) ?? 0),
        );
      }),
    raiseKeyAlert: ({ id, tenant, mode, key, kind, day, at, details }, event) =>
      db.transaction(async (tx) => {
        const made = await tx.run(
          `INSERT INTO key_alert (id, tenant, mode, key, kind, day, at, details)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key, kind, day) DO NOTHING`,
          ...[id, tenant, mode, key, kind, day, at, details],
        );
        if (made > 0) tx.emit(event);
        return made > 0;
      }),
    async listKeyAlerts(tenant, mode, limit) {
      const rows = await db.all(
        `SELECT * FROM key_alert WHERE tenant = $1 AND mode = $2 AND acknowledged_at IS NULL
         ORDER BY id DESC LIMIT $3`,
        ...[tenant, mode, limit],
      );
      return rows.map(toKeyAlert);
    },
    acknowledgeKeyAlert: (tenant, mode, id, at, audit) =>
      db.transaction(async (tx) => {
        const closed = await tx.run(
          `UPDATE key_alert SET acknowledged_at = $4
           WHERE id = $1 AND tenant = $2 AND mode = $3 AND acknowledged_at IS NULL`,
          ...[id, tenant, mode, at],
        );
        if (closed > 0) await insertAudit(tx, audit);
        return closed > 0;
      }),
    async removeKeyWatch({ hours, rest }) {
      const gone = [
        await db.run('DELETE FROM key_hour WHERE hour < $1', hourOf(hours)),
        await db.run('DELETE FROM key_network WHERE seen_at < $1', rest),
        await db.run('DELETE FROM key_alert WHERE at < $1', rest),
      ];
      return gone.reduce((sum, n) => sum + n, 0);
    },
  };
}

const KNOWN = `SELECT key, count(*) AS n, min(first_at) AS first_at FROM key_network
  WHERE key = ANY($1::text[]) GROUP BY key`;

const HOURS = `SELECT key,
    max(requests) FILTER (WHERE hour = $2) AS requests,
    max(refused) FILTER (WHERE hour = $2) AS refused,
    max(requests) FILTER (WHERE hour < $2) AS busiest_requests,
    max(refused) FILTER (WHERE hour < $2) AS busiest_refused,
    count(DISTINCT hour / ${HOURS_A_DAY}) FILTER (WHERE hour < $2) AS days_used
  FROM key_hour WHERE key = ANY($1::text[]) AND hour BETWEEN $2::bigint - ${USUAL_HOURS} AND $2
  GROUP BY key`;

function byKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row['key']), row]));
}

async function countHour(tx: Tx, uses: readonly NotedKeyUse[], hour: number): Promise<void> {
  await tx.run(
    `INSERT INTO key_hour (tenant, key, hour, requests, refused)
     SELECT tenant, key, $5, requests, refused
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
       AS given (tenant, key, requests, refused) ORDER BY key
     ON CONFLICT (key, hour) DO UPDATE SET
       requests = key_hour.requests + excluded.requests, refused = key_hour.refused + excluded.refused`,
    uses.map(({ tenant }) => tenant),
    uses.map(({ key }) => key),
    uses.map(({ requests }) => requests),
    uses.map(({ refused }) => refused),
    hour,
  );
}

/** How many were new, by key. Those of a key that has its number already are passed over. */
async function addNetworks(
  tx: Tx,
  uses: readonly NotedKeyUse[],
  known: ReadonlyMap<string, Row>,
  at: number,
  networksMax: number,
): Promise<ReadonlyMap<string, number>> {
  const given = uses.flatMap(({ tenant, key, networks }) => {
    const free = networksMax - Number(known.get(key)?.['n'] ?? 0);
    return [...networks].sort().map((network, i) => ({ tenant, key, network, isFree: i < free }));
  });
  if (given.length === 0) return new Map();
  const columns = [given.map(({ key }) => key), given.map(({ network }) => network)] as const;
  await tx.run(
    `UPDATE key_network SET seen_at = $3
     FROM unnest($1::text[], $2::text[]) AS given (key, network)
     WHERE key_network.key = given.key AND key_network.network = given.network`,
    ...columns,
    at,
  );
  const rows = await tx.all(
    `INSERT INTO key_network (tenant, key, network, first_at, seen_at)
     SELECT tenant, key, network, $5, $5
     FROM unnest($1::text[], $2::text[], $3::text[], $4::boolean[])
       AS given (key, network, tenant, is_free) WHERE is_free ORDER BY key, network
     ON CONFLICT (key, network) DO NOTHING RETURNING key`,
    ...columns,
    given.map(({ tenant }) => tenant),
    given.map(({ isFree }) => isFree),
    at,
  );
  return rows.reduce<Map<string, number>>(
    (counts, row) => counts.set(String(row['key']), (counts.get(String(row['key'])) ?? 0) + 1),
    new Map(),
  );
}
