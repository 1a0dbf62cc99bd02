/**
 * Sleeping sessions that are due, and awake sessions whose owner has no lease. Both reads claim
 * what they return.
 */

import type { Row } from '../../rows/row.ts';
import { SINGLE_PROCESS } from '../../shared/single-process.ts';
import type { SessionStore } from '../../store.ts';
import { HAS_LEASE } from '../shared/leases.ts';
import { type Runner, type Script, scriptOfOne } from '../shared/script.ts';

/** `node`: the caller's node. */
export function makeDueStore(
  { sql, write }: Runner,
  node: string,
): Pick<SessionStore, 'claimDue' | 'claimAwake'> {
  return {
    /** Skips sessions that another live node has claimed: that node wakes them. */
    async claimDue(now, limit) {
      if (node !== SINGLE_PROCESS) return write(TAKE_DUE, { now, limit });
      // No other node shares the database.
      const rows = await sql.all(
        'SELECT id FROM session WHERE wake_at <= :now AND holder IS NULL ORDER BY wake_at, id LIMIT :limit',
        { now, limit },
      );
      return rows.map(toId);
    },
    /** This node owns the returned sessions from now on. */
    async claimAwake(after, limit) {
      if (node !== SINGLE_PROCESS) return write(TAKE_HELD, { after, limit });
      // Sessions that this process owned before are its own already.
      const rows = await sql.all(FIND_HELD, { after, limit });
      if (rows.some(({ holder }) => holder !== node)) return write(TAKE_HELD, { after, limit });
      return rows.map(toId);
    },
  };
}

function toId({ id }: Row): string {
  return String(id);
}

interface TakeDue {
  readonly now: number;
  readonly limit: number;
}

const TAKE_DUE = scriptOfOne(
  'takeDue',
  async (tx, { now, limit }: TakeDue): Promise<readonly string[]> => {
    // In most seconds nothing is due.
    const any = await tx.get(
      'SELECT 1 AS found FROM session WHERE wake_at <= :now AND holder IS NULL LIMIT 1',
      { now },
    );
    if (any === undefined) return [];
    const rows = await tx.all(
      `WITH due AS (
         SELECT id FROM session
          WHERE wake_at <= :now AND holder IS NULL AND (due_node IS NULL OR due_node = :node
            OR NOT EXISTS (SELECT 1 FROM node WHERE node.id = due_node AND ${HAS_LEASE}))
          ORDER BY wake_at, id LIMIT :limit FOR UPDATE SKIP LOCKED)
       UPDATE session SET due_node = :node WHERE id IN (SELECT id FROM due)
       RETURNING id, wake_at`,
      { now, limit, node: tx.node },
    );
    return [...rows].sort(byTime).map(toId);
  },
  { isLoose: true },
);

function byTime(a: Row, b: Row): number {
  const apart = Number(a['wake_at']) - Number(b['wake_at']);
  return apart === 0 ? compare(toId(a), toId(b)) : apart;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/**
 * There are few owners and many sessions: the index leads from one owner to the next. An owner
 * without a lease is dead.
 */
const GONE = `WITH RECURSIVE
  holders AS (
    SELECT min(holder) AS holder FROM session WHERE holder IS NOT NULL
    UNION ALL
    SELECT (SELECT min(holder) FROM session WHERE session.holder > holders.holder)
      FROM holders WHERE holder IS NOT NULL
  ),
  gone AS (
    SELECT holder FROM holders WHERE holder IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM node WHERE node.id = holders.holder AND ${HAS_LEASE})
  )`;

const HELD_BY_GONE = `FROM session WHERE id > :after AND holder IN (SELECT holder FROM gone)
  ORDER BY id LIMIT :limit`;

const FIND_HELD = `${GONE} SELECT id, holder ${HELD_BY_GONE}`;

interface TakeHeld {
  readonly after: string;
  readonly limit: number;
}

const TAKE_HELD = scriptOfOne(
  'takeHeld',
  async (tx, { after, limit }: TakeHeld): Promise<readonly string[]> => {
    const rows = await tx.all(
      `${GONE},
       held AS (SELECT id ${HELD_BY_GONE} FOR UPDATE SKIP LOCKED)
       UPDATE session SET holder = :node WHERE id IN (SELECT id FROM held)
       RETURNING id`,
      { after, limit, node: tx.node },
    );
    return rows.map(toId).sort(compare);
  },
  { isLoose: true },
);

/** A session, and when it is due; null for never. */
export interface Sleeper {
  readonly id: string;
  readonly wakeAt: number | null;
}

/** Different sessions. One that another node owns is left alone: a late caller must not put it to sleep. */
export const SLEEP: Script<Sleeper, null> = {
  name: 'sleep',
  isLoose: true,
  async act(tx, sleepers) {
    // Of several for one session, the last counts.
    const given = [...new Map(sleepers.map((each) => [each.id, each])).values()];
    await tx.run(
      `UPDATE session SET holder = NULL, wake_at = given.wake_at, due_node = NULL
         FROM @given(id text, wake_at bigint)
        WHERE session.id = given.id AND session.status <> 'ended'
          AND (session.holder IS NULL OR session.holder = :node)`,
      { given, node: tx.node },
    );
    return sleepers.map(() => null);
  },
};

export const SLEEP_SCRIPTS = [TAKE_DUE, TAKE_HELD, SLEEP];
