/** Limits that nodes share, on an in-memory database. */

import type { LimitStore } from '../../store/limits.ts';
import { openMemoryDatabase } from '../../store/sqlite/memory-store.ts';

export interface LimitWorld {
  readonly limits: LimitStore;
  /** Makes a node's lease valid, or expired. */
  setAlive(node: string, isAlive: boolean): void;
}

/** Later than any test, ms since 1970. */
const NEVER = 2 ** 52;

/** With nodes whose leases are valid. */
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
