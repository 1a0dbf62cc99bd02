/** The log of events in SQLite: one commit with what it tells, in one order, without a gap. */

import { afterAll, beforeEach, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { CommitEvent, EventWorld, NewEvent, ToldRecord } from '../../events/event.ts';
import { sweepEvents } from '../../runtime/sweeper.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { auditOf, created, entryOf, sessionId, T0, TENANT, tenantOf } from '../contract/stage.ts';
import type { CommitOutcome, SessionChange } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

const folder = makeTempFolder();
afterAll(() => removeFolder(folder));

const LIVE: EventWorld = { tenant: TENANT, mode: 'live' };
const DAY_MS = 86_400_000;
let store: Store;
let file: string;
let files = 0;

beforeEach(async () => {
  files += 1;
  file = join(folder, `${files}.db`);
  store = await openSqliteStore(file);
});

function eventOf(n: number, at: number = T0): NewEvent {
  const id = `evt_${String(n).padStart(4, '0')}`;
  const data = `{"n":${n}}`;
  return { id, ...LIVE, type: 'move.made', session: sessionId(1), at, data };
}

function commit(
  v: number,
  events: readonly CommitEvent[],
  change: SessionChange | null = null,
): Promise<CommitOutcome> {
  const commit = { session: sessionId(1), ...LIVE, entries: [entryOf(v)], change, events };
  return new Promise((resolve) => store.commit(commit, resolve));
}

async function numbers(after = 0, limit = 100): Promise<unknown[]> {
  const events = await store.readEvents(LIVE, after, limit);
  return events.map(({ seq, data }) => [seq, (JSON.parse(data) as { n: number }).n]);
}

test('[STORE-E1] events stand in the order of their commits, counted from 1 without a gap', async () => {
  await created(store, 1, { mode: 'live' });
  await Promise.all([
    commit(1, [eventOf(1), eventOf(2)]),
    commit(2, []),
    // One with a change beside it goes another way and keeps its place after those before it.
    commit(3, [eventOf(3)], { awake: true }),
  ]);
  await commit(4, [eventOf(4)]);
  expect(await numbers()).toEqual([
    [1, 1],
    [2, 2],
    [3, 3],
    [4, 4],
  ]);
  expect(await numbers(1, 2)).toEqual([
    [2, 2],
    [3, 3],
  ]);
  expect(await store.eventHead(LIVE)).toBe(4);
  expect(await store.readEvents({ tenant: TENANT, mode: 'test' }, 0, 10)).toEqual([]);
  await store.close();
});

test('[STORE-E2] a commit that was not taken tells nothing', async () => {
  await created(store, 1, { mode: 'live' });
  await commit(1, [eventOf(1)]);
  expect(await commit(1, [eventOf(2)])).toBe('conflict');
  expect(await commit(1, [eventOf(3)], { awake: true })).toBe('conflict');
  // An operation that fails takes its events with it, and nobody else's.
  const broken = { session: 'ses_none', ...LIVE, entries: [entryOf(1), entryOf(1)], change: null };
  const outcomes = await Promise.all([
    new Promise((done) => store.commit({ ...broken, events: [eventOf(4)] }, done)),
    commit(2, [eventOf(5)]),
  ]);
  expect(outcomes).toEqual(['unknown', 'committed']);
  expect(await numbers()).toEqual([
    [1, 1],
    [2, 5],
  ]);
  await store.close();
});

test('[STORE-E3] whoever listens is told of every commit, after it', async () => {
  const told: unknown[] = [];
  store.onEvents((world, head) => void told.push([world, head]));
  await created(store, 1, { mode: 'live' });
  await commit(1, [eventOf(1), eventOf(2)]);
  await commit(2, [eventOf(3)]);
  await new Promise(setImmediate);
  expect(told).toEqual([
    [LIVE, 2],
    [LIVE, 3],
  ]);
  await store.close();
});

test('[STORE-E4] the count goes on after a restart, and after the oldest were removed', async () => {
  await store.createTenant(tenantOf(TENANT), auditOf('tenant.create'));
  await created(store, 1, { mode: 'live' });
  // Records and their events bear the same time: T0 + 1 and T0 + 2.
  await commit(1, [eventOf(1, T0 + 1)]);
  await commit(2, [eventOf(2, T0 + 2)]);
  await store.close();
  store = await openSqliteStore(file);
  const clock = makeManualClock(T0 + 1 + 30 * DAY_MS);
  expect(await sweepEvents(store, clock)).toBe(0);
  clock.advance(1);
  expect(await sweepEvents(store, clock)).toBe(1);
  expect(await numbers()).toEqual([[2, 2]]);
  clock.advance(1);
  expect(await sweepEvents(store, clock)).toBe(1);
  await commit(3, [eventOf(3)]);
  expect(await numbers()).toEqual([[3, 3]]);
  await store.close();
});

test('[STORE-E6] an event that its record tells is made of it, with the same id each time', async () => {
  await created(store, 1, { mode: 'live' });
  const told: ToldRecord = { ...LIVE, session: sessionId(1), v: 1, at: T0 + 1 };
  expect(await commit(1, [told])).toBe('committed');
  await commit(2, [eventOf(2)]);
  const [first, second] = await store.readEvents(LIVE, 0, 10);
  expect(first).toMatchObject({ type: 'player.connected', seq: 1, at: T0 + 1, data: '{"seat":1}' });
  expect(second).toMatchObject({ id: eventOf(2).id, seq: 2 });
  expect(first!.id).toMatch(/^evt_[0-9a-z]{26}$/);
  expect((await store.readEvents(LIVE, 0, 1))[0]).toEqual(first!);
  expect(await store.findEventSeq(LIVE, first!.id, T0 + 1)).toBe(1);
  await store.close();
});

test('[STORE-E6] what a removed session told goes with it, and the rest keeps its place', async () => {
  await created(store, 1, { mode: 'live' });
  await commit(1, [{ ...LIVE, session: sessionId(1), v: 1, at: T0 + 1 }]);
  await commit(2, [eventOf(2)], { status: 'ended', endedAt: T0 + 2 });
  await store.removeSessions({ ...LIVE, endedBefore: T0 + 3, limit: 10 });
  expect(await numbers()).toEqual([[2, 2]]);
  await store.close();
});

test('[STORE-E5] an event is found by its id and about the time it was made', async () => {
  await created(store, 1, { mode: 'live' });
  await commit(1, [eventOf(1), eventOf(2), eventOf(3)]);
  expect(await store.findEventSeq(LIVE, eventOf(2).id, T0)).toBe(2);
  expect(await store.findEventSeq(LIVE, eventOf(9).id, T0)).toBeNull();
  expect(await store.findEventSeq(LIVE, eventOf(2).id, T0 + DAY_MS)).toBeNull();
  expect(await store.findEventSeq({ ...LIVE, mode: 'test' }, eventOf(2).id, T0)).toBeNull();
  await store.close();
});

test('[STORE-E7] long reads let others have their turn, and dead records hold nobody up', async () => {
  await created(store, 1, { mode: 'live' });
  // Their session has been removed: its records tell nothing any more.
  const dead = Array.from({ length: 10_000 }, (_, v): ToldRecord => {
    return { ...LIVE, session: sessionId(2), v, at: T0 };
  });
  await commit(1, dead);
  let turns = 0;
  let isOver = false;
  const turn = (): void => {
    turns += 1;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  expect(await store.readEvents(LIVE, 0, 10)).toEqual([]);
  const afterRead = turns;
  expect(await store.findEventSeq(LIVE, eventOf(9).id, T0)).toBeNull();
  isOver = true;
  expect(afterRead).toBeGreaterThanOrEqual(10);
  expect(turns - afterRead).toBeGreaterThanOrEqual(10);
  await store.close();
});
