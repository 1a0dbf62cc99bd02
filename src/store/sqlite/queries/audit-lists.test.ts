/** Lists of the audit are read in index order, never sorted: the plan of each filter. */

import { afterAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import { auditFilter } from '../../contract/stage.ts';
import type { AuditFilter } from '../../journal.ts';
import { auditQuery, namesQuery } from '../../scripts/journal/audit-reads.ts';
import type { Scalar } from '../../scripts/shared/notation.ts';
import { migrate } from '../file/migrate.ts';
import { makeBinder } from '../sql/dialect.ts';

const db = new DatabaseSync(':memory:');
migrate(db);
const bind = makeBinder();
afterAll(() => db.close());

function explain(text: string, values: Readonly<Record<string, Scalar>>): string {
  const bound = bind(text, values);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${bound.text}`).all(...bound.runs[0]!);
  return rows.map((row) => String(row['detail'])).join(' + ');
}

function planOf(fields: Partial<AuditFilter>): string {
  const { text, values } = auditQuery(auditFilter(fields));
  return explain(text, values);
}

test('[STORE-SQ5] the audit is listed by its key, and filtered through the index of the filter', () => {
  expect(planOf({})).toBe('SEARCH audit USING PRIMARY KEY (tenant=?)');
  expect(planOf({ before: 9 })).toBe('SEARCH audit USING PRIMARY KEY (tenant=? AND n<?)');
  const both = { act: 'key.revoked', actor: 'cli' };
  for (const [fields, index] of [
    [{ from: 1 }, 'audit_time (tenant=? AND at>?)'],
    [{ to: 5 }, 'audit_time (tenant=? AND at<?)'],
    [{ act: 'key.revoked' }, 'audit_act (tenant=? AND act=?)'],
    [{ actor: 'cli' }, 'audit_actor (tenant=? AND actor=?)'],
    [both, 'audit_actor_act (tenant=? AND actor=? AND act=?)'],
    [{ ...both, from: 1 }, 'audit_actor_act (tenant=? AND actor=? AND act=? AND at>?)'],
  ] as const) {
    expect(planOf(fields)).toBe(`SEARCH audit USING INDEX ${index}`);
    const behind = planOf({ ...fields, before: 9 });
    expect(behind).toContain(`SEARCH audit USING INDEX ${index.split(')')[0]}`);
    expect(behind).toMatch(/at,n\)<\(\?,\?\)|at</);
    expect(behind).not.toMatch(/TEMP B-TREE/);
  }
});

test('[STORE-SQ5] acts and actors are found by skipping from one to the next, not row by row', () => {
  for (const column of ['act', 'actor'] as const) {
    const plan = explain(namesQuery(column), { tenant: 'ten_a', limit: 9 });
    expect(plan).toContain(`audit_${column} (tenant=? AND ${column}>?)`);
    expect(plan).not.toMatch(/SCAN audit/);
  }
});
