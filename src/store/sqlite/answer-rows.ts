/**
 * Answers kept for repeats, removed: in their time, or those that name a player, step by step, as a
 * tenant may have hundreds of thousands.
 */

import { MODES, type Mode } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { ANSWERS_KEPT_MS, type IdempotencyId } from '../store.ts';
import type { Statements } from './statements.ts';

/** Where a walk over a tenant's kept answers stands: after this one. */
export type AnswerPlace = Omit<IdempotencyId, 'tenant'>;

/** As `worldOfAnswer` has it; `?4` are the worlds, as JSON. */
const IN_WORLDS = `(CASE WHEN 'test' IN (mode, coalesce(json_extract(mint, '$.mode'), ''),
    coalesce(json_extract(body, '$.mode'), ''), coalesce(json_extract(body, '$.session.mode'), ''))
  THEN 'test' ELSE 'live' END) IN (SELECT value FROM json_each(?4))`;

/** One step; answers where the next begins, null when there is none. */
export interface ForgetAnswers {
  readonly op: 'forgetAnswers';
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
  /** Is there a row of him in one of the worlds? Who was merely handed a token for the lobby has none. */
  readonly isKnown: boolean;
  /** Null at the beginning. */
  readonly after: AnswerPlace | null;
}

/** Answers looked at in one step: some milliseconds, which others' writes may have to wait for. */
const STEP = 1_000;

/** The clock may have been set back by so much meanwhile, ms. */
const LATE_MS = 60_000;

/**
 * What names a player: with a colon it is the name of a property, and at the end of a message it
 * stands as in `Player is not connected: ann`. Answers to calls on a player go too, whoever he is, as
 * a path has many spellings: doing such a call twice is harmless.
 */
const NAMES_KNOWN = `((path LIKE '%/players/%'
  OR instr(replace(body, ?2 || ':', ''), ?2) > 0
  OR instr(replace(coalesce(mint, ''), ?2 || ':', ''), ?2) > 0 OR instr(body, ?3) > 0)
  AND ${IN_WORLDS})`;

/** Where answers with tokens for the lobby are, and where they end. */
const TOKENS = '/v1/players/';
const TOKENS_END = "'/v1/players0'";

/** `?3` says nothing here: every statement has the same values, as the driver wants each to be used. */
const NAMES_UNKNOWN = `(method = 'POST' AND path >= '${TOKENS}' AND path < ${TOKENS_END}
  AND instr(coalesce(mint, ''), ?2) > 0 AND ?3 = ?3 AND ${IN_WORLDS})`;

const PLACE = '(mode, method, path, key)';
const SELECT = 'SELECT mode, method, path, key FROM idempotency';
const DELETE = 'DELETE FROM idempotency';
const LAST_OF_STEP = `AND ?2 = ?2 AND ?3 = ?3 AND ?4 = ?4 ORDER BY mode, method, path, key
  LIMIT 1 OFFSET ${STEP - 1}`;

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
  return op.isKnown ? forgetAnyAnswers(sql, op) : forgetTokens(sql, op);
}

function forgetAnyAnswers(sql: Statements, op: ForgetAnswers): AnswerPlace | null {
  const { mode, method, path, key } = op.after ?? { mode: '', method: '', path: '', key: '' };
  const after = `tenant = ?1 AND ${PLACE} > (?5, ?6, ?7, ?8)`;
  const values = [op.tenant, ...whomOf(op), mode, method, path, key];
  const end = sql.get(`${SELECT} WHERE ${after} ${LAST_OF_STEP}`, ...values);
  if (end === undefined) {
    sql.run(`${DELETE} WHERE ${after} AND ${NAMES_KNOWN}`, ...values);
    return null;
  }
  const upTo = [end['mode']!, end['method']!, end['path']!, end['key']!];
  const step = `${after} AND ${PLACE} <= (?9, ?10, ?11, ?12)`;
  sql.run(`${DELETE} WHERE ${step} AND ${NAMES_KNOWN}`, ...values, ...upTo);
  return end as unknown as AnswerPlace;
}

/** Tokens for the lobby alone name such a one: their paths are walked, in one mode after the other. */
function forgetTokens(sql: Statements, op: ForgetAnswers): AnswerPlace | null {
  const place = op.after ?? firstToken(MODES[0]);
  const after = `tenant = ?1 AND mode = ?5 AND method = 'POST' AND (path, key) > (?6, ?7)`;
  const values = [op.tenant, ...whomOf(op), place.mode, place.path, place.key];
  const end = sql.get(
    `${SELECT} WHERE ${after} AND path < ${TOKENS_END} ${LAST_OF_STEP}`,
    ...values,
  );
  const upTo = end === undefined ? '' : 'AND (path, key) <= (?8, ?9)';
  sql.run(
    `${DELETE} WHERE ${after} ${upTo} AND ${NAMES_UNKNOWN}`,
    ...values,
    ...(end === undefined ? [] : [end['path']!, end['key']!]),
  );
  if (end !== undefined) return end as unknown as AnswerPlace;
  const next = MODES[MODES.indexOf(place.mode) + 1];
  return next === undefined ? null : firstToken(next);
}

function firstToken(mode: Mode): AnswerPlace {
  return { mode, method: 'POST', path: TOKENS, key: '' };
}

/** Removes what was kept since then, ms since 1970, or a little before. */
export function forgetLateAnswers(
  sql: Statements,
  whom: Omit<ForgetAnswers, 'op' | 'after'>,
  since: number,
): void {
  const names = whom.isKnown ? NAMES_KNOWN : NAMES_UNKNOWN;
  // They are found in the index of times alone, which holds the key, too; few are of the tenant.
  sql.run(
    `DELETE FROM idempotency WHERE (tenant, mode, method, path, key) IN (
       SELECT tenant, mode, method, path, key FROM idempotency
       WHERE +tenant = ?1 AND expires_at >= ?5) AND ${names}`,
    whom.tenant,
    ...whomOf(whom),
    since + ANSWERS_KEPT_MS - LATE_MS,
  );
}

/** What `NAMES_KNOWN` and `NAMES_UNKNOWN` know a player by. */
function whomOf({ playerId, worlds }: Pick<ForgetAnswers, 'playerId' | 'worlds'>) {
  return [
    JSON.stringify(playerId),
    JSON.stringify(`: ${playerId}`).slice(1),
    JSON.stringify(worlds),
  ] as const;
}
