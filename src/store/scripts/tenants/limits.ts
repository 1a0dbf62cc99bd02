/** Limits that all nodes share, in rows: windows of tokens, and slots of nodes. */

import type { LimitStore, PlaceAsk, TokenAsk, TokenGrant, TokenWindow } from '../../limits.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, scriptOfOne, type Tx } from '../shared/script.ts';

/** Rows removed at a time. */
const REMOVED_MAX = 10_000;

/** A node whose lease expired this long ago does not return for its slots. Ms. */
const GONE_MS = 600_000;

export function makeLimitStore({ write }: Runner): LimitStore {
  return {
    takeTokens: (ask) => write(TAKE, ask),
    async returnTokens({ key, endsAt }, count) {
      await write(RETURN, { key, endsAt, count });
    },
    holdPlaces: (ask) => write(HOLD, ask),
    removeLeftovers: (endedBefore) => write(REMOVE_LEFTOVERS, endedBefore),
  };
}

// ── tokens ─────────────────────────────────────────────────────────────────────────────────────

const WANTED = 'CAST(:wanted AS bigint)';
const LIMIT = 'CAST(:limit AS bigint)';

/** The formula of `grantOf`, for what is left. */
function grantOf(left: string): string {
  const part = `((${left}) / CAST(:part AS bigint))`;
  return `CASE WHEN ${left} <= 0 THEN 0 WHEN ${WANTED} <= 1 THEN ${WANTED} WHEN ${part} <= 1 THEN 1
    WHEN ${part} < ${WANTED} THEN ${part} ELSE ${WANTED} END`;
}

const NEXT = grantOf(`${LIMIT} - token_window.used`);

const TAKE = scriptOfOne(
  'takeTokens',
  async (tx, { key, endsAt, limit, wanted, part }: TokenAsk): Promise<TokenGrant> => {
    const row = await tx.get(
      `INSERT INTO token_window (key, ends_at, used, granted)
         VALUES (:key, :endsAt, ${grantOf(LIMIT)}, ${grantOf(LIMIT)})
       ON CONFLICT (key, ends_at) DO UPDATE SET used = token_window.used + ${NEXT}, granted = ${NEXT}
       RETURNING granted, used`,
      { key, endsAt, limit, wanted, part },
    );
    return { granted: Number(row!['granted']), left: Math.max(0, limit - Number(row!['used'])) };
  },
  { isLoose: true },
);

const RETURN = scriptOfOne(
  'returnTokens',
  async (tx, { key, endsAt, count }: TokenWindow & { readonly count: number }) => {
    await tx.run(
      `UPDATE token_window SET used = CASE WHEN used > :count THEN used - :count ELSE 0 END
        WHERE key = :key AND ends_at = :endsAt`,
      { key, endsAt, count },
    );
    return null;
  },
  { isLoose: true },
);

// ── places ─────────────────────────────────────────────────────────────────────────────────────

/** A transaction that changes the slots under a key locks the head. */
const HOLD = scriptOfOne(
  'holdPlaces',
  async (tx, { key, node, max, taken, wanted }: PlaceAsk): Promise<number | null> => {
    await tx.run(
      'INSERT INTO place_head (key) VALUES (:key) ON CONFLICT (key) DO UPDATE SET key = excluded.key',
      { key },
    );
    const now = await tx.get(
      `SELECT EXISTS (SELECT 1 FROM node WHERE node.id = :node AND ${HAS_LEASE}) AS is_held,
          (SELECT coalesce(sum(n), 0) FROM place_lease JOIN node ON node.id = place_lease.node
            WHERE key = :key AND place_lease.node <> :node AND ${HAS_LEASE}) AS others`,
      { key, node },
    );
    if (!now!['is_held']) return null;
    const held = Math.max(taken, Math.min(wanted, max - Number(now!['others'])));
    if (held === 0) {
      await tx.run('DELETE FROM place_lease WHERE key = :key AND node = :node', { key, node });
    } else {
      await tx.run(
        `INSERT INTO place_lease (key, node, n) VALUES (:key, :node, :held)
         ON CONFLICT (key, node) DO UPDATE SET n = excluded.n`,
        { key, node, held },
      );
    }
    return held;
  },
);

// ── what is left over ──────────────────────────────────────────────────────────────────────────

const REMOVE_LEFTOVERS = scriptOfOne(
  'removeLeftovers',
  async (tx, endedBefore: number): Promise<number> => {
    const windows = await tx.run(
      `WITH gone AS (
         SELECT key, ends_at FROM token_window WHERE ends_at < :endedBefore LIMIT ${REMOVED_MAX}
         FOR UPDATE SKIP LOCKED)
       DELETE FROM token_window WHERE (key, ends_at) IN (SELECT key, ends_at FROM gone)`,
      { endedBefore },
    );
    const places = await removeOfGone(tx, 'place_lease');
    return windows + places + (await removeOfGone(tx, 'presence'));
  },
  { isLoose: true },
);

/** Rows of dead nodes. The nodes are looked up one by one, because the table may be long. */
function removeOfGone(tx: Tx, table: 'place_lease' | 'presence'): Promise<number> {
  return tx.run(
    `WITH RECURSIVE holder AS (
       SELECT min(node) AS id FROM ${table}
       UNION ALL
       SELECT (SELECT min(node) FROM ${table} WHERE node > holder.id)
         FROM holder WHERE holder.id IS NOT NULL
     )
     DELETE FROM ${table} WHERE node IN (
       SELECT id FROM holder WHERE id IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM node WHERE node.id = holder.id AND node.lease_until > now_ms() - ${GONE_MS}))`,
  );
}

export const LIMIT_SCRIPTS = [TAKE, RETURN, HOLD, REMOVE_LEFTOVERS];
