/** Reads of the audit: a chain in order, and its rows that match a filter. */

import { CHAIN_START } from '../../../accounts/audit-chain.ts';
import type { AuditFilter, JournalStore } from '../../journal.ts';
import { toAudit } from '../../rows/journal-rows.ts';
import type { Scalar } from '../shared/notation.ts';
import type { Sql } from '../shared/script.ts';

export function makeAuditReads(sql: Sql) {
  return {
    async listAudit(filter) {
      const { text, values } = auditQuery(filter);
      return (await sql.all(text, values)).map(toAudit);
    },
    async listAuditNames(tenant, limit) {
      const namesOf = async (column: 'act' | 'actor') =>
        (await sql.all(namesQuery(column), { tenant, limit })).map(({ name }) => String(name));
      const [acts, actors] = await Promise.all([namesOf('act'), namesOf('actor')]);
      return { acts, actors };
    },
    async readAudit(tenant, after, limit) {
      const rows = await sql.all(
        'SELECT * FROM audit WHERE tenant = :tenant AND n > :after ORDER BY n LIMIT :limit',
        { tenant, after, limit },
      );
      return rows.map(toAudit);
    },
    // From the rows themselves: the locked head row does not show what can be read.
    async auditHead(tenant) {
      const row = await sql.get(
        'SELECT n, hash FROM audit WHERE tenant = :tenant ORDER BY n DESC LIMIT 1',
        { tenant },
      );
      return { n: Number(row?.['n'] ?? 0), hash: String(row?.['hash'] ?? CHAIN_START) };
    },
  } satisfies Partial<JournalStore>;
}

export interface AuditQuery {
  readonly text: string;
  readonly values: Readonly<Record<string, Scalar>>;
}

/**
 * A chain is ordered by number; a filtered list by time, like its indexes. The two orders differ
 * where the clocks of two nodes do.
 */
export function auditQuery({
  tenant,
  act,
  actor,
  from,
  to,
  before,
  limit,
}: AuditFilter): AuditQuery {
  const values = { tenant, act, actor, from, to, before, limit };
  const conditions: string[] = [];
  if (actor !== null) conditions.push('actor = :actor');
  if (act !== null) conditions.push('act = :act');
  if (from !== null) conditions.push('at >= :from');
  if (to !== null) conditions.push('at < :to');
  const isFiltered = conditions.length > 0;
  if (before !== null) conditions.push(isFiltered ? BEHIND_ROW : 'n < :before');
  const text = `SELECT * FROM audit WHERE ${['tenant = :tenant', ...conditions].join(' AND ')}
    ORDER BY ${isFiltered ? 'at DESC, n DESC' : 'n DESC'} LIMIT :limit`;
  return { text, values };
}

const BEHIND_ROW = `(at, n) <
  ((SELECT at FROM audit AS shown WHERE shown.tenant = :tenant AND shown.n = :before), :before)`;

/** Skips through the index from name to name, however many rows each has. */
export function namesQuery(column: 'act' | 'actor'): string {
  const first = `SELECT min(${column}) FROM audit WHERE tenant = :tenant`;
  return `WITH RECURSIVE found (name, place) AS (
      SELECT (${first}), 1
      UNION ALL
      SELECT (${first} AND ${column} > found.name), place + 1 FROM found
       WHERE found.name IS NOT NULL AND place < :limit)
    SELECT name FROM found WHERE name IS NOT NULL ORDER BY place`;
}
