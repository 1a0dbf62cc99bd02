/** What it costs to search for an event by an id that may be made up. */

import { afterAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import type { EventWorld } from '../../../events/event.ts';
import { makeRecordEventId } from '../../../events/event-id.ts';
import { makeTimeDigits } from '../../../match/id-text.ts';
import type { Row } from '../../rows/row.ts';
import { makeEventStore } from '../../scripts/webhooks/events.ts';
import { loopTurn } from '../../shared/loop-turn.ts';
import { migrate } from '../file/migrate.ts';
import { SQLITE } from '../sql/dialect.ts';
import { makeSql } from '../sql/script-sql.ts';
import { makeStatements } from '../sql/statements.ts';

const LIVE = { tenant: 'ten_busy', mode: 'live' } as const;
const T0 = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
/** A minute with 1,000 events per second, in commits of 10. */
const CHUNKS = 6_000;
const EACH = 10;
/** A commit every 10 ms. */
const STEP_MS = 10;

const sessionOf = (chunk: number) => `ses_${makeTimeDigits(T0)}${String(chunk).padStart(16, '0')}`;
const idAt = (at: number, rest: string) => `evt_${makeTimeDigits(at)}${rest.padStart(16, '0')}`;

const db = new DatabaseSync(':memory:');
afterAll(() => db.close());
fill();

/** A quiet day with one event per second, then the busy minute, with one whole event in a commit. */
function fill(): void {
  migrate(db);
  const insert = db.prepare('INSERT INTO event_chunk VALUES (?, ?, ?, ?, ?, ?)');
  let seq = 0;
  const add = (at: number, events: readonly unknown[]): void => {
    seq += events.length;
    insert.run(LIVE.tenant, LIVE.mode, seq, events.length, at, JSON.stringify(events));
  };
  db.exec('BEGIN');
  for (let at = T0 - 20_000_000; at < T0; at += 1_000) add(at, [`${sessionOf(0)}:1`]);
  for (let chunk = 0; chunk < CHUNKS; chunk++) {
    const told = Array.from({ length: EACH - 1 }, (_, v) => `${sessionOf(chunk)}:${v}`);
    const at = T0 + chunk * STEP_MS;
    const whole = { id: idAt(at, `${chunk}`), type: 'session.created', at, data: {} };
    add(at, [...told, chunk % 100 === 0 ? whole : `${sessionOf(chunk)}:${EACH}`]);
  }
  db.exec('COMMIT');
}

/** A world with a few large commits, then many small ones. */
const BURST = { tenant: 'ten_burst', mode: 'live' } as const;
const LARGE = 20_000;
const LARGE_CHUNKS = 10;

fillBurst();

function fillBurst(): void {
  const insert = db.prepare('INSERT INTO event_chunk VALUES (?, ?, ?, ?, ?, ?)');
  let seq = 0;
  db.exec('BEGIN');
  for (let chunk = 0; chunk < 100; chunk++) {
    const each = chunk < LARGE_CHUNKS ? LARGE : 1;
    const told = Array.from({ length: each }, (_, v) => `${sessionOf(chunk)}:${v}`);
    seq += each;
    insert.run(BURST.tenant, BURST.mode, seq, each, T0 + chunk, JSON.stringify(told));
  }
  db.exec('COMMIT');
}

const never = (): never => {
  throw new Error('a search writes nothing, and reads by itself');
};

/** What a search read: its statements, its rows, and the events in their bodies. */
async function search(id: string, from: number, world: EventWorld = LIVE) {
  const plans = new Set<string>();
  const read = { rows: 0, events: 0 };
  const statements = makeStatements(db);
  const all: typeof statements.all = (text, ...values) => {
    const explained = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as Row[];
    for (const { detail } of explained) plans.add(String(detail));
    const rows = statements.all(text, ...values);
    read.rows += rows.length;
    for (const { n, body } of rows) read.events += body === null ? 0 : Number(n);
    return rows;
  };
  const sql = makeSql({ ...statements, all });
  const store = makeEventStore({
    sql,
    dialect: SQLITE,
    turn: loopTurn,
    gather: never,
    write: never,
  });
  const seq = await store.findEventSeq(world, id, from);
  return { seq, ...read, plans: [...plans] };
}

const placeOf = (chunk: number, index: number) => 20_000 + chunk * EACH + index + 1;

test.each([
  ['in a busy minute', T0 + 5_000],
  ['long ago', T0 - 365 * DAY_MS],
  ['in a time to come', T0 + 365 * DAY_MS],
])('[E2][STORE-SQ14] an id made up %s is searched through the index of times', async (_, at) => {
  const { seq, rows, events, plans } = await search(idAt(at, 'zzzz'), at);
  expect(seq).toBeNull();
  const [index, ...others] = new Set(
    plans.filter((plan) => plan.includes('event_chunk')).map((plan) => plan.replace(/ \(.*/, '')),
  );
  expect([index, others]).toEqual(['SEARCH event_chunk USING INDEX event_chunk_at', []]);
  // Of 60,000 events in the minutes around it.
  expect(events).toBeLessThanOrEqual(51_000);
  expect(rows).toBeLessThanOrEqual(5_100);
});

test('[E2][STORE-SQ14] an existing event is found among many others', async () => {
  for (const chunk of [0, 100, 3_000, CHUNKS - 100]) {
    const at = T0 + chunk * STEP_MS;
    const last = placeOf(chunk, EACH - 1);
    const told = makeRecordEventId(sessionOf(chunk), 3, at);
    expect((await search(told, at)).seq).toBe(placeOf(chunk, 3));
    const whole = idAt(at, `${chunk}`);
    for (const ms of [0, -500, 500, -45_000, 45_000]) {
      expect([ms, (await search(whole, at + ms)).seq]).toEqual([ms, last]);
    }
  }
});

test('[E2][STORE-SQ14] a record whose commit waited a while is found', async () => {
  // It went into a commit with others that came 4 s later.
  const [at, chunk] = [T0 + 2_000, 600];
  const told = makeRecordEventId(sessionOf(chunk), 3, at);
  expect((await search(told, at)).seq).toBe(placeOf(chunk, 3));
});

test('[E2][STORE-SQ14] no bound falls inside a commit, nor within the first 64', async () => {
  for (const [chunk, v, seq] of [
    [0, LARGE - 1, LARGE],
    [LARGE_CHUNKS - 1, LARGE - 1, LARGE_CHUNKS * LARGE],
    [63, 0, LARGE_CHUNKS * LARGE + 64 - LARGE_CHUNKS],
    // Beyond those the number of events counts.
    [64, 0, null],
  ] as const) {
    const told = makeRecordEventId(sessionOf(chunk), v, T0);
    expect([chunk, (await search(told, T0, BURST)).seq]).toEqual([chunk, seq]);
  }
}, 30_000);
