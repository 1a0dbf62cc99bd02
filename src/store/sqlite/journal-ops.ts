/** Writes of the journal: each runs inside the writer's transaction. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Milestone, PeakSample, RequestRow } from '../journal.ts';
import { countKeyUsage, countUsage } from '../rows/journal-rows.ts';
import { MODE_OF_COUNTER, OPEN_COUNTERS } from '../rows/open-counter.ts';
import type { AuditRow } from '../store.ts';
import { insertAudit } from './audit-rows.ts';
import type { Statements } from './statements.ts';

export type JournalOp =
  | { readonly op: 'logRequests'; readonly rows: readonly RequestRow[] }
  | {
      readonly op: 'removeRequests';
      readonly tenant: string;
      readonly mode: KeyMode;
      readonly before: string;
      readonly limit: number;
    }
  | { readonly op: 'samplePeaks'; readonly sample: PeakSample }
  | { readonly op: 'addAudit'; readonly audit: AuditRow }
  | {
      readonly op: 'addMilestones';
      readonly tenant: string;
      readonly mode: KeyMode;
      readonly steps: readonly Milestone[];
    };

export interface JournalAnswers {
  logRequests: null;
  removeRequests: number;
  samplePeaks: null;
  addAudit: null;
  addMilestones: null;
}

const OPS: ReadonlySet<string> = new Set<JournalOp['op']>([
  'logRequests',
  'removeRequests',
  'samplePeaks',
  'addAudit',
  'addMilestones',
]);

export function isJournalOp(op: { readonly op: string }): op is JournalOp {
  return OPS.has(op.op);
}

export function performJournalOp(sql: Statements, op: JournalOp): JournalAnswers[JournalOp['op']] {
  switch (op.op) {
    case 'logRequests':
      return logRequests(sql, op.rows);
    case 'removeRequests':
      return sql.run(
        `DELETE FROM request WHERE (tenant, mode, id) IN (SELECT tenant, mode, id FROM request
           WHERE tenant = ? AND mode = ? AND id < ? ORDER BY id LIMIT ?)`,
        op.tenant,
        op.mode,
        op.before,
        op.limit,
      );
    case 'samplePeaks':
      return samplePeaks(sql, op.sample);
    case 'addAudit':
      insertAudit(sql, op.audit);
      return null;
    case 'addMilestones':
      for (const { name, at } of op.steps) {
        sql.run(
          'INSERT INTO milestone (tenant, mode, name, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
          op.tenant,
          op.mode,
          name,
          at,
        );
      }
      return null;
  }
}

function logRequests(sql: Statements, rows: readonly RequestRow[]): null {
  for (const row of rows) {
    sql.run(
      `INSERT INTO request (tenant, mode, id, at, method, route, status, code, took_ms, key, session)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      row.tenant,
      row.mode,
      row.id,
      row.at,
      row.method,
      row.route,
      row.status,
      row.code,
      row.tookMs,
      row.keyId,
      row.session,
    );
  }
  for (const { tenant, mode, day, kind, count } of countUsage(rows)) {
    sql.run(
      `INSERT INTO usage (tenant, mode, day, kind, n) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (tenant, mode, day, kind) DO UPDATE SET n = n + excluded.n`,
      tenant,
      mode,
      day,
      kind,
      count,
    );
  }
  for (const { tenant, day, keyId, mode, kind, game, count } of countKeyUsage(rows)) {
    sql.run(
      `INSERT INTO key_usage (tenant, day, key, mode, kind, game, n) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (tenant, day, key, mode, kind, game) DO UPDATE SET n = n + excluded.n`,
      tenant,
      day,
      keyId,
      mode,
      kind,
      game,
      count,
    );
  }
  return null;
}

/** Higher than what stands there, or as it is. */
const RAISE = `ON CONFLICT (tenant, day, mode, kind) DO UPDATE SET n = excluded.n
  WHERE excluded.n > usage_peak.n`;

function samplePeaks(sql: Statements, { node, at, day, sockets, staleBefore }: PeakSample): null {
  sql.run('DELETE FROM usage_now WHERE node = ? OR at < ?', node, staleBefore);
  for (const { tenant, mode, count } of sockets) {
    sql.run(
      'INSERT INTO usage_now (tenant, mode, node, n, at) VALUES (?, ?, ?, ?, ?)',
      tenant,
      mode,
      node,
      count,
      at,
    );
  }
  sql.run(
    `INSERT INTO usage_peak (tenant, day, mode, kind, n)
       SELECT tenant, ?, mode, 'sockets', sum(n) FROM usage_now WHERE true GROUP BY tenant, mode
     ${RAISE}`,
    day,
  );
  sql.run(
    `INSERT INTO usage_peak (tenant, day, mode, kind, n)
       SELECT tenant, ?, ${MODE_OF_COUNTER}, 'openSessions', sum(n) FROM counter
       WHERE name IN ${OPEN_COUNTERS} AND n > 0 GROUP BY tenant, ${MODE_OF_COUNTER}
     ${RAISE}`,
    day,
  );
  return null;
}
