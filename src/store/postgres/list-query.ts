/** The text of a list's query: what is asked for, and no more, so that an index gives the rows. */

import type { KeyMode } from '../../tenancy/tenant.ts';
import { pairOf } from '../rows/metadata-pairs.ts';
import { leadsByPair, type ModeFilter } from '../rows/session-lists.ts';
import { worldOf } from '../world.ts';
import type { Value } from './sql.ts';

const playerIn = (world: KeyMode): string =>
  `(SELECT ref FROM player WHERE tenant = $1 AND world = '${world}' AND player_id = $)`;
// With a limit each is looked up for itself: a plan that joins goes through all there are.
const SEAT_OF = '(SELECT TRUE FROM seat WHERE seat.session = session.id AND seat.player =';
const BY_PAIR = `session_metadata AS pairs CROSS JOIN LATERAL (
  SELECT * FROM session WHERE session.id = pairs.session LIMIT 1) AS session`;
const HAS_PAIR = `(SELECT TRUE FROM session_metadata AS pairs
  WHERE pairs.tenant = session.tenant AND pairs.mode = session.mode AND pairs.pair = $
    AND pairs.game = session.game AND pairs.session = session.id LIMIT 1)`;

export interface Query {
  readonly text: string;
  readonly values: readonly Value[];
}

/** `isRare`: few sessions have the metadata that is asked for. */
export function listQuery(filter: ModeFilter, isRare: boolean): Query {
  const where: string[] = [];
  const values: Value[] = [];
  /** `$` stands for the value. */
  const ask = (condition: string, value: Value): void => {
    if (value === null) return;
    values.push(value);
    where.push(condition.replace(/\$(?!\d)/, () => `$${values.length}`));
  };
  const { metadata, playerId } = filter;
  const pair = metadata === undefined ? null : pairOf(metadata.key, metadata.value);
  const isByPair = pair !== null && leadsByPair(filter, isRare);
  const isByPlayer = playerId !== null && !isByPair;
  ask('session.tenant = $', filter.tenant);
  ask('session.mode = $', filter.mode);
  ask('session.game = $', filter.game);
  if (isByPair) {
    where.push('pairs.tenant = $1 AND pairs.mode = $2');
    ask('pairs.pair = $', pair);
    ask('pairs.game = $', filter.game);
  } else {
    ask(HAS_PAIR, pair);
  }
  const player = playerIn(worldOf(filter));
  ask(isByPlayer ? `seat.player = ${player}` : `${SEAT_OF} ${player} LIMIT 1)`, playerId);
  const id = isByPair ? 'pairs.session' : isByPlayer ? 'seat.session' : 'session.id';
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
  const from = isByPair
    ? BY_PAIR
    : isByPlayer
      ? 'seat JOIN session ON session.id = seat.session'
      : 'session';
  const text = `SELECT session.* FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${id} DESC LIMIT $${values.length}`;
  return { text, values };
}
