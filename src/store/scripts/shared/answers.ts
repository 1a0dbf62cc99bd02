/** Responses stored for repeats of a request (rule H8), and what every write by a tenant includes. */

import { textOrNull } from '../../rows/row.ts';
import { AnsweredBefore } from '../../shared/answered-before.ts';
import type { AuditRow, IdempotencyId, IdempotencyRow, IdempotencyStore } from '../../store.ts';
import { insertAudit } from './audit.ts';
import { type Runner, type Script, type Sql, scriptOfOne, type Tx } from './script.ts';

export function makeIdempotencyStore({ sql, write }: Runner): IdempotencyStore {
  return {
    async findIdempotent({ tenant, mode, method, path, key }, now) {
      const row = await sql.get(
        `SELECT * FROM idempotency
          WHERE tenant = :tenant AND mode = :mode AND method = :method AND path = :path AND key = :key
            AND expires_at > :now`,
        { tenant, mode, method, path, key, now },
      );
      if (row === undefined) return null;
      return {
        tenant,
        mode,
        method,
        path,
        key,
        bodyHash: String(row['body_hash']),
        status: Number(row['status']),
        body: String(row['body']),
        mint: textOrNull(row['mint']),
        keptAt: 0,
        expiresAt: Number(row['expires_at']),
      };
    },
    keepIdempotent: (row) => write(KEEP_ALONE, row),
    removeIdempotent: (expiredBefore, limit) => write(REMOVE, { expiredBefore, limit }),
  };
}

/** The first response stays while it is valid; an expired one is replaced. */
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
 * Throws `AnsweredBefore` if one is stored already: another node has performed the request, so this
 * transaction must not.
 */
export async function keepAll(sql: Sql, rows: readonly IdempotencyRow[]): Promise<void> {
  for (const { keptAt, group, given } of groupsOf(rows)) {
    const written = await sql.run(KEEP, { given, kept_at: keptAt });
    if (written < group.length) throw new AnsweredBefore();
  }
}

/** Responses without another effect: each caller learns whether its own was stored. */
const KEEP_ALONE: Script<IdempotencyRow, boolean> = {
  name: 'keepIdempotent',
  async act(tx, rows) {
    const kept = new Map<IdempotencyRow, boolean>();
    for (const { keptAt, group, given } of groupsOf(rows)) {
      const written = await tx.all(`${KEEP} RETURNING tenant, mode, method, path, key`, {
        given,
        kept_at: keptAt,
      });
      const names = new Set(written.map((row) => nameOf(row as unknown as IdempotencyId)));
      // Of several with one name, the first.
      for (const row of group) kept.set(row, names.delete(nameOf(row)));
    }
    return rows.map((row) => kept.get(row)!);
  },
};

interface Group {
  readonly keptAt: number;
  readonly group: readonly IdempotencyRow[];
  /** The first of each name. */
  readonly given: readonly IdempotencyRow[];
}

/** Grouped by time of storing, which decides what has expired. */
function groupsOf(rows: readonly IdempotencyRow[]): Group[] {
  return [...Map.groupBy(rows, ({ keptAt }) => keptAt)].map(([keptAt, group]) => ({
    keptAt,
    group,
    given: [...Map.groupBy(group, nameOf).values()].map(([first]) => first!),
  }));
}

function nameOf({ tenant, mode, method, path, key }: IdempotencyId): string {
  return JSON.stringify([tenant, mode, method, path, key]);
}

interface Remove {
  readonly expiredBefore: number;
  readonly limit: number;
}

const REMOVE = scriptOfOne('removeIdempotent', (tx, { expiredBefore, limit }: Remove) =>
  tx.run(
    `WITH gone AS (
       SELECT tenant, mode, method, path, key FROM idempotency WHERE expires_at < :before
        ORDER BY expires_at LIMIT :limit FOR UPDATE SKIP LOCKED)
     DELETE FROM idempotency WHERE (tenant, mode, method, path, key) IN (SELECT * FROM gone)`,
    { before: expiredBefore, limit },
  ),
);

export const ANSWER_SCRIPTS = [KEEP_ALONE, REMOVE];

/** The audit row and the response for repeats. */
export async function note(
  tx: Tx,
  { audit, idempotency }: { readonly audit: AuditRow; readonly idempotency: IdempotencyRow | null },
): Promise<void> {
  if (idempotency !== null) await keepAll(tx, [idempotency]);
  await insertAudit(tx, audit);
}
