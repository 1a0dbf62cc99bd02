/** The key watch: counts over all nodes. */

import type { NewEvent } from '../../../events/event.ts';
import type { KeyFacts } from '../../../tenancy/key-alert.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import {
  HOURS_A_DAY,
  hourOf,
  type KeyAlertRow,
  type KeyWatchStore,
  type NotedKeyUse,
  USUAL_HOURS,
} from '../../key-watch.ts';
import { toKeyAlert, toKeyFacts } from '../../rows/key-watch-rows.ts';
import type { Row } from '../../rows/row.ts';
import type { AuditRow } from '../../store.ts';
import { insertAudit } from '../shared/audit.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';
import { TENANT_REMAINS } from '../shared/tenant-remains.ts';

export function makeKeyWatchStore({ sql, write }: Runner): KeyWatchStore {
  return {
    noteKeyUses: (uses, at, networksMax) => write(NOTE_USES, { uses, at, networksMax }),
    raiseKeyAlert: (alert, event) => write(RAISE, { alert, event }),
    async listKeyAlerts(tenant, mode, limit) {
      const rows = await sql.all(
        `SELECT * FROM key_alert WHERE tenant = :tenant AND mode = :mode AND acknowledged_at IS NULL
         ORDER BY id DESC LIMIT :limit`,
        { tenant, mode, limit },
      );
      return rows.map(toKeyAlert);
    },
    acknowledgeKeyAlert: (tenant, mode, id, at, audit) =>
      write(ACKNOWLEDGE, { tenant, mode, id, at, audit }),
    removeKeyWatch: (before) => write(REMOVE, before),
  };
}

interface NoteUses {
  readonly uses: readonly NotedKeyUse[];
  readonly at: number;
  readonly networksMax: number;
}

const NOTE_USES = scriptOfOne('noteKeyUses', noteUses);

async function noteUses(tx: Tx, { uses, at, networksMax }: NoteUses): Promise<KeyFacts[]> {
  // In a fixed order, because every node does this at the same times.
  const sorted = [...uses].sort((a, b) => (a.key < b.key ? -1 : 1));
  const keys = sorted.map(({ key }) => key);
  const hour = hourOf(at);
  await tx.run(COUNT_HOUR, { given: sorted, hour });
  const known = byKey(await tx.all(KNOWN, { keys }));
  const added = await addNetworks(tx, sorted, known, at, networksMax);
  const hours = byKey(await tx.all(HOURS, { keys, hour }));
  return uses.map(({ key }) =>
    toKeyFacts(key, hours.get(key) ?? {}, known.get(key) ?? {}, added.get(key) ?? 0),
  );
}

const COUNT_HOUR = `INSERT INTO key_hour (tenant, key, hour, requests, refused)
  SELECT tenant, key, :hour, requests, refused
    FROM @given(tenant text, key text, requests bigint, refused bigint) WHERE ${TENANT_REMAINS} ORDER BY key
  ON CONFLICT (key, hour) DO UPDATE SET
    requests = key_hour.requests + excluded.requests, refused = key_hour.refused + excluded.refused`;

const KNOWN = `SELECT key, count(*) AS n, min(first_at) AS first_at FROM key_network
  WHERE key IN :keys(text) GROUP BY key`;

const HOURS = `SELECT key,
    max(requests) FILTER (WHERE hour = :hour) AS requests,
    max(refused) FILTER (WHERE hour = :hour) AS refused,
    max(requests) FILTER (WHERE hour < :hour) AS busiest_requests,
    max(refused) FILTER (WHERE hour < :hour) AS busiest_refused,
    count(DISTINCT hour / ${HOURS_A_DAY}) FILTER (WHERE hour < :hour) AS days_used
  FROM key_hour WHERE key IN :keys(text) AND hour BETWEEN :hour::bigint - ${USUAL_HOURS} AND :hour
  GROUP BY key`;

const SEE_NETWORKS = `UPDATE key_network SET seen_at = :at FROM @given(key text, network text)
  WHERE key_network.key = given.key AND key_network.network = given.network`;

const ADD_NETWORKS = `INSERT INTO key_network (tenant, key, network, first_at, seen_at)
  SELECT tenant, key, network, :at, :at
    FROM @given(tenant text, key text, network text, is_free boolean)
   WHERE is_free AND ${TENANT_REMAINS} ORDER BY key, network
  ON CONFLICT (key, network) DO NOTHING RETURNING key`;

function byKey(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [String(row['key']), row]));
}

/** How many were new, by key. Keys that have their maximum already are skipped. */
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
  await tx.run(SEE_NETWORKS, { given, at });
  const rows = await tx.all(ADD_NETWORKS, { given, at });
  return new Map(
    [...Map.groupBy(rows, ({ key }) => String(key))].map(([key, of]) => [key, of.length]),
  );
}

const RAISE = scriptOfOne(
  'raiseKeyAlert',
  async (tx, { alert, event }: { readonly alert: KeyAlertRow; readonly event: NewEvent }) => {
    const made = await tx.run(
      `INSERT INTO key_alert (id, tenant, mode, key, kind, day, at, details)
       SELECT id, tenant, mode, key, kind, day, at, details
         FROM @given(id text, tenant text, mode text, key text, kind text, day text, at bigint, details text)
        WHERE ${TENANT_REMAINS} ON CONFLICT (key, kind, day) DO NOTHING`,
      { given: [alert] },
    );
    if (made > 0) tx.emit(event);
    return made > 0;
  },
);

interface Acknowledge {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly id: string;
  readonly at: number;
  readonly audit: AuditRow;
}

const ACKNOWLEDGE = scriptOfOne('acknowledgeKeyAlert', async (tx, ask: Acknowledge) => {
  const { audit, tenant, mode, id, at } = ask;
  const closed = await tx.run(
    `UPDATE key_alert SET acknowledged_at = :at
     WHERE id = :id AND tenant = :tenant AND mode = :mode AND acknowledged_at IS NULL`,
    { tenant, mode, id, at },
  );
  if (closed > 0) await insertAudit(tx, audit);
  return closed > 0;
});

const REMOVE = scriptOfOne(
  'removeKeyWatch',
  async (tx, { hours, rest }: { readonly hours: number; readonly rest: number }) => {
    const before = { hour: hourOf(hours), rest };
    const gone = [
      await tx.run('DELETE FROM key_hour WHERE hour < :hour', before),
      await tx.run('DELETE FROM key_network WHERE seen_at < :rest', before),
      await tx.run('DELETE FROM key_alert WHERE at < :rest', before),
    ];
    return gone.reduce((sum, n) => sum + n, 0);
  },
);

export const KEY_WATCH_SCRIPTS = [NOTE_USES, RAISE, ACKNOWLEDGE, REMOVE];
