/** Answers kept for repeats of a request (rule H8), and what goes with every write by a tenant. */

import { AnsweredBefore } from '../answered-before.ts';
import type { AuditRow, IdempotencyRow } from '../store.ts';
import { insertAudit } from './audit.ts';
import type { Sql, Tx } from './script.ts';

/** The first answer stays while it is good; an expired one gives way. */
const KEEP = `INSERT INTO idempotency (tenant, mode, method, path, key, body_hash, status, body, mint, expires_at)
  SELECT tenant, mode, method, path, key, body_hash, status, body, mint, expires_at
    FROM @given(tenant text, mode text, method text, path text, key text, body_hash text, status int, body text,
      mint text, expires_at bigint)
   WHERE TRUE ORDER BY tenant, mode, method, path, key
  ON CONFLICT (tenant, mode, method, path, key) DO UPDATE SET
    body_hash = excluded.body_hash, status = excluded.status, body = excluded.body,
    mint = excluded.mint, expires_at = excluded.expires_at
  WHERE idempotency.expires_at <= :kept_at`;

/**
 * Throws `AnsweredBefore` where one stands: what is written with it has been done by another node, and is not to be
 * done twice.
 */
export async function keepAll(sql: Sql, rows: readonly IdempotencyRow[]): Promise<void> {
  // Those that are kept at one time together: it says what has expired.
  for (const [keptAt, group] of Map.groupBy(rows, (row) => row.keptAt)) {
    const given = [...Map.groupBy(group, nameOf).values()].map(([first]) => first!);
    const written = await sql.run(KEEP, { given, kept_at: keptAt });
    if (written < group.length) throw new AnsweredBefore();
  }
}

function nameOf({ tenant, mode, method, path, key }: IdempotencyRow): string {
  return JSON.stringify([tenant, mode, method, path, key]);
}

/** The audit's row and the answer for repeats. */
export async function note(
  tx: Tx,
  { audit, idempotency }: { readonly audit: AuditRow; readonly idempotency: IdempotencyRow | null },
): Promise<void> {
  if (idempotency !== null) await keepAll(tx, [idempotency]);
  await insertAudit(tx, audit);
}
