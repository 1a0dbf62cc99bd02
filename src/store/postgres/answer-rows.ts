/** Answers kept for repeats of a request (rule H8), and what goes with every write by a tenant. */

import { MODES } from '../../match/record.ts';
import { AnsweredBefore } from '../answered-before.ts';
import { textOrNull } from '../rows/row.ts';
import type { AuditRow, IdempotencyRow, IdempotencyStore } from '../store.ts';
import { insertAudit } from './audit-rows.ts';
import type { Database } from './database.ts';
import type { Sql, Tx } from './sql.ts';

/**
 * The first answer stays while it is good; an expired one gives way. Throws `AnsweredBefore` where one
 * stands: what is written with it has been done by another node, and is not to be done twice.
 */
export function keep(sql: Sql, row: IdempotencyRow): Promise<void> {
  return keepAll(sql, [row]);
}

const KEEP = `WITH given AS (
    SELECT DISTINCT ON (tenant, mode, method, path, key) *
      FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[],
        $8::text[], $9::text[], $10::bigint[]) WITH ORDINALITY AS given (tenant, mode, method, path,
        key, body_hash, status, body, mint, expires_at, place)
     ORDER BY tenant, mode, method, path, key, place
  )
  INSERT INTO idempotency (tenant, mode, method, path, key, body_hash, status, body, mint, expires_at)
  SELECT tenant, mode, method, path, key, body_hash, status, body, mint, expires_at
    FROM given ORDER BY tenant, mode, method, path, key
  ON CONFLICT (tenant, mode, method, path, key) DO UPDATE SET
    body_hash = excluded.body_hash, status = excluded.status, body = excluded.body,
    mint = excluded.mint, expires_at = excluded.expires_at
  WHERE idempotency.expires_at <= $11`;

/** Those that are kept at one time together: it says what has expired. */
export async function keepAll(sql: Sql, rows: readonly IdempotencyRow[]): Promise<void> {
  for (const [keptAt, group] of Map.groupBy(rows, (row) => row.keptAt)) {
    const of = <T>(field: (row: IdempotencyRow) => T): T[] => group.map(field);
    const written = await sql.run(
      KEEP,
      of(({ tenant }) => tenant),
      of(({ mode }) => mode),
      of(({ method }) => method),
      of(({ path }) => path),
      of(({ key }) => key),
      of(({ bodyHash }) => bodyHash),
      of(({ status }) => status),
      of(({ body }) => body),
      of(({ mint }) => mint),
      of(({ expiresAt }) => expiresAt),
      keptAt,
    );
    if (written < group.length) throw new AnsweredBefore();
  }
}

/** The audit's row and the answer for repeats. */
export async function note(
  tx: Tx,
  { audit, idempotency }: { readonly audit: AuditRow; readonly idempotency: IdempotencyRow | null },
): Promise<void> {
  if (idempotency !== null) await keep(tx, idempotency);
  await insertAudit(tx, audit);
}

/**
 * Removes the kept answers that name a player. Those to calls on a player go too, whoever he is,
 * as a path has many spellings: doing such a call twice is harmless.
 */
export async function forgetAnswers(tx: Tx, tenant: string, playerId: string): Promise<void> {
  await tx.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND (path LIKE '%/players/%' OR ${NAMES})`,
    tenant,
    ...namesOf(playerId),
  );
}

/** The same for somebody of whom there is no row: who was handed a token for the lobby has none by that. */
export async function forgetTokens(tx: Tx, tenant: string, playerId: string): Promise<void> {
  await tx.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND mode = ANY($2::text[]) AND method = 'POST'
       AND path >= '/v1/players/' AND path < '/v1/players0' AND strpos(coalesce(mint, ''), $3) > 0`,
    tenant,
    MODES,
    JSON.stringify(playerId),
  );
}

/**
 * What an answer that names a player holds; `$2` and `$3` are `namesOf`. With a colon it is the name of
 * a property.
 */
const NAMES = `strpos(replace(body, $2 || ':', ''), $2) > 0
  OR strpos(replace(coalesce(mint, ''), $2 || ':', ''), $2) > 0 OR strpos(body, $3) > 0`;

function namesOf(playerId: string): readonly string[] {
  // At the end of a message: `Player is not connected: ann`.
  return [JSON.stringify(playerId), JSON.stringify(`: ${playerId}`).slice(1)];
}

/** All answers are kept for the same time: the newest say which are of the last so many ms. */
const LATE_MS = 60_000;

/** Removes the answers just kept that name somebody who is no player any more. */
export async function forgetLateAnswers(sql: Sql, tenant: string, playerId: string): Promise<void> {
  await sql.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND (${NAMES})
        AND expires_at > (SELECT max(expires_at) FROM idempotency) - $4::bigint
        AND NOT EXISTS (SELECT FROM player WHERE player.tenant = $1 AND player.player_id = $5)`,
    tenant,
    ...namesOf(playerId),
    LATE_MS,
    playerId,
  );
}

export function makeIdempotencyStore(db: Database): IdempotencyStore {
  return {
    async findIdempotent(id, now) {
      const row = await db.get(
        `SELECT * FROM idempotency
          WHERE tenant = $1 AND mode = $2 AND method = $3 AND path = $4 AND key = $5
            AND expires_at > $6`,
        id.tenant,
        id.mode,
        id.method,
        id.path,
        id.key,
        now,
      );
      if (row === undefined) return null;
      return {
        ...id,
        bodyHash: String(row['body_hash']),
        status: Number(row['status']),
        body: String(row['body']),
        mint: textOrNull(row['mint']),
        keptAt: 0,
        expiresAt: Number(row['expires_at']),
      };
    },
    async keepIdempotent(row) {
      try {
        await keep(db, row);
        return true;
      } catch (error) {
        if (error instanceof AnsweredBefore) return false;
        throw error;
      }
    },
    removeIdempotent: (expiredBefore, limit) =>
      db.run(
        `DELETE FROM idempotency WHERE (tenant, mode, method, path, key) IN (
           SELECT tenant, mode, method, path, key FROM idempotency WHERE expires_at < $1
            ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
        expiredBefore,
        limit,
      ),
  };
}
