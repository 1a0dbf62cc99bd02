/** Writes of the journal: each runs inside the writer's transaction. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import type { Milestone, RequestRow } from '../journal.ts';
import { countUsage } from '../rows/journal-rows.ts';
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
  addAudit: null;
  addMilestones: null;
}

const OPS: ReadonlySet<string> = new Set<JournalOp['op']>([
  'logRequests',
  'removeRequests',
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
  return null;
}
