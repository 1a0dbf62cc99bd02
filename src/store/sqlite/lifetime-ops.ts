/** Writes that tell when processes lived: each runs inside the writer's transaction. Times are ms since 1970. */

import type { Statements } from './statements.ts';

export type LifetimeOp =
  | { readonly op: 'heartbeat'; readonly node: string; readonly now: number }
  | { readonly op: 'pruneHeartbeats'; readonly now: number };

export interface LifetimeAnswers {
  heartbeat: null;
  pruneHeartbeats: null;
}

export function performLifetimeOp(sql: Statements, op: LifetimeOp): null {
  switch (op.op) {
    case 'heartbeat':
      sql.run(
        `INSERT INTO node (id, alive_at) VALUES (?, ?)
         ON CONFLICT (id) DO UPDATE SET alive_at = excluded.alive_at`,
        op.node,
        op.now,
      );
      return null;
    case 'pruneHeartbeats':
      sql.run('DELETE FROM node WHERE alive_at > ?', op.now);
      sql.run('DELETE FROM node WHERE alive_at < (SELECT max(alive_at) FROM node)');
      return null;
  }
}
