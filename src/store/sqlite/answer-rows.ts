/** Answers kept for repeats that name a player who is erased just now. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { ANSWERS_KEPT_MS } from '../store.ts';
import type { Statements } from './statements.ts';

/** A player whose answers go. */
export interface LateWhom {
  readonly tenant: string;
  readonly worlds: readonly KeyMode[];
  readonly playerId: string;
  /** Is there a row of him in one of the worlds? Who was merely handed a token for the lobby has none. */
  readonly isKnown: boolean;
}

/** As `worldOfAnswer` has it; `?4` are the worlds, as JSON. */
const IN_WORLDS = `(CASE WHEN 'test' IN (mode, coalesce(json_extract(mint, '$.mode'), ''),
    coalesce(json_extract(body, '$.mode'), ''), coalesce(json_extract(body, '$.session.mode'), ''))
  THEN 'test' ELSE 'live' END) IN (SELECT value FROM json_each(?4))`;

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

/** `?3` says nothing here: both statements have the same values, as the driver wants each to be used. */
const NAMES_UNKNOWN = `(method = 'POST' AND path >= '/v1/players/' AND path < '/v1/players0'
  AND instr(coalesce(mint, ''), ?2) > 0 AND ?3 = ?3 AND ${IN_WORLDS})`;

/** Removes what was kept since then, ms since 1970, or a little before. */
export function forgetLateAnswers(sql: Statements, whom: LateWhom, since: number): void {
  const names = whom.isKnown ? NAMES_KNOWN : NAMES_UNKNOWN;
  // They are found in the index of times alone, which holds the key, too; few are of the tenant.
  sql.run(
    `DELETE FROM idempotency WHERE (tenant, mode, method, path, key) IN (
       SELECT tenant, mode, method, path, key FROM idempotency
       WHERE +tenant = ?1 AND expires_at >= ?5) AND ${names}`,
    whom.tenant,
    JSON.stringify(whom.playerId),
    JSON.stringify(`: ${whom.playerId}`).slice(1),
    JSON.stringify(whom.worlds),
    since + ANSWERS_KEPT_MS - LATE_MS,
  );
}
