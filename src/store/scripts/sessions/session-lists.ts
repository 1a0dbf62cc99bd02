/** Lists and lookups of sessions, without their logs. */

import { pairOf } from '../../rows/metadata-pairs.ts';
import type { ModePlayer } from '../../rows/presence-key.ts';
import { textOrNull } from '../../rows/row.ts';
import {
  isReadByGame,
  leadsByPair,
  type ModeFilter,
  modeFilters,
  newestSessions,
  RARE_MAX,
} from '../../rows/session-lists.ts';
import { toSessionRow } from '../../rows/session-rows.ts';
import type { SessionRow, SessionStore } from '../../store.ts';
import { worldOf } from '../../world.ts';
import type { Dialect } from '../shared/dialect.ts';
import type { Scalar } from '../shared/notation.ts';
import type { Runner, Sql } from '../shared/script.ts';

export type SessionListStore = Pick<
  SessionStore,
  'listSessions' | 'listOpenSessionsOf' | 'findSessionByRoomCode'
>;

export function makeSessionListStore({ sql, dialect, gather }: Runner): SessionListStore {
  const openOf = gather((asked: readonly ModePlayer[]) => openSessionsOf(sql, asked));
  return {
    async listSessions(filter) {
      const lists = modeFilters(filter).map((ofMode) => readMode(sql, dialect, ofMode));
      return newestSessions((await Promise.all(lists)).flat(), filter.limit);
    },
    listOpenSessionsOf: (tenant, mode, playerId) => openOf({ tenant, mode, playerId }),
    async findSessionByRoomCode(tenant, mode, code, now) {
      const row = await sql.get(
        `SELECT session FROM room_code
         WHERE tenant = :tenant AND mode = :mode AND code = :code AND expires_at > :now`,
        { tenant, mode, code, now },
      );
      return textOrNull(row?.['session']);
    },
  };
}

// ── by a filter ────────────────────────────────────────────────────────────────────────────────

async function readMode(sql: Sql, dialect: Dialect, filter: ModeFilter): Promise<SessionRow[]> {
  const rare = await isRare(sql, filter);
  const filters = isReadByGame(filter, rare)
    ? (await gamesOfPair(sql, filter)).map((game) => ({ ...filter, game }))
    : [filter];
  const lists = filters.map(async (ofGame) => {
    const { text, values } = listQuery(ofGame, rare, dialect);
    return (await sql.all(text, values)).map(toSessionRow);
  });
  return (await Promise.all(lists)).flat();
}

const FIRST_GAME = `SELECT min(game) FROM session_metadata
  WHERE tenant = :tenant AND mode = :mode AND pair = :pair`;

/** Skips from game to game through the index, however many sessions each has. */
async function gamesOfPair(sql: Sql, { tenant, mode, metadata }: ModeFilter): Promise<string[]> {
  const rows = await sql.all(
    `WITH RECURSIVE found (game) AS (
       SELECT (${FIRST_GAME})
       UNION ALL
       SELECT (${FIRST_GAME} AND game > found.game) FROM found WHERE found.game IS NOT NULL)
     SELECT game FROM found WHERE game IS NOT NULL`,
    { tenant, mode, pair: pairOf(metadata!.key, metadata!.value) },
  );
  return rows.map(({ game }) => String(game));
}

async function isRare(sql: Sql, { tenant, mode, metadata }: ModeFilter): Promise<boolean> {
  if (metadata === undefined) return false;
  // In index order: otherwise PostgreSQL may scan the table from its beginning.
  const beyond = await sql.get(
    `SELECT 1 AS found FROM session_metadata
     WHERE tenant = :tenant AND mode = :mode AND pair = :pair
     ORDER BY game DESC, session DESC LIMIT 1 OFFSET ${RARE_MAX}`,
    { tenant, mode, pair: pairOf(metadata.key, metadata.value) },
  );
  return beyond === undefined;
}

const PLAYER = `(SELECT ref FROM player
  WHERE tenant = :tenant AND world = :player_world AND player_id = :player)`;
// With the limit, each is looked up on its own: a join would read the whole table.
const HAS_SEAT = `(SELECT TRUE FROM seat
  WHERE seat.session = session.id AND seat.player = ${PLAYER} LIMIT 1)`;
const HAS_PAIR = `(SELECT TRUE FROM session_metadata AS pairs
  WHERE pairs.tenant = session.tenant AND pairs.mode = session.mode AND pairs.pair = :pair
    AND pairs.game = session.game AND pairs.session = session.id LIMIT 1)`;

export interface ListQuery {
  readonly text: string;
  /** May include values that the text does not name. */
  readonly values: Readonly<Record<string, Scalar>>;
}

/** The column that drives a list and gives its order. */
type Lead = 'pairs.session' | 'seat.session' | 'session.id';

/**
 * The text has only the conditions that are set, so that an index returns the rows in order.
 * `isRare`: few sessions have the metadata.
 */
export function listQuery(filter: ModeFilter, isRare: boolean, dialect: Dialect): ListQuery {
  const { metadata, game, status } = filter;
  const values = {
    tenant: filter.tenant,
    mode: filter.mode,
    game,
    status,
    pair: metadata === undefined ? null : pairOf(metadata.key, metadata.value),
    player: filter.playerId,
    player_world: worldOf(filter),
    world: filter.world ?? null,
    created_from: filter.createdFrom,
    created_to: filter.createdTo,
    before: filter.before,
    not_before: filter.notBefore ?? null,
    limit: filter.limit,
  };
  const lead = leadOf(filter, isRare);
  const isOpen = status === 'pending' || status === 'active';
  const where = ['session.tenant = :tenant', 'session.mode = :mode'];
  const ask = (value: Scalar, condition: string): void => {
    if (value !== null) where.push(condition);
  };
  ask(game, 'session.game = :game');
  if (lead === 'pairs.session') {
    where.push('pairs.tenant = :tenant AND pairs.mode = :mode AND pairs.pair = :pair');
    ask(game, 'pairs.game = :game');
  } else {
    ask(values.pair, HAS_PAIR);
  }
  ask(values.player, lead === 'seat.session' ? `seat.player = ${PLAYER}` : HAS_SEAT);
  ask(status, 'status = :status');
  // Written out literally, for the partial indexes of open sessions.
  if (isOpen) where.push("status <> 'ended'");
  ask(values.world, '(world IS NULL OR world = :world)');
  if (filter.withoutPrivate === true) where.push("match_type <> 'private'");
  ask(values.created_from, 'created_at >= :created_from');
  ask(values.created_to, 'created_at < :created_to');
  ask(values.before, `${lead} < :before`);
  ask(values.not_before, `${lead} >= :not_before`);
  const all = isOpen && game !== null ? dialect.openSessionsOfGame : 'session';
  const from = {
    'pairs.session': dialect.sessionsOfPairs,
    'seat.session': dialect.sessionsOfSeats,
    'session.id': all,
  }[lead];
  const text = `SELECT session.* FROM ${from} WHERE ${where.join(' AND ')}
    ORDER BY ${lead} DESC LIMIT :limit`;
  return { text, values };
}

function leadOf(filter: ModeFilter, isRare: boolean): Lead {
  if (filter.metadata !== undefined && leadsByPair(filter, isRare)) return 'pairs.session';
  return filter.playerId === null ? 'session.id' : 'seat.session';
}

// ── open ones of a player ──────────────────────────────────────────────────────────────────────

/** Rows of one kind that can be read within some tens of milliseconds. */
const FEW = 20_000;

const isMoreThanFew = (rows: string): string =>
  `(SELECT count(*) FROM (SELECT 1 FROM ${rows} LIMIT ${FEW + 1}) AS few) > ${FEW}`;
const OF_PLAYER = 'seat.player = player.ref';
const OPEN_SESSIONS = `session.tenant = asked.tenant AND session.mode = asked.mode
  AND session.status <> 'ended'`;

/**
 * From the player's seats to their sessions. For a player with very many seats, from the mode's
 * open sessions to the player's seats, if those sessions are few. Both databases run a subquery row
 * by row: no plan, which knows nothing of the player, can invert it.
 */
const OPEN_SESSIONS_OF = `SELECT asked.n, (SELECT CASE
    WHEN ${isMoreThanFew(`seat WHERE ${OF_PLAYER}`)} AND NOT ${isMoreThanFew(`session WHERE ${OPEN_SESSIONS}`)}
    THEN (SELECT json_agg(session.id)::text FROM session WHERE ${OPEN_SESSIONS}
      AND (SELECT TRUE FROM seat WHERE ${OF_PLAYER} AND seat.session = session.id LIMIT 1))
    ELSE (SELECT json_agg(seat.session)::text FROM seat WHERE ${OF_PLAYER}
      AND (SELECT session.mode = asked.mode AND session.status <> 'ended'
             FROM session WHERE session.id = seat.session)) END
  FROM player WHERE player.tenant = asked.tenant AND player.world = asked.world
    AND player.player_id = asked.player_id) AS ids
 FROM @asked(tenant text, mode text, world text, player_id text, n place)`;

async function openSessionsOf(
  sql: Sql,
  asked: readonly ModePlayer[],
): Promise<readonly (readonly string[])[]> {
  const rows = await sql.all(OPEN_SESSIONS_OF, {
    asked: asked.map((each) => ({ ...each, world: worldOf(each) })),
  });
  const found: (readonly string[])[] = asked.map(() => []);
  for (const { n, ids } of rows) found[Number(n)] = toIds(ids);
  return found;
}

/** No rows are null in PostgreSQL, and `[]` in SQLite. */
function toIds(ids: unknown): readonly string[] {
  return ids === null ? [] : (JSON.parse(String(ids)) as string[]).toSorted();
}
