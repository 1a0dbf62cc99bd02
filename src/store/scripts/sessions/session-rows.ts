/** Rows of new sessions, with their seats and the first records of their logs. */

import type { Entry } from '../../../match/record.ts';
import type { KeyMode } from '../../../tenancy/tenant.ts';
import { pairsOf } from '../../rows/metadata-pairs.ts';
import type { LeftSeat, SeatedRow, SessionRow } from '../../store.ts';
import { worldOf } from '../../world.ts';
import { insertRecords, toLogRows } from '../shared/log-rows.ts';
import { type KnownPlayer, playersOf } from '../shared/player-rows.ts';
import type { Tx } from '../shared/script.ts';

/** A session to insert. */
export interface FirstRows {
  readonly row: Omit<SessionRow, 'endedAt'>;
  readonly seats: readonly SeatedRow[];
  readonly entries: readonly Entry[];
  /** As in `NewSession`. */
  readonly wakeAt: number | null;
}

/** Players who take seats in one session. */
export interface Seating {
  readonly session: string;
  readonly tenant: string;
  readonly world: KeyMode;
  readonly seats: readonly SeatedRow[];
}

const INSERT = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant, status, room_code,
    metadata, theme, created_at, started_at, wake_at, integrity, holder, metadata_indexed)
  SELECT id, tenant, mode, world, game, match_type, variant, status, room_code,
      metadata, theme, created_at, started_at, wake_at, integrity,
      CASE WHEN wake_at IS NULL THEN :node END, TRUE
    FROM @given(id text, tenant text, mode text, world text, game text, match_type text, variant text,
      status text, room_code text, metadata text, theme text, created_at bigint, started_at bigint,
      wake_at bigint, integrity text)`;

/** Returns the players of each session, in seat order. This node owns sessions that do not sleep. */
export async function insertSessions(
  tx: Tx,
  sessions: readonly FirstRows[],
): Promise<readonly (readonly KnownPlayer[])[]> {
  if (sessions.length === 0) return [];
  const given = sessions.map(({ row, wakeAt }) => ({ ...row, wakeAt }));
  await tx.run(INSERT, { given, node: tx.node });
  await insertPairs(tx, sessions);
  const seatings = sessions.map(({ row, seats }): Seating => {
    return { session: row.id, tenant: row.tenant, world: worldOf(row), seats };
  });
  const players = await seatPlayers(tx, seatings);
  const records = sessions.flatMap(({ row, entries }) => toLogRows(row.id, entries));
  await insertRecords(tx, records);
  return players;
}

/** The index rows for `listSessions`. */
async function insertPairs(tx: Tx, sessions: readonly FirstRows[]): Promise<void> {
  const given = sessions.flatMap(({ row }) => pairsOf(row));
  if (given.length === 0) return;
  await tx.run(
    `INSERT INTO session_metadata (tenant, mode, pair, game, session)
     SELECT tenant, mode, pair, game, session
       FROM @given(tenant text, mode text, pair text, game text, session text)
      WHERE TRUE ON CONFLICT DO NOTHING`,
    { given },
  );
}

/** Returns the players of each seating, in seat order. */
export async function seatPlayers(
  tx: Tx,
  seatings: readonly Seating[],
): Promise<readonly (readonly KnownPlayer[])[]> {
  const seats = seatings.flatMap(({ session, tenant, world, seats }) =>
    seats.map((seat) => ({ ...seat, session, tenant, world })),
  );
  if (seats.length === 0) return seatings.map(() => []);
  const players = await playersOf(tx, seats);
  await tx.run(
    `INSERT INTO seat (session, seat, player, is_bot)
     SELECT session, seat, player, is_bot
       FROM @given(session text, seat int, player text, is_bot boolean)`,
    { given: seats.map((seat, i) => ({ ...seat, player: players[i]!.ref })) },
  );
  let next = 0;
  return seatings.map(({ seats }) => {
    const first = next;
    next += seats.length;
    return players.slice(first, next);
  });
}

/**
 * Removes players from their seats. They are remembered in `former_seat`, for the events that name
 * them (rule E1), and no longer wait through this session. Commits of one session are serialized by
 * its log, so its seats do not change meanwhile.
 */
export async function openSeats(
  tx: Tx,
  given: readonly (LeftSeat & { readonly session: string })[],
): Promise<void> {
  if (given.length === 0) return;
  const gone = await tx.all(
    `INSERT INTO former_seat (session, left_v, seat, player, is_bot)
     SELECT seat.session, given.v, seat.seat, seat.player, seat.is_bot
       FROM @given(session text, seat int, v bigint)
       JOIN seat ON seat.session = given.session AND seat.seat = given.seat
     RETURNING session, seat, player`,
    { given },
  );
  await tx.run(
    `DELETE FROM seat WHERE (session, seat) IN (
       SELECT session, seat FROM @gone(session text, seat int))`,
    { gone },
  );
  await tx.run(
    `DELETE FROM waiting WHERE (player, mode, game) IN (
       SELECT waiting.player, mode, game FROM waiting
         JOIN @gone(session text, player text)
           ON gone.session = waiting.session AND gone.player = waiting.player
        ORDER BY waiting.player, mode, game FOR UPDATE OF waiting)`,
    { gone },
  );
}
