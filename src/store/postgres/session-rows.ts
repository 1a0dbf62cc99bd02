/** Rows of new sessions: with their seats and the beginning of their logs. */

import type { Entry } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { type PairRow, pairsOf } from '../rows/metadata-pairs.ts';
import type { LeftSeat, SeatedRow, SessionRow } from '../store.ts';
import { worldOf } from '../world.ts';
import { type KnownPlayer, playersOf } from './player-rows.ts';
import type { Row, Sql, Tx } from './sql.ts';

/** A session as it is written down for the first time. */
export interface FirstRows {
  readonly row: Omit<SessionRow, 'endedAt'>;
  readonly seats: readonly SeatedRow[];
  readonly entries: readonly Entry[];
  /** As in `NewSession`. */
  readonly wakeAt: number | null;
}

/** Who sits where, of one session. */
export interface Seating {
  readonly session: string;
  readonly tenant: string;
  readonly world: KeyMode;
  readonly seats: readonly SeatedRow[];
}

const INSERT_SESSIONS = `INSERT INTO session (id, tenant, mode, world, game, match_type, variant,
    status, room_code, metadata, theme, created_at, started_at, wake_at, integrity, holder,
    metadata_indexed)
  SELECT given.*, CASE WHEN given.wake_at IS NULL THEN $16 END, TRUE
    FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
      $8::text[], $9::text[], $10::text[], $11::text[], $12::bigint[], $13::bigint[], $14::bigint[],
      $15::text[]) AS given (id, tenant, mode, world, game, match_type, variant, status, room_code,
      metadata, theme, created_at, started_at, wake_at, integrity)`;

/** Answers the players of each session, in the order of its seats. `node` holds what does not sleep. */
export async function insertSessions(
  tx: Tx,
  node: string,
  sessions: readonly FirstRows[],
): Promise<readonly (readonly KnownPlayer[])[]> {
  if (sessions.length === 0) return [];
  const of = <T>(field: (each: FirstRows) => T): T[] => sessions.map(field);
  await tx.run(
    INSERT_SESSIONS,
    of(({ row }) => row.id),
    of(({ row }) => row.tenant),
    of(({ row }) => row.mode),
    of(({ row }) => row.world ?? null),
    of(({ row }) => row.game),
    of(({ row }) => row.matchType),
    of(({ row }) => row.variant),
    of(({ row }) => row.status),
    of(({ row }) => row.roomCode),
    of(({ row }) => row.metadata),
    of(({ row }) => row.theme),
    of(({ row }) => row.createdAt),
    of(({ row }) => row.startedAt),
    of(({ wakeAt }) => wakeAt),
    of(({ row }) => row.integrity ?? null),
    node,
  );
  await insertPairs(
    tx,
    sessions.flatMap(({ row }) => pairsOf(row)),
  );
  const seatings = of(({ row, seats }) => ({
    ...{ session: row.id, tenant: row.tenant, world: worldOf(row) },
    seats,
  }));
  const players = await seatPlayers(tx, seatings);
  await insertRecords(
    tx,
    sessions.flatMap(({ row, entries }) => toLogRows(row.id, entries)),
  );
  return players;
}

/** What sessions are found by in `listSessions`. */
async function insertPairs(sql: Sql, pairs: readonly PairRow[]): Promise<void> {
  if (pairs.length === 0) return;
  await sql.run(
    `INSERT INTO session_metadata (tenant, mode, pair, game, session)
     SELECT * FROM ${PAIRS} ON CONFLICT DO NOTHING`,
    ...pairColumns(pairs),
  );
}

const PAIRS = 'unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])';

function pairColumns(pairs: readonly PairRow[]) {
  return [
    pairs.map(({ tenant }) => tenant),
    pairs.map(({ mode }) => mode),
    pairs.map(({ pair }) => pair),
    pairs.map(({ game }) => game),
    pairs.map(({ session }) => session),
  ] as const;
}

/** Answers the players of each seating, in the order of its seats. */
export async function seatPlayers(
  tx: Tx,
  seatings: readonly Seating[],
): Promise<readonly (readonly KnownPlayer[])[]> {
  const all = seatings.flatMap(({ session, tenant, world, seats }) =>
    seats.map((seat) => ({ ...seat, session, tenant, world })),
  );
  if (all.length === 0) return seatings.map(() => []);
  const players = await playersOf(tx, all);
  await tx.run(
    `INSERT INTO seat (session, seat, player, is_bot)
     SELECT * FROM unnest($1::text[], $2::int[], $3::text[], $4::boolean[])`,
    all.map(({ session }) => session),
    all.map(({ seat }) => seat),
    players.map(({ ref }) => ref),
    all.map(({ isBot }) => isBot),
  );
  let next = 0;
  return seatings.map(({ seats }) => {
    const first = next;
    next += seats.length;
    return players.slice(first, next);
  });
}

/**
 * Takes players off their seats. Whoever left is remembered apart, for the events that tell of them (rule E1),
 * and waits in no line by this session.
 */
export async function openSeats(
  tx: Tx,
  left: readonly (LeftSeat & { readonly session: string })[],
): Promise<void> {
  await tx.run(
    `WITH given AS MATERIALIZED (
       SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[]) AS given (session, seat, v)),
     gone AS (
       DELETE FROM seat USING given
        WHERE seat.session = given.session AND seat.seat = given.seat
       RETURNING seat.session, given.v, seat.seat, seat.player, seat.is_bot),
     waited AS (
       DELETE FROM waiting USING gone
        WHERE waiting.session = gone.session AND waiting.player = gone.player)
     INSERT INTO former_seat (session, left_v, seat, player, is_bot) SELECT * FROM gone`,
    left.map(({ session }) => session),
    left.map(({ seat }) => seat),
    left.map(({ v }) => v),
  );
}

/** A record as it is written, and the log it belongs to. */
export interface LogRow {
  readonly session: string;
  readonly v: number;
  readonly at: number;
  /** JSON. */
  readonly text: string;
}

/** Throws for what cannot be written down. */
export function toLogRows(session: string, entries: readonly Entry[]): readonly LogRow[] {
  return entries.map(({ v, at, record }) => ({ session, v, at, text: JSON.stringify(record) }));
}

/** Rejects when one of the versions is there already. */
export async function insertRecords(sql: Sql, rows: readonly LogRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.run(
    `INSERT INTO log (session, v, at, record)
     SELECT * FROM unnest($1::text[], $2::int[], $3::bigint[], $4::text[])`,
    ...columnsOf(rows),
  );
}

/** What a statement over many records takes: sessions, versions, times and texts. */
export function columnsOf(rows: readonly LogRow[]) {
  return [
    rows.map(({ session }) => session),
    rows.map(({ v }) => v),
    rows.map(({ at }) => at),
    rows.map(({ text }) => text),
  ] as const;
}

export function idsOf(rows: readonly Row[]): string[] {
  return rows.map(({ id }) => String(id));
}
