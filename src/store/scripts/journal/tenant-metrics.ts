/** Metrics of tenants' modes over time: minutes as nodes write them, folded into longer steps as they age. */

import type { KeyMode } from '../../../tenancy/tenant.ts';
import {
  type Figures,
  mergeTimes,
  parseFigures,
  printFigures,
} from '../../../tenant-metrics/figures.ts';
import { figuresByStep, floorTo, type StoredFigures } from '../../../tenant-metrics/spans.ts';
import type { Row } from '../../rows/row.ts';
import type { NodeMinute, TenantMetricStore, WorldCount } from '../../tenant-metrics.ts';
import { type Runner, type Script, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { TENANT_REMAINS } from '../shared/tenant-remains.ts';

const MINUTE_MS = 60_000;

export function makeTenantMetricStore({ sql, write }: Runner): TenantMetricStore {
  return {
    ...makeReads(sql),
    async addMinutes(minutes) {
      if (minutes.length > 0) await write(ADD, minutes);
    },
    foldMetrics: (step) => write(FOLD, step),
  };
}

// ── writes ─────────────────────────────────────────────────────────────────────────────────────

const ADD: Script<readonly NodeMinute[], null> = {
  name: 'addMinutes',
  async act(tx, asks) {
    await tx.run(
      `INSERT INTO tenant_metric (tenant, mode, step_ms, at, node, figures)
       SELECT tenant, mode, ${MINUTE_MS}, at, node, figures
         FROM @given(tenant text, mode text, at bigint, node text, figures text)
        WHERE ${TENANT_REMAINS}
        ORDER BY tenant, mode, at, node
       ON CONFLICT (tenant, mode, step_ms, at, node) DO UPDATE SET figures = excluded.figures`,
      { given: asks.flat() },
    );
    return asks.map(() => null);
  },
};

type Fold = Parameters<TenantMetricStore['foldMetrics']>[0];

const DUE = `SELECT tenant, mode, step_ms, at, node, figures FROM tenant_metric
  WHERE step_ms = :step AND at < :before ORDER BY at, tenant, mode, node LIMIT :limit`;

const FOLD = scriptOfOne('foldMetrics', async (tx, ask: Fold): Promise<number> => {
  const { stepMs: step, intoMs, before, limit } = ask;
  if ((await tx.all(DUE, { step, before, limit: 1 })).length === 0) return 0;
  // One node at a time: two that add to the same row would lose each other's figures.
  await tx.run(
    `INSERT INTO revision (name, n) VALUES ('metrics', 1)
     ON CONFLICT (name) DO UPDATE SET n = revision.n + 1`,
  );
  const found = (await tx.all(DUE, { step, before, limit })).map(toStored);
  const due = found.length < limit ? found : withoutLastGroup(found);
  if (intoMs !== null) await addTo(tx, due, intoMs);
  await tx.run(
    `DELETE FROM tenant_metric WHERE (tenant, mode, step_ms, at, node) IN (
       SELECT tenant, mode, step_ms, at, node
         FROM @given(tenant text, mode text, step_ms bigint, at bigint, node text))`,
    { given: due },
  );
  return due.length;
});

interface Kept extends StoredFigures {
  readonly tenant: string;
  readonly mode: KeyMode;
  readonly node: string;
}

/** All rows of one time are folded together: otherwise the number of players would be too low. */
function withoutLastGroup(rows: readonly Kept[]): readonly Kept[] {
  const last = groupOf(rows.at(-1)!);
  const whole = rows.filter((row) => groupOf(row) !== last);
  // More nodes than that do not exist; if they did, the group would never be removed.
  return whole.length > 0 ? whole : rows;
}

const groupOf = ({ tenant, mode, at }: Kept): string => `${tenant} ${mode} ${at}`;

/** Rows of all nodes together have no node. */
const ALL_NODES = '';

async function addTo(tx: Tx, due: readonly Kept[], stepMs: number): Promise<void> {
  const targets = Map.groupBy(due, ({ tenant, mode, at }) =>
    groupOf({ tenant, mode, at: floorTo(at, stepMs) } as Kept),
  );
  const given = Array.from(targets.values(), ([first]) => ({
    tenant: first!.tenant,
    mode: first!.mode,
    stepMs,
    at: floorTo(first!.at, stepMs),
    node: ALL_NODES,
  }));
  const known = await tx.all(
    `SELECT tenant_metric.* FROM @given(tenant text, mode text, step_ms bigint, at bigint, node text)
       JOIN tenant_metric ON tenant_metric.tenant = given.tenant AND tenant_metric.mode = given.mode
        AND tenant_metric.step_ms = given.step_ms AND tenant_metric.at = given.at
        AND tenant_metric.node = given.node`,
    { given },
  );
  const before = new Map(
    known.map(toStored).map((row) => [groupOf(row), parseFigures(row.figures)]),
  );
  const merged = given.map((target) => {
    const name = groupOf({ ...target, figures: '' });
    const parts: Figures[] = figuresByStep(targets.get(name)!).map(({ figures }) => figures);
    const more = before.get(name);
    return { ...target, figures: printFigures(mergeTimes(more ? [more, ...parts] : parts)) };
  });
  await tx.run(
    `INSERT INTO tenant_metric (tenant, mode, step_ms, at, node, figures)
     SELECT tenant, mode, step_ms, at, node, figures
       FROM @given(tenant text, mode text, step_ms bigint, at bigint, node text, figures text)
      WHERE TRUE ORDER BY tenant, mode, at
     ON CONFLICT (tenant, mode, step_ms, at, node) DO UPDATE SET figures = excluded.figures`,
    { given: merged },
  );
}

export const TENANT_METRIC_SCRIPTS = [ADD, FOLD];

// ── reads ──────────────────────────────────────────────────────────────────────────────────────

/** From the index `session_census` only. */
const ACTIVE = `SELECT tenant, mode, count(*) AS n FROM session
  WHERE status <> 'ended' AND status = 'active'`;

function makeReads(sql: Sql) {
  return {
    async listMetrics(tenant, mode, from) {
      const rows = await sql.all(
        'SELECT * FROM tenant_metric WHERE tenant = :tenant AND mode = :mode AND at >= :from ORDER BY at',
        { tenant, mode, from },
      );
      return rows.map(toStored);
    },
    async countActive() {
      const rows = await sql.all(`${ACTIVE} AND mode <> 'training' GROUP BY tenant, mode`);
      return rows.map(toActive);
    },
    async countActiveOf(tenant, mode) {
      const row = await sql.get(
        `${ACTIVE} AND tenant = :tenant AND mode = :mode GROUP BY tenant, mode`,
        { tenant, mode },
      );
      return row === undefined ? 0 : toActive(row).n;
    },
  } satisfies Partial<TenantMetricStore>;
}

function toActive(row: Row): WorldCount {
  return { tenant: String(row['tenant']), mode: row['mode'] as KeyMode, n: Number(row['n']) };
}

function toStored(row: Row): Kept {
  return {
    tenant: String(row['tenant']),
    mode: row['mode'] as KeyMode,
    stepMs: Number(row['step_ms']),
    at: Number(row['at']),
    node: String(row['node']),
    figures: String(row['figures']),
  };
}
