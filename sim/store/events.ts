/** The log of events, as atomic steps. */

import type { CommitEvent, EventWorld, KeptEvent } from '../../src/events/event.ts';
import { isToldRecord, worldName } from '../../src/events/event.ts';
import { isRecordEventId } from '../../src/events/event-id.ts';
import { makeRecordEvent } from '../../src/events/session-events.ts';
import type { Entry } from '../../src/match/record.ts';
import type { EventSubject } from '../../src/store/events.ts';
import type { EventTable, EventTableRow, Tables } from './tables.ts';

export function emit(tables: Tables, events: readonly CommitEvent[]): void {
  for (const event of events) {
    const table = tableOf(tables, event);
    if (!isToldRecord(event)) table.rows.push(event);
    else table.rows.push({ session: event.session, v: event.v, at: event.at });
  }
}

function tableOf(tables: Tables, world: EventWorld): EventTable {
  const name = worldName(world);
  const known = tables.events.get(name);
  if (known !== undefined) return known;
  const made: EventTable = { removed: 0, rows: [] };
  tables.events.set(name, made);
  return made;
}

export function eventHead(tables: Tables, world: EventWorld): number {
  const { removed, rows } = tableOf(tables, world);
  return removed + rows.length;
}

export function readEvents(
  tables: Tables,
  world: EventWorld,
  afterSeq: number,
  limit: number,
): KeptEvent[] {
  const { removed, rows } = tableOf(tables, world);
  const events: KeptEvent[] = [];
  for (let at = Math.max(0, afterSeq - removed); at < rows.length; at++) {
    const event = resolve(tables, world, rows[at]!, removed + at + 1);
    if (event !== null) events.push(event);
    if (events.length === limit) break;
  }
  return events;
}

/** Null when its session has been removed: what its records told went with it. */
function resolve(
  tables: Tables,
  world: EventWorld,
  row: EventTableRow,
  seq: number,
): KeptEvent | null {
  if (!('v' in row)) return { ...row, seq };
  const text = tables.sessions.get(row.session)?.log[row.v]?.text;
  if (text === undefined) return null;
  const { at, record } = JSON.parse(text) as Entry;
  const { tenant, mode } = world;
  const event = makeRecordEvent({ tenant, mode, session: row.session, v: row.v, at }, record);
  return event === null ? null : { ...event, seq };
}

export function findEventSeq(tables: Tables, world: EventWorld, id: string): number | null {
  const { removed, rows } = tableOf(tables, world);
  const at = rows.findIndex((row) =>
    'v' in row ? isRecordEventId(id, row.session, row.v) : row.id === id,
  );
  return at === -1 ? null : removed + at + 1;
}

export function findEventSubjects(
  tables: Tables,
  sessions: readonly string[],
): ReadonlyMap<string, EventSubject> {
  const subjects = new Map<string, EventSubject>();
  for (const id of sessions) {
    const kept = tables.sessions.get(id);
    if (kept === undefined) continue;
    const seats = kept.seats.flatMap((player, seat) =>
      player === undefined
        ? []
        : [
            {
              seat,
              playerId: player.playerId,
              displayName: player.displayName,
              isBot: kept.bots.has(seat),
            },
          ],
    );
    const former = Array.from(kept.former, ([leftV, { seat, player, isBot }]) => ({
      seat,
      playerId: player.playerId,
      displayName: player.displayName,
      isBot,
      leftV,
    }));
    subjects.set(id, { row: kept.row, seats, former });
  }
  return subjects;
}

export function findPlayerIds(
  tables: Tables,
  refs: readonly string[],
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const ref of refs) {
    const playerId = tables.refs.get(ref)?.playerId ?? null;
    if (playerId !== null) found.set(ref, playerId);
  }
  return found;
}

export function removeEvents(
  tables: Tables,
  world: EventWorld,
  olderThan: number,
  limit: number,
): number {
  const table = tableOf(tables, world);
  const isOld = (row: EventTableRow | undefined): boolean =>
    row !== undefined && row.at < olderThan;
  let count = 0;
  while (count < limit && isOld(table.rows[count])) count += 1;
  table.rows.splice(0, count);
  table.removed += count;
  return count;
}
