/** Rows that several operations write: sessions with their seats, players, counters, kept answers. */

import type { Entry } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { ALONE } from '../alone.ts';
import { pairsOf } from '../rows/metadata-pairs.ts';
import { textOrNull } from '../rows/row.ts';
import type { IdempotencyRow, SeatedRow, SessionRow } from '../store.ts';
import { worldOf } from '../world.ts';
import type { Statements } from './statements.ts';

/** The one insert that a log ever sees. Ignores a version that is there. */
export const INSERT_RECORD =
  'INSERT INTO log (session, v, at, record) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';

/** A session as it is written down for the first time. */
export interface FirstRows {
  readonly row: Omit<SessionRow, 'endedAt'>;
  readonly seats: readonly SeatedRow[];
  readonly entries: readonly Entry[];
  /** As in `NewSession`. */
  readonly wakeAt: number | null;
}

/** Answers the names of its players, in the order of `seats`. */
export function insertSession(
  sql: Statements,
  { row, seats, entries, wakeAt }: FirstRows,
): (string | null)[] {
  sql.run(
    `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, metadata,
       theme, created_at, started_at, ended_at, holder, wake_at, integrity, world,
       metadata_indexed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, 1)`,
    row.id,
    row.tenant,
    row.mode,
    row.game,
    row.matchType,
    row.variant,
    row.status,
    row.roomCode,
    row.metadata,
    row.theme,
    row.createdAt,
    row.startedAt,
    wakeAt === null ? ALONE : null,
    wakeAt,
    row.integrity ?? null,
    row.world ?? null,
  );
  insertPairs(sql, row);
  const world = worldOf(row);
  const names = seats.map((each) => seat(sql, row.id, row.tenant, world, each));
  for (const { v, at, record } of entries) {
    sql.run(INSERT_RECORD, row.id, v, at, JSON.stringify(record));
  }
  return names;
}

/** What the session is found by in `listSessions`. */
function insertPairs(sql: Statements, row: Parameters<typeof pairsOf>[0]): void {
  for (const { tenant, mode, pair, game, session } of pairsOf(row)) {
    sql.run(
      `INSERT INTO session_metadata (tenant, mode, pair, game, session) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      tenant,
      mode,
      pair,
      game,
      session,
    );
  }
}

/** Counts one more, unless `max` are counted: then it answers false. */
export function count(sql: Statements, tenant: string, name: string, max: number | null): boolean {
  if (max !== null && max <= 0) return false;
  const changes = sql.run(
    `INSERT INTO counter (tenant, name, n) VALUES (?, ?, 1)
     ON CONFLICT (tenant, name) DO UPDATE SET n = n + 1 WHERE n < ?`,
    tenant,
    name,
    max ?? Number.MAX_SAFE_INTEGER,
  );
  return changes > 0;
}

export function uncount(sql: Statements, tenant: string, name: string): void {
  sql.run('UPDATE counter SET n = n - 1 WHERE tenant = ? AND name = ?', tenant, name);
}

/** Answers the name of who sits there. */
export function seat(
  sql: Statements,
  session: string,
  tenant: string,
  world: KeyMode,
  row: SeatedRow,
): string | null {
  const { ref, displayName } = playerOf(sql, tenant, world, row);
  sql.run(
    'INSERT INTO seat (session, seat, player, is_bot) VALUES (?, ?, ?, ?)',
    session,
    row.seat,
    ref,
    row.isBot ? 1 : 0,
  );
  return displayName;
}

interface KnownPlayer {
  /** His pseudonym. */
  readonly ref: string;
  readonly displayName: string | null;
}

/** The player's row in a world, with the name last given. Most players are new or keep theirs. */
export function playerOf(
  sql: Statements,
  tenant: string,
  world: KeyMode,
  row: Pick<SeatedRow, 'playerId' | 'displayName' | 'newRef' | 'at'>,
): KnownPlayer {
  const made = sql.run(
    `INSERT INTO player (ref, tenant, world, player_id, display_name, created_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (tenant, world, player_id) DO NOTHING`,
    row.newRef,
    tenant,
    world,
    row.playerId,
    row.displayName,
    row.at,
  );
  if (made > 0) return { ref: row.newRef, displayName: row.displayName };
  const known = sql.get(
    'SELECT ref, display_name FROM player WHERE tenant = ? AND world = ? AND player_id = ?',
    tenant,
    world,
    row.playerId,
  )!;
  const ref = String(known['ref']);
  const knownName = textOrNull(known['display_name']);
  if (row.displayName === null || row.displayName === knownName) {
    return { ref, displayName: knownName };
  }
  sql.run('UPDATE player SET display_name = ? WHERE ref = ?', row.displayName, ref);
  return { ref, displayName: row.displayName };
}

/** The first answer stays while it is good: then it answers false. */
export function keep(sql: Statements, row: IdempotencyRow): boolean {
  const written = sql.run(
    `INSERT INTO idempotency (tenant, mode, method, path, key, body_hash, status, body, mint,
       expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (tenant, mode, method, path, key) DO UPDATE SET
       body_hash = excluded.body_hash, status = excluded.status, body = excluded.body,
       mint = excluded.mint, expires_at = excluded.expires_at
     WHERE idempotency.expires_at <= ?`,
    row.tenant,
    row.mode,
    row.method,
    row.path,
    row.key,
    row.bodyHash,
    row.status,
    row.body,
    row.mint,
    row.expiresAt,
    row.keptAt,
  );
  return written > 0;
}
