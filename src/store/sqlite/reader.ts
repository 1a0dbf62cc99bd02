/** Point reads, prepared, on a connection of their own: a page or two each, mostly in memory. */

import type { DatabaseSync } from 'node:sqlite';
import type { Entry, LogRecord, Mode } from '../../match/record.ts';
import type { QueueStore } from '../queue.ts';
import { pairOf } from '../rows/metadata-pairs.ts';
import { numberOrNull, textOrNull } from '../rows/row.ts';
import {
  gameFilters,
  type ModeFilter,
  modeFilters,
  newestSessions,
  RARE_MAX,
} from '../rows/session-lists.ts';
import { toSessionRow } from '../rows/session-rows.ts';
import type { SessionFilter, SessionRow, StoredSession } from '../store.ts';
import { worldOf } from '../world.ts';
import { listQuery } from './list-query.ts';
import type { Prepare, Row } from './rows.ts';
import { makeWaitingReads } from './waiting.ts';

export interface Reader {
  loadSession(id: string): StoredSession | null;
  findSessionByRoomCode(tenant: string, mode: Mode, code: string, now: number): string | null;
  listSessions(filter: SessionFilter): readonly SessionRow[];
  listOpenSessionsOf(tenant: string, mode: Mode, playerId: string): readonly string[];
  listDue(now: number, limit: number): readonly string[];
  listAwake(after: string, limit: number): readonly string[];
  readonly queue: QueueStore;
}

export function makeReader(db: DatabaseSync): Reader {
  const prepare: Prepare = (sql) => {
    const statement = db.prepare(sql);
    return (...values) => statement.all(...values) as Row[];
  };
  return {
    ...makeSessionReads(prepare),
    ...makeListReads(prepare),
    queue: makeWaitingReads(prepare),
  };
}

function makeSessionReads(all: Prepare) {
  const begin = all('BEGIN');
  const commit = all('COMMIT');
  const row = all('SELECT * FROM session WHERE id = ?');
  const seats = all(
    `SELECT seat, player_id, display_name, is_bot FROM seat JOIN player ON player.ref = seat.player
     WHERE session = ? ORDER BY seat`,
  );
  const log = all('SELECT v, at, record FROM log WHERE session = ? ORDER BY v');
  const byCode = all(
    'SELECT session FROM room_code WHERE tenant = ? AND mode = ? AND code = ? AND expires_at > ?',
  );
  const openOf = all(
    `SELECT session.id FROM player JOIN seat ON seat.player = player.ref
       JOIN session ON session.id = seat.session
     WHERE player.tenant = ? AND player.world = ? AND player.player_id = ? AND session.mode = ?
       AND session.status <> 'ended' ORDER BY session.id`,
  );
  const due = all('SELECT id FROM session WHERE wake_at <= ? ORDER BY wake_at LIMIT ?');
  const awake = all('SELECT id FROM session WHERE awake = 1 AND id > ? ORDER BY id LIMIT ?');
  const ids = (rows: Row[]): string[] => rows.map((each) => String(each['id']));
  return {
    loadSession(id: string): StoredSession | null {
      begin(); // One moment for all three: a commit may come between.
      try {
        const [found] = row(id);
        if (found === undefined) return null;
        const seated = seats(id);
        return {
          row: toSessionRow(found),
          roster: toRoster(seated),
          entries: log(id).map(toEntry),
          botSeats: seated.flatMap((each) => (each['is_bot'] ? [Number(each['seat'])] : [])),
          isAsleep: Number(found['awake']) === 0,
          wakeAt: numberOrNull(found['wake_at']),
        };
      } finally {
        commit();
      }
    },
    findSessionByRoomCode(tenant: string, mode: Mode, code: string, now: number): string | null {
      const [found] = byCode(tenant, mode, code, now);
      return found === undefined ? null : String(found['session']);
    },
    listOpenSessionsOf: (tenant: string, mode: Mode, playerId: string) =>
      ids(openOf(tenant, worldOf({ mode }), playerId, mode)),
    listDue: (now: number, limit: number) => ids(due(now, limit)),
    listAwake: (after: string, limit: number) => ids(awake(after, limit)),
  };
}

function makeListReads(all: Prepare) {
  const prepared = new Map<string, ReturnType<Prepare>>();
  const beyondRare = all(
    `SELECT 1 FROM session_metadata WHERE tenant = ? AND mode = ? AND pair = ?
     LIMIT 1 OFFSET ${RARE_MAX}`,
  );
  const isRare = ({ tenant, mode, metadata }: ModeFilter): boolean =>
    metadata !== undefined &&
    beyondRare(tenant, mode, pairOf(metadata.key, metadata.value)).length === 0;
  const read = (filter: ModeFilter, rare: boolean): SessionRow[] => {
    const { sql, values } = listQuery(filter, rare);
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = all(sql);
      prepared.set(sql, statement);
    }
    return statement(...values).map(toSessionRow);
  };
  return {
    listSessions(filter: SessionFilter): readonly SessionRow[] {
      const found = modeFilters(filter).flatMap((ofMode) => {
        const rare = isRare(ofMode);
        return gameFilters(ofMode, rare).flatMap((ofGame) => read(ofGame, rare));
      });
      return newestSessions(found, filter.limit);
    },
  };
}

function toEntry(row: Row): Entry {
  const record = JSON.parse(String(row['record'])) as LogRecord;
  return { v: Number(row['v']), at: Number(row['at']), record };
}

function toRoster(rows: Row[]): StoredSession['roster'] {
  const roster: StoredSession['roster'][number][] = [];
  for (const row of rows) {
    const seat = Number(row['seat']);
    while (roster.length < seat) roster.push(null);
    roster[seat] = {
      id: textOrNull(row['player_id']),
      displayName: textOrNull(row['display_name']),
    };
  }
  return roster;
}
