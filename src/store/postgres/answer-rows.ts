/**
 * Answers kept for repeats of a request (rule H8), and what goes with every write by a tenant. The latest of those
 * that name a player go with an erasure.
 */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { AnsweredBefore } from '../answered-before.ts';
import type { Whom } from '../erasing.ts';
import { ANSWERS_KEPT_MS, type IdempotencyRow } from '../store.ts';
import { WORLDS, worldOfAnswer } from '../world.ts';
import type { Row, Sql } from './sql.ts';

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

/** What an answer that names a player holds, by `namesOf`. With a colon it is the name of a property. */
const names = (quoted: string, told: string): string =>
  `(strpos(body, ${quoted}) > 0 AND strpos(replace(body, ${quoted} || ':', ''), ${quoted}) > 0)
  OR (strpos(coalesce(mint, ''), ${quoted}) > 0
    AND strpos(replace(coalesce(mint, ''), ${quoted} || ':', ''), ${quoted}) > 0) OR strpos(body, ${told}) > 0`;

const NAMES = names('$2', '$3');

/** Those to calls on a player go, whoever he is, as a path has many spellings: such a call may be done twice. */
const NAMES_KNOWN = `(path LIKE '%/players/%' OR ${NAMES})`;

/** `$3` says nothing here: both statements have the same values. */
const NAMES_UNKNOWN = `(method = 'POST' AND path >= '/v1/players/' AND path < '/v1/players0'
  AND strpos(coalesce(mint, ''), $2) > 0 AND $3::text IS NOT NULL)`;

function namesOf(playerId: string): readonly [string, string] {
  // At the end of a message: `Player is not connected: ann`.
  return [JSON.stringify(playerId), JSON.stringify(`: ${playerId}`).slice(1)];
}

/** Nodes' clocks may differ by so much, ms. */
const LATE_MS = 60_000;

/** Removes what names him of the answers that were kept since then, ms since 1970, or a little before. */
export async function forgetAnswersSince(
  sql: Sql,
  whom: Omit<Whom, 'playerIds'> & { readonly playerId: string },
  since: number,
): Promise<void> {
  const { tenant, worlds, playerId, isKnown } = whom;
  const found = await sql.all(
    `${FIND} WHERE tenant = $1 AND expires_at >= $4 AND ${isKnown ? NAMES_KNOWN : NAMES_UNKNOWN}`,
    tenant,
    ...namesOf(playerId),
    since + ANSWERS_KEPT_MS - LATE_MS,
  );
  await removeIn(sql, tenant, worlds, found);
}

/** Removes the answers just kept that name somebody who is no player any more. */
export async function forgetLateAnswers(
  sql: Sql,
  tenant: string,
  world: KeyMode,
  playerId: string,
): Promise<void> {
  // All are kept for the same time: the newest say which are of the last so many ms.
  const newest = await sql.get('SELECT max(expires_at) AS at FROM idempotency');
  const found = await sql.all(
    `${FIND} WHERE tenant = $1 AND (${NAMES}) AND expires_at > $4 AND NOT EXISTS (SELECT FROM player
       WHERE player.tenant = $1 AND player.world = $6 AND player.player_id = $5)`,
    tenant,
    ...namesOf(playerId),
    Number(newest?.['at'] ?? 0) - LATE_MS,
    playerId,
    world,
  );
  await removeIn(sql, tenant, [world], found);
}

const FIND = 'SELECT mode, method, path, key, body, mint, expires_at FROM idempotency';

/** Those that tell of the worlds, unless others stand there since. */
async function removeIn(
  sql: Sql,
  tenant: string,
  worlds: readonly KeyMode[],
  found: readonly Row[],
): Promise<void> {
  const rows = found as unknown as readonly (IdempotencyRow & { readonly expires_at: number })[];
  const isAny = worlds.length === WORLDS.length;
  const doomed = rows.filter((row) => isAny || worlds.includes(worldOfAnswer(row)));
  if (doomed.length === 0) return;
  await sql.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND (mode, method, path, key, expires_at) IN (
       SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[]))`,
    tenant,
    doomed.map(({ mode }) => mode),
    doomed.map(({ method }) => method),
    doomed.map(({ path }) => path),
    doomed.map(({ key }) => key),
    doomed.map(({ expires_at }) => Number(expires_at)),
  );
}
