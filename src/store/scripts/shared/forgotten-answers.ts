/**
 * Removes stored responses that name erased players (rule R2), step by step: a tenant may have
 * hundreds of thousands.
 */

import { MODES, type Mode } from '../../../match/record.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import type { Row } from '../../rows/row.ts';
import type { Whom } from '../../shared/erasing.ts';
import { ANSWERS_KEPT_MS, type IdempotencyId, type IdempotencyRow } from '../../store.ts';
import { WORLDS, worldOfAnswer } from '../../world.ts';
import { scriptOfOne, type Tx } from './script.ts';

/** A position in the walk over a tenant's stored responses. */
export type AnswerPlace = Omit<IdempotencyId, 'tenant'>;

/** Players that one walk searches for. */
export const WALKED_TOGETHER_MAX = 32;

/** Responses examined in one step: some milliseconds, for which other writes may have to wait. */
const STEP = 1_000;

export interface Forget {
  readonly whom: Whom;
  /** Null at the beginning. */
  readonly after: AnswerPlace | null;
}

/**
 * One step of removing the stored responses that name players. Returns where the next step begins,
 * null when there is none.
 */
export const FORGET_ANSWERS = scriptOfOne('forgetAnswers', forgetAnswers);

async function forgetAnswers(tx: Tx, { whom, after }: Forget): Promise<AnswerPlace | null> {
  const { tenant, playerIds, isKnown } = whom;
  const from = after ?? (isKnown ? { mode: '', method: '', path: '', key: '' } : FIRST_TOKEN);
  const names = { tenant, ...namesOf(playerIds) };
  const { mode, method, path, key } = from;
  const rows = await tx.all(isKnown ? STEP_KNOWN : STEP_UNKNOWN, {
    ...names,
    mode,
    method,
    path,
    key,
  });
  const named = rows.filter((row) => Boolean(row['is_named']));
  const doomed = named.length === 0 ? [] : await inWorlds(tx, whom, named);
  // The row may have been replaced since.
  if (doomed.length > 0) {
    await tx.run(isKnown ? REMOVE_KNOWN : REMOVE_UNKNOWN, { ...names, doomed });
  }
  const last = rows.find((row) => !row['is_named']);
  if (last !== undefined) return placeOf(last);
  return isKnown ? null : nextToken(mode as Mode);
}

function placeOf({ mode, method, path, key }: Row): AnswerPlace {
  return { mode: mode as Mode, method: String(method), path: String(path), key: String(key) };
}

const PLAYERS = '/players/';
/** The path range of responses with lobby tokens. */
const TOKENS = `/v1${PLAYERS}`;
const TOKENS_END = '/v1/players0';
const FIRST_TOKEN: AnswerPlace = { mode: MODES[0], method: 'POST', path: TOKENS, key: '' };

/** The paths of tokens are walked one mode after the other. */
function nextToken(mode: Mode): AnswerPlace | null {
  const next = MODES[MODES.indexOf(mode) + 1];
  return next === undefined ? null : { ...FIRST_TOKEN, mode: next };
}

/** The condition of `namesPlayer`. With a colon it is a property name. */
const NAMES = `(strpos(body, quoted) > 0 AND strpos(replace(body, quoted || ':', ''), quoted) > 0)
  OR (strpos(coalesce(mint, ''), quoted) > 0
    AND strpos(replace(coalesce(mint, ''), quoted || ':', ''), quoted) > 0)
  OR strpos(body, told) > 0`;

/** For several players, one search for all of them comes first, which costs no more than a search for one. */
const NAMES_ANY = `(
  (:is_one::boolean OR holds_any(body, :ends(any)) OR holds_any(coalesce(mint, ''), :ends(any)))
  AND EXISTS (SELECT 1 FROM @who(quoted text, told text) WHERE ${NAMES}))`;

/**
 * Responses to calls on any player go, because a path has many spellings. Repeats of such a call
 * may be performed twice.
 */
const NAMES_KNOWN = `(strpos(path, '${PLAYERS}') > 0 OR ${NAMES_ANY})`;

/** A player without a row was only given a lobby token. */
const NAMES_UNKNOWN = `EXISTS (SELECT 1 FROM @who(quoted text, told text)
  WHERE strpos(coalesce(mint, ''), quoted) > 0)`;

const PLACE = 'mode, method, path, key';

/** The rows of a step that name the players, and the last row of a full step with `is_named` false. */
const step = (after: string, named: string): string => `WITH step AS MATERIALIZED (
    SELECT ${PLACE}, ${named} AS is_named FROM idempotency
     WHERE tenant = :tenant AND ${after} ORDER BY ${PLACE} LIMIT ${STEP})
  SELECT ${PLACE}, TRUE AS is_named FROM step WHERE is_named
  UNION ALL
  SELECT * FROM (
    SELECT ${PLACE}, FALSE AS is_named FROM step ORDER BY ${PLACE} LIMIT 1 OFFSET ${STEP - 1}) AS last`;

const STEP_KNOWN = step(`(${PLACE}) > (:mode, :method, :path, :key)`, NAMES_KNOWN);
const STEP_UNKNOWN = step(
  `mode = :mode AND method = :method AND (path, key) > (:path, :key) AND path < '${TOKENS_END}'`,
  NAMES_UNKNOWN,
);

/** By the whole key, so that no plan reads the whole table. */
const OF_DOOMED = `FROM idempotency WHERE tenant = :tenant AND (${PLACE}) IN (
  SELECT ${PLACE} FROM @doomed(mode text, method text, path text, key text))`;
const REMOVE_KNOWN = `DELETE ${OF_DOOMED} AND ${NAMES_KNOWN}`;
const REMOVE_UNKNOWN = `DELETE ${OF_DOOMED} AND ${NAMES_UNKNOWN}`;

/** Only responses about these modes; for both modes no check is needed. */
async function inWorlds(
  tx: Tx,
  { tenant, worlds }: Whom,
  doomed: readonly Row[],
): Promise<readonly Row[]> {
  if (worlds.length === WORLDS.length) return doomed;
  const rows = await tx.all(`SELECT ${PLACE}, body, mint ${OF_DOOMED}`, { tenant, doomed });
  return rows.filter((row) => worlds.includes(worldOfAnswer(row as unknown as IdempotencyRow)));
}

function namesOf(playerIds: readonly string[]) {
  const who = playerIds.map((playerId) => ({
    quoted: JSON.stringify(playerId),
    // At the end of a message: `Player is not connected: ann`.
    told: JSON.stringify(`: ${playerId}`).slice(1),
  }));
  return { who, is_one: who.length === 1, ends: who.map(({ quoted }) => quoted.slice(1)) };
}

// ── the latest ─────────────────────────────────────────────────────────────────────────────────

/** The largest difference between the clocks of two processes, ms. */
const LATE_MS = 60_000;

/**
 * Found by time alone, whatever the planner estimates: few were stored since then, and few of them
 * are the tenant's.
 */
const FIND_SINCE = `SELECT ${PLACE}, body, mint, expires_at FROM idempotency
  WHERE tenant || '' = :tenant AND expires_at >= :since`;
const KNOWN_SINCE = `${FIND_SINCE} AND ${NAMES_KNOWN}`;
const UNKNOWN_SINCE = `${FIND_SINCE} AND method = 'POST' AND path >= '${TOKENS}'
  AND path < '${TOKENS_END}' AND ${NAMES_UNKNOWN}`;

/** Removes responses that name them and were stored since then (ms since 1970), or a little before. */
export async function forgetAnswersSince(tx: Tx, whom: Whom, since: number): Promise<void> {
  const { tenant, worlds, playerIds, isKnown } = whom;
  const found = await tx.all(isKnown ? KNOWN_SINCE : UNKNOWN_SINCE, {
    tenant,
    since: since + ANSWERS_KEPT_MS - LATE_MS,
    ...namesOf(playerIds),
  });
  await removeFound(tx, tenant, worlds, found);
}

interface LateWhom {
  readonly tenant: string;
  readonly world: KeyMode;
  readonly playerId: string;
}

/** Removes the latest responses that name somebody who is no player any more. */
export const FORGET_LATE_ANSWERS = scriptOfOne(
  'forgetLateAnswers',
  async (tx, { tenant, world, playerId }: LateWhom) => {
    // All expire after the same time, so the newest show which were stored in the last moments.
    const newest = await tx.get('SELECT max(expires_at) AS at FROM idempotency');
    const found = await tx.all(
      `${FIND_SINCE} AND ${NAMES_ANY} AND NOT EXISTS (SELECT 1 FROM player WHERE player.tenant = :tenant
         AND player.world = :world AND player.player_id = :playerId)`,
      {
        tenant,
        world,
        playerId,
        since: Number(newest?.['at'] ?? 0) - LATE_MS,
        ...namesOf([playerId]),
      },
    );
    await removeFound(tx, tenant, [world], found);
    return null;
  },
);

/** Only responses about the modes, unless they have been replaced since. */
async function removeFound(
  tx: Tx,
  tenant: string,
  worlds: readonly KeyMode[],
  found: readonly Row[],
): Promise<void> {
  const isOfBoth = worlds.length === WORLDS.length;
  const doomed = found.filter(
    (row) => isOfBoth || worlds.includes(worldOfAnswer(row as unknown as IdempotencyRow)),
  );
  if (doomed.length === 0) return;
  await tx.run(
    `DELETE FROM idempotency WHERE tenant = :tenant AND (${PLACE}, expires_at) IN (
       SELECT ${PLACE}, expires_at
         FROM @doomed(mode text, method text, path text, key text, expires_at bigint))`,
    { tenant, doomed: doomed.map((row) => ({ ...row, expiresAt: row['expires_at'] })) },
  );
}
