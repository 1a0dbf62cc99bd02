/** The text of a list's query: what is asked for, and no more. */

import type { SQLInputValue } from 'node:sqlite';
import type { Mode } from '../../match/record.ts';
import type { SessionFilter } from '../store.ts';

/** A filter that names its mode. */
export type ModeFilter = SessionFilter & { readonly mode: Mode };

export interface Query {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/**
 * Only what is asked for stands in the text, so that an index gives the rows in their order. A mode
 * has to be asked for: no index has several of them in one order.
 */
export function listQuery(filter: ModeFilter): Query {
  const where: string[] = [];
  const values: SQLInputValue[] = [];
  const ask = (condition: string, value: SQLInputValue): void => {
    if (value === null) return;
    where.push(condition);
    values.push(value);
  };
  const isOfPlayer = filter.playerId !== null;
  if (isOfPlayer) {
    where.push('seat.player = (SELECT ref FROM player WHERE tenant = ? AND player_id = ?)');
    values.push(filter.tenant, filter.playerId);
  }
  const id = isOfPlayer ? 'seat.session' : 'session.id';
  ask('session.tenant = ?', filter.tenant);
  ask('mode = ?', filter.mode);
  const isOpen = filter.status === 'pending' || filter.status === 'active';
  ask('game = ?', filter.game);
  ask('status = ?', filter.status);
  // Said in so many words for the index of those under way.
  if (isOpen) where.push("status <> 'ended'");
  ask('(world IS NULL OR world = ?)', filter.world ?? null);
  if (filter.withoutPrivate === true) where.push("match_type <> 'private'");
  ask('created_at >= ?', filter.createdFrom);
  ask('created_at < ?', filter.createdTo);
  ask(`${id} < ?`, filter.before);
  ask(`${id} >= ?`, filter.notBefore ?? null);
  // Named, as the planner may take the one that walks past all that have ended.
  const index = isOpen && filter.game !== null ? ' INDEXED BY session_open_game' : '';
  const from = isOfPlayer
    ? 'seat CROSS JOIN session ON session.id = seat.session'
    : `session${index}`;
  const sql = `SELECT session.* FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${id} DESC LIMIT ?`;
  return { sql, values: [...values, filter.limit] };
}
