/** The text of a list's query: what is asked for, and no more. */

import type { SQLInputValue } from 'node:sqlite';
import { pairOf } from '../rows/metadata-pairs.ts';
import { leadsByPair, type ModeFilter } from '../rows/session-lists.ts';
import { worldOf } from '../world.ts';

const PLAYER = '(SELECT ref FROM player WHERE tenant = ? AND world = ? AND player_id = ?)';
const SEAT_OF = 'SELECT 1 FROM seat WHERE seat.session = session.id AND seat.player =';
const HAS_PAIR = `EXISTS (SELECT 1 FROM session_metadata AS pairs
  WHERE pairs.tenant = session.tenant AND pairs.mode = session.mode AND pairs.pair = ?
    AND pairs.game = session.game AND pairs.session = session.id)`;

export interface Query {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/**
 * Only what is asked for stands in the text, so that an index gives the rows in their order. `isRare`:
 * few sessions have the metadata that is asked for.
 */
export function listQuery(filter: ModeFilter, isRare: boolean): Query {
  const where: string[] = [];
  const values: SQLInputValue[] = [];
  const ask = (condition: string, value: SQLInputValue): void => {
    if (value === null) return;
    where.push(condition);
    values.push(value);
  };
  const { metadata, playerId } = filter;
  const pair = metadata === undefined ? null : pairOf(metadata.key, metadata.value);
  const isByPair = pair !== null && leadsByPair(filter, isRare);
  const isByPlayer = playerId !== null && !isByPair;
  if (isByPair) {
    where.push('pairs.tenant = ? AND pairs.mode = ? AND pairs.pair = ?');
    values.push(filter.tenant, filter.mode, pair);
    ask('pairs.game = ?', filter.game);
  } else if (pair !== null) {
    where.push(HAS_PAIR);
    values.push(pair);
  }
  if (playerId !== null) {
    where.push(isByPlayer ? `seat.player = ${PLAYER}` : `EXISTS (${SEAT_OF} ${PLAYER})`);
    values.push(filter.tenant, worldOf(filter), playerId);
  }
  const id = isByPair ? 'pairs.session' : isByPlayer ? 'seat.session' : 'session.id';
  ask('session.tenant = ?', filter.tenant);
  ask('session.mode = ?', filter.mode);
  const isOpen = filter.status === 'pending' || filter.status === 'active';
  ask('session.game = ?', filter.game);
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
  const from = isByPair
    ? 'session_metadata AS pairs CROSS JOIN session ON session.id = pairs.session'
    : isByPlayer
      ? 'seat CROSS JOIN session ON session.id = seat.session'
      : `session${index}`;
  const sql = `SELECT session.* FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${id} DESC LIMIT ?`;
  return { sql, values: [...values, filter.limit] };
}
