/**
 * Answers kept for repeats, removed: in their time, or those that name a player, step by step, as a
 * tenant may have hundreds of thousands.
 */

import type { IdempotencyId } from '../store.ts';
import type { Statements } from './statements.ts';

/** Where a walk over a tenant's kept answers stands: after this one. */
export type AnswerPlace = Omit<IdempotencyId, 'tenant'>;

/** One step; answers where the next begins, null when there is none. */
export interface ForgetAnswers {
  readonly op: 'forgetAnswers';
  readonly tenant: string;
  readonly playerId: string;
  /** Is there a row of him? Who was merely handed a token for the lobby has none. */
  readonly isKnown: boolean;
  /** Null at the beginning. */
  readonly after: AnswerPlace | null;
}

/** Answers looked at in one step: some milliseconds, which others' writes may have to wait for. */
const STEP = 1_000;

/** All answers are kept for the same time; the clock may have been set back by so much meanwhile, ms. */
const LATE_MS = 60_000;

/**
 * What names a player: with a colon it is the name of a property, and at the end of a message it
 * stands as in `Player is not connected: ann`. Answers to calls on a player go too, whoever he is, as
 * a path has many spellings: doing such a call twice is harmless.
 */
const NAMES_KNOWN = `(path LIKE '%/players/%'
  OR instr(replace(body, ?2 || ':', ''), ?2) > 0
  OR instr(replace(coalesce(mint, ''), ?2 || ':', ''), ?2) > 0 OR instr(body, ?3) > 0)`;

/** `?3` says nothing here; every statement has the same values. */
const NAMES_UNKNOWN = `(method = 'POST' AND path >= '/v1/players/' AND path < '/v1/players0'
  AND instr(coalesce(mint, ''), ?2) > 0 AND ?3 = ?3)`;

const PLACE = '(mode, method, path, key)';

export function removeExpired(
  sql: Statements,
  { expiredBefore, limit }: { readonly expiredBefore: number; readonly limit: number },
): number {
  return sql.run(
    `DELETE FROM idempotency WHERE (tenant, mode, method, path, key) IN (
      SELECT tenant, mode, method, path, key FROM idempotency WHERE expires_at < ? LIMIT ?)`,
    expiredBefore,
    limit,
  );
}

export function forgetAnswers(sql: Statements, op: ForgetAnswers): AnswerPlace | null {
  const { after: place } = op;
  const from =
    place === null ? ['', '', '', ''] : [place.mode, place.method, place.path, place.key];
  const end = sql.get(
    `SELECT mode, method, path, key FROM idempotency WHERE tenant = ? AND ${PLACE} > (?, ?, ?, ?)
     ORDER BY mode, method, path, key LIMIT 1 OFFSET ?`,
    op.tenant,
    ...from,
    STEP - 1,
  );
  const names = op.isKnown ? NAMES_KNOWN : NAMES_UNKNOWN;
  const values = [op.tenant, ...namesOf(op.playerId), ...from];
  const after = `DELETE FROM idempotency WHERE tenant = ?1 AND ${PLACE} > (?4, ?5, ?6, ?7)`;
  if (end === undefined) {
    sql.run(`${after} AND ${names}`, ...values);
    return null;
  }
  const upTo = [end['mode']!, end['method']!, end['path']!, end['key']!];
  sql.run(`${after} AND ${PLACE} <= (?8, ?9, ?10, ?11) AND ${names}`, ...values, ...upTo);
  return end as unknown as AnswerPlace;
}

/** Removes what was kept since `newestAt` was when the newest answer expires. */
export function forgetLateAnswers(
  sql: Statements,
  { tenant, playerId, isKnown }: Omit<ForgetAnswers, 'op' | 'after'>,
  newestAt: number,
): void {
  const names = isKnown ? NAMES_KNOWN : NAMES_UNKNOWN;
  // By the index of times alone, in which the tenant stands too: the last of all are few.
  sql.run(
    `DELETE FROM idempotency WHERE +tenant = ?1 AND expires_at >= ?4 AND ${names}`,
    tenant,
    ...namesOf(playerId),
    newestAt - LATE_MS,
  );
}

function namesOf(playerId: string): readonly [string, string] {
  return [JSON.stringify(playerId), JSON.stringify(`: ${playerId}`).slice(1)];
}
