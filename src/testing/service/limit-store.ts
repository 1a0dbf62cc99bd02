/** Limits that nodes share, on a database in memory. */

import type { LimitStore } from '../../store/limits.ts';
import { openMemoryDatabase } from '../../store/sqlite/memory-store.ts';

export interface LimitWorld {
  readonly limits: LimitStore;
  /** From now on the lease of a node holds, or is over. */
  setAlive(node: string, isAlive: boolean): void;
}

/** A time that no test comes to, ms since 1970. */
const NEVER = 2 ** 52;

/** With nodes whose leases hold. */
export function openLimits(nodes: Iterable<string> = []): LimitWorld {
  const { db, openNode } = openMemoryDatabase();
  const insert = db.prepare(
    `INSERT INTO node (id, alive_at, lease_until) VALUES (?, 0, ?)
     ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
  );
  const setAlive = (node: string, isAlive: boolean): void =>
    void insert.run(node, isAlive ? NEVER : 0);
  for (const node of nodes) setAlive(node, true);
  return { limits: openNode('nod_test'), setAlive };
}
