/**
 * Answers kept for repeats of a request (rule H8). Those that name a player are removed step by step, as a tenant
 * may have hundreds of thousands.
 */

import { MODES, type Mode } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { AnsweredBefore } from '../answered-before.ts';
import type { Whom } from '../erasing.ts';
import { textOrNull } from '../rows/row.ts';
import {
  ANSWERS_KEPT_MS,
  type IdempotencyId,
  type IdempotencyRow,
  type IdempotencyStore,
} from '../store.ts';
import type { Database } from './database.ts';
import type { Sql } from './sql.ts';

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

/** Where a walk over a tenant's kept answers stands: after this one. */
export type AnswerPlace = Omit<IdempotencyId, 'tenant'>;

/** Answers looked at in one step: some tens of milliseconds. */
const STEP = 5_000;

/** What an answer that names a player holds, by `namesOf`. With a colon it is the name of a property. */
const names = (quoted: string, told: string): string =>
  `(strpos(body, ${quoted}) > 0 AND strpos(replace(body, ${quoted} || ':', ''), ${quoted}) > 0)
  OR (strpos(coalesce(mint, ''), ${quoted}) > 0
    AND strpos(replace(coalesce(mint, ''), ${quoted} || ':', ''), ${quoted}) > 0) OR strpos(body, ${told}) > 0`;

const NAMES = names('$2', '$3');

/** As `worldOfAnswer` has it. */
const WORLD = `(CASE WHEN 'test' IN (mode, coalesce(mint::json ->> 'mode', ''),
    coalesce(body::json ->> 'mode', ''), coalesce(body::json -> 'session' ->> 'mode', ''))
  THEN 'test' ELSE 'live' END)`;

/** Those to calls on a player go, whoever he is, as a path has many spellings: such a call may be done twice. */
const NAMES_KNOWN = `(path LIKE '%/players/%' OR ${NAMES})`;

/** Of both worlds it need not be asked. */
const inWorlds = (worlds: string): string =>
  `(cardinality(${worlds}::text[]) = 2 OR ${WORLD} = ANY(${worlds}::text[]))`;

/** Where answers with tokens for the lobby are, and where they end. */
const TOKENS = '/v1/players/';
const TOKENS_END = "'/v1/players0'";
/** `$3` says nothing here: both kinds of walk have the same values. */
const NAMES_UNKNOWN = `(method = 'POST' AND path >= '${TOKENS}' AND path < ${TOKENS_END}
  AND strpos(coalesce(mint, ''), $2) > 0 AND $3::text IS NOT NULL)`;

/** One of several: first by one look for all of them (`$8`), which costs no more than that for one. */
const NAMES_ANY_KNOWN = `(path LIKE '%/players/%' OR ((CASE
  WHEN cardinality($2::text[]) > 1 THEN body ~ $8 OR coalesce(mint, '') ~ $8 ELSE TRUE END) AND EXISTS (
  SELECT FROM unnest($2::text[], $3::text[]) AS who (quoted, told) WHERE ${names('quoted', 'told')})))`;
const NAMES_ANY_UNKNOWN = `(EXISTS (
  SELECT FROM unnest($2::text[], $3::text[]) AS who (quoted, told) WHERE strpos(mint, quoted) > 0)
  AND $8::text IS NOT NULL)`;

/**
 * Removes what names them of the next few thousand answers. The step is taken by the key and removed by
 * where its rows lie: no plan of it can be to read the table.
 */
const walk = (after: string, named: string): string => `WITH step AS MATERIALIZED (
    SELECT ctid AS at, mode, method, path, key, ${named} AS is_named
      FROM idempotency WHERE tenant = $1 AND ${after}
     ORDER BY mode, method, path, key LIMIT ${STEP}),
  gone AS (
    DELETE FROM idempotency
     WHERE ctid = ANY(ARRAY(SELECT at FROM step WHERE is_named)) AND ${named}
       AND ${inWorlds('$9')})
  SELECT mode, method, path, key FROM step ORDER BY mode, method, path, key OFFSET ${STEP - 1}`;

const WALK_KNOWN = walk('(mode, method, path, key) > ($4, $5, $6, $7)', NAMES_ANY_KNOWN);
const WALK_UNKNOWN = walk(
  `mode = $4 AND method = $5 AND (path, key) > ($6, $7) AND path < ${TOKENS_END}`,
  NAMES_ANY_UNKNOWN,
);

/**
 * One step of removing the kept answers that name them, from after a place on: null for the beginning.
 * Answers where the next step begins, null when there is none.
 */
export async function forgetAnswers(
  sql: Sql,
  whom: Whom,
  after: AnswerPlace | null,
): Promise<AnswerPlace | null> {
  const { tenant, worlds, playerIds, isKnown } = whom;
  const from = after ?? (isKnown ? { mode: '', method: '', path: '', key: '' } : FIRST_TOKEN);
  const { mode, method, path, key } = from;
  const text = isKnown ? WALK_KNOWN : WALK_UNKNOWN;
  const all = playerIds.map(namesOf);
  const [quoted, told] = [all.map(([each]) => each), all.map(([, each]) => each)];
  const either = `(?:"|: )(?:${quoted.map((each) => escapeText(each.slice(1))).join('|')})`;
  const end = await sql.get(text, tenant, quoted, told, mode, method, path, key, either, worlds);
  if (end !== undefined) return end as unknown as AnswerPlace;
  return isKnown ? null : nextToken(mode as Mode);
}

const FIRST_TOKEN: AnswerPlace = { mode: MODES[0], method: 'POST', path: TOKENS, key: '' };

/** Tokens' paths are walked in one mode after the other. */
function nextToken(mode: Mode): AnswerPlace | null {
  const next = MODES[MODES.indexOf(mode) + 1];
  return next === undefined ? null : { ...FIRST_TOKEN, mode: next };
}

function namesOf(playerId: string): readonly [string, string] {
  // At the end of a message: `Player is not connected: ann`.
  return [JSON.stringify(playerId), JSON.stringify(`: ${playerId}`).slice(1)];
}

/** As a regular expression of PostgreSQL; beyond ASCII nothing has a meaning there. */
function escapeText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are among those that may stand there.
  return text.replaceAll(/[\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]/g, '\\$&');
}

/** Nodes' clocks may differ by so much, ms. */
const LATE_MS = 60_000;

/** Removes what names him of the answers that were kept since then, ms since 1970, or a little before. */
export async function forgetAnswersSince(
  sql: Sql,
  whom: Omit<Whom, 'playerIds'> & { readonly playerId: string },
  since: number,
): Promise<void> {
  const named = whom.isKnown ? NAMES_KNOWN : NAMES_UNKNOWN;
  await sql.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND expires_at >= $4 AND ${named}
        AND ${inWorlds('$5')}`,
    whom.tenant,
    ...namesOf(whom.playerId),
    since + ANSWERS_KEPT_MS - LATE_MS,
    whom.worlds,
  );
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
  await sql.run(
    `DELETE FROM idempotency WHERE tenant = $1 AND (${NAMES}) AND expires_at > $4 AND ${WORLD} = $6
        AND NOT EXISTS (SELECT FROM player
          WHERE player.tenant = $1 AND player.world = $6 AND player.player_id = $5)`,
    tenant,
    ...namesOf(playerId),
    Number(newest?.['at'] ?? 0) - LATE_MS,
    playerId,
    world,
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
