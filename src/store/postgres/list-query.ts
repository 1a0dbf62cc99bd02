/** The text of a list's query: what is asked for, and no more, so that an index gives the rows. */

import type { SessionFilter } from '../store.ts';
import type { Value } from './sql.ts';

export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

export function listQuery(filter: SessionFilter): Query {
  const where: string[] = [];
  const values: Value[] = [];
  /** `$` stands for the value. */
  const ask = (condition: string, value: Value): void => {
    if (value === null) return;
    values.push(value);
    where.push(condition.replace(/\$(?!\d)/, () => `$${values.length}`));
  };
  const isOfPlayer = filter.playerId !== null;
  ask('session.tenant = $', filter.tenant);
  if (isOfPlayer) {
    ask(
      'seat.player = (SELECT ref FROM player WHERE tenant = $1 AND player_id = $)',
      filter.playerId,
    );
  }
  const id = isOfPlayer ? 'seat.session' : 'session.id';
  ask('mode = $', filter.mode);
  ask('game = $', filter.game);
  ask('status = $', filter.status);
  // Said in so many words for the indexes of those under way.
  if (filter.status === 'pending' || filter.status === 'active') where.push("status <> 'ended'");
  ask('(world IS NULL OR world = $)', filter.world ?? null);
  if (filter.withoutPrivate === true) where.push("match_type <> 'private'");
  ask('created_at >= $', filter.createdFrom);
  ask('created_at < $', filter.createdTo);
  ask(`${id} < $`, filter.before);
  ask(`${id} >= $`, filter.notBefore ?? null);
  values.push(filter.limit);
  const from = isOfPlayer ? 'seat JOIN session ON session.id = seat.session' : 'session';
  const text = `SELECT session.* FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${id} DESC LIMIT $${values.length}`;
  return { text, values };
}
