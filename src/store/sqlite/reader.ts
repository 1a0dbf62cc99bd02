/** Point reads, prepared, on a connection of their own: a page or two each, mostly in memory. */

import type { DatabaseSync } from 'node:sqlite';
import type { Entry, LogRecord } from '../../match/record.ts';
import { ALONE } from '../alone.ts';
import { numberOrNull, textOrNull } from '../rows/row.ts';
import { toSessionRow } from '../rows/session-rows.ts';
import type { StoredSession } from '../store.ts';
import type { Prepare, Row } from './rows.ts';

export interface Reader {
  loadSession(id: string): StoredSession | null;
  listDue(now: number, limit: number): readonly string[];
  listAwake(after: string, limit: number): readonly string[];
}

export function makeReader(db: DatabaseSync): Reader {
  const prepare: Prepare = (sql) => {
    const statement = db.prepare(sql);
    return (...values) => statement.all(...values) as Row[];
  };
  return makeSessionReads(prepare);
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
  const due = all('SELECT id FROM session WHERE wake_at <= ? ORDER BY wake_at LIMIT ?');
  const awake = all('SELECT id FROM session WHERE holder = ? AND id > ? ORDER BY id LIMIT ?');
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
          isAsleep: found['holder'] === null,
          wakeAt: numberOrNull(found['wake_at']),
        };
      } finally {
        commit();
      }
    },
    listDue: (now: number, limit: number) => ids(due(now, limit)),
    listAwake: (after: string, limit: number) => ids(awake(ALONE, after, limit)),
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
