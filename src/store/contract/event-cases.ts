/** The event log: events of one commit together, in one order, without a gap. */

import { expect } from 'bun:test';
import type { CommitEvent, EventWorld, NewEvent, RecordEvent } from '../../events/event.ts';
import { sweepEvents } from '../../runtime/sweeper.ts';
import { makeManualClock } from '../../testing/manual-clock.ts';
import type { CommitOutcome, SessionChange } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { type AreaCase, times } from './area.ts';
import {
  append,
  auditOf,
  created,
  entryOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
  tenantOf,
} from './stage.ts';

const LIVE: EventWorld = { tenant: TENANT, mode: 'live' };
const DAY_MS = 86_400_000;

function eventOf(n: number, at: number = T0): NewEvent {
  const id = `evt_${String(n).padStart(4, '0')}`;
  const data = `{"n":${n}}`;
  return { id, ...LIVE, type: 'move.made', session: sessionId(1), at, data };
}

function commit(
  store: Store,
  v: number,
  events: readonly CommitEvent[],
  change: SessionChange | null = null,
  session: string = sessionId(1),
): Promise<CommitOutcome> {
  const commit = { session, ...LIVE, entries: [entryOf(v)], change, events };
  return new Promise((resolve) => store.commit(commit, resolve));
}

async function numbers(store: Store, after = 0, limit = 100): Promise<unknown[]> {
  const events = await store.readEvents(LIVE, after, limit);
  return events.map(({ seq, data }) => [seq, (JSON.parse(data) as { n: number }).n]);
}

export const eventCases: readonly AreaCase[] = [
  {
    title: '[STORE-E1] events are in the order of their commits, counted from 1 without a gap',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      await Promise.all([
        commit(store, 1, [eventOf(1), eventOf(2)]),
        commit(store, 2, []),
        // A record with a change may take another path and keeps its position after those before
        // it.
        commit(store, 3, [eventOf(3)], { awake: true }),
      ]);
      await commit(store, 4, [eventOf(4)]);
      expect(await numbers(store)).toEqual([
        [1, 1],
        [2, 2],
        [3, 3],
        [4, 4],
      ]);
      expect(await numbers(store, 1, 2)).toEqual([
        [2, 2],
        [3, 3],
      ]);
      expect(await store.eventHead(LIVE)).toBe(4);
      expect(await store.eventHead({ tenant: TENANT, mode: 'test' })).toBe(0);
      expect(await store.readEvents({ tenant: TENANT, mode: 'test' }, 0, 10)).toEqual([]);
    },
  },
  {
    title: '[STORE-E1] stores that write into one log at once leave no gap and no position twice',
    async run({ store, another }) {
      const stores = [store, await another()];
      for (const n of [1, 2, 3, 4]) await created(store, n, { mode: 'live' });
      const outcomes = await times(40, (i) =>
        commit(stores[i % 2]!, 1 + Math.floor(i / 4), [eventOf(i)], null, sessionId(1 + (i % 4))),
      );
      expect(outcomes).toEqual(Array(40).fill('committed'));
      const read = await numbers(store);
      expect(read.map((each) => (each as number[])[0])).toEqual(
        Array.from({ length: 40 }, (_, i) => i + 1),
      );
      expect(new Set(read.map((each) => (each as number[])[1])).size).toBe(40);
      expect(await numbers(stores[1]!)).toEqual(read);
    },
  },
  {
    title: '[STORE-E2] a refused commit writes no event',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      await commit(store, 1, [eventOf(1)]);
      expect(await commit(store, 1, [eventOf(2)])).toBe('conflict');
      expect(await commit(store, 1, [eventOf(3)], { awake: true })).toBe('conflict');
      // A failed operation takes its own events with it, and no others.
      const twice = [entryOf(1), entryOf(1)];
      const broken = { session: 'ses_none', ...LIVE, entries: twice, change: null };
      const outcomes = await Promise.all([
        new Promise<CommitOutcome>((done) =>
          store.commit({ ...broken, events: [eventOf(4)] }, done),
        ),
        commit(store, 2, [eventOf(5)]),
      ]);
      expect(outcomes[0]).not.toBe('committed');
      expect(outcomes[1]).toBe('committed');
      expect(await numbers(store)).toEqual([
        [1, 1],
        [2, 5],
      ]);
    },
  },
  {
    title: '[STORE-E3] listeners are called for every commit, after it',
    async run({ store }) {
      const told: unknown[] = [];
      store.onEvents((world, head) => void told.push([world, head]));
      await created(store, 1, { mode: 'live' });
      await commit(store, 1, [eventOf(1), eventOf(2)]);
      await commit(store, 2, [eventOf(3)]);
      await new Promise(setImmediate);
      expect(told).toEqual([
        [LIVE, 2],
        [LIVE, 3],
      ]);
    },
  },
  {
    title: '[STORE-E4] the count continues after a restart, and after the oldest were removed',
    async run(stage) {
      let { store } = stage;
      await store.createTenant(tenantOf(TENANT), auditOf('tenant.create'));
      await created(store, 1, { mode: 'live' });
      // Records and their events have the same time: T0 + 1 and T0 + 2.
      await commit(store, 1, [eventOf(1, T0 + 1)]);
      await commit(store, 2, [eventOf(2, T0 + 2)]);
      store = await stage.reopen();
      const clock = makeManualClock(T0 + 1 + 30 * DAY_MS);
      expect(await sweepEvents(store, clock)).toBe(0);
      clock.advance(1);
      expect(await sweepEvents(store, clock)).toBe(1);
      expect(await numbers(store)).toEqual([[2, 2]]);
      clock.advance(1);
      expect(await sweepEvents(store, clock)).toBe(1);
      await commit(store, 3, [eventOf(3)]);
      expect(await numbers(store)).toEqual([[3, 3]]);
    },
  },
  {
    title:
      '[STORE-E4] events are removed whole commits at a time, oldest first, in their own world only',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      for (const v of [1, 2, 3]) await commit(store, v, [eventOf(v, T0 + v), eventOf(9, T0 + v)]);
      expect(await store.removeEvents({ ...LIVE, mode: 'test' }, T0 + 9, 9)).toBe(0);
      expect(await store.removeEvents(LIVE, T0 + 3, 1)).toBe(2);
      expect((await numbers(store)).length).toBe(4);
      expect(await store.removeEvents(LIVE, T0 + 3, 9)).toBe(2);
      expect(await store.removeEvents(LIVE, T0 + 3, 9)).toBe(0);
      expect(await numbers(store)).toEqual([
        [5, 3],
        [6, 9],
      ]);
    },
  },
  {
    title:
      '[STORE-E6] an event stored as its record is rebuilt from it, with the same id each time',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      const told: RecordEvent = { ...LIVE, session: sessionId(1), v: 1, at: T0 + 1 };
      expect(await commit(store, 1, [told])).toBe('committed');
      await commit(store, 2, [eventOf(2)]);
      const [first, second] = await store.readEvents(LIVE, 0, 10);
      const made = { type: 'player.connected', seq: 1, at: T0 + 1, data: '{"v":1,"seat":1}' };
      expect(first).toMatchObject(made);
      expect(second).toMatchObject({ id: eventOf(2).id, seq: 2 });
      expect(first!.id).toMatch(/^evt_[0-9a-z]{26}$/);
      expect((await store.readEvents(LIVE, 0, 1))[0]).toEqual(first!);
      expect(await store.findEventSeq(LIVE, first!.id, T0 + 1)).toBe(1);
    },
  },
  {
    title: '[STORE-E6] events of a removed session go with it, and the others keep their positions',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      await commit(store, 1, [{ ...LIVE, session: sessionId(1), v: 1, at: T0 + 1 }]);
      await commit(store, 2, [eventOf(2)], { status: 'ended', endedAt: T0 + 2 });
      await store.removeSessions({ ...LIVE, endedBefore: T0 + 3, limit: 10 });
      expect(await numbers(store)).toEqual([[2, 2]]);
    },
  },
  {
    title: '[STORE-E5] an event is found by its id and the approximate time it was made',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      await commit(store, 1, [eventOf(1), eventOf(2), eventOf(3)]);
      expect(await store.findEventSeq(LIVE, eventOf(2).id, T0)).toBe(2);
      // Written later than its id was made, or by another clock.
      for (const ms of [-50_000, -999, 999, 50_000]) {
        expect(await store.findEventSeq(LIVE, eventOf(2).id, T0 + ms)).toBe(2);
      }
      expect(await store.findEventSeq(LIVE, eventOf(9).id, T0)).toBeNull();
      expect(await store.findEventSeq(LIVE, eventOf(2).id, T0 + DAY_MS)).toBeNull();
      expect(await store.findEventSeq({ ...LIVE, mode: 'test' }, eventOf(2).id, T0)).toBeNull();
    },
  },
  {
    title: '[STORE-E7] long reads yield to other work, and removed records delay nobody',
    async run({ store }) {
      await created(store, 1, { mode: 'live' });
      // Their session has been removed, and their events with it.
      const dead = Array.from({ length: 10_000 }, (_, v): RecordEvent => {
        return { ...LIVE, session: sessionId(2), v, at: T0 };
      });
      await commit(store, 1, dead);
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
    },
  },
  {
    title: '[E1][R2] the subjects of events are found with current names, or left out',
    async run({ store }) {
      const seats = [seatOf(0, 'ann', 'Ann'), { ...seatOf(1, 'rob'), isBot: true }];
      const { row } = sessionOf(1);
      await created(store, 1, { seats });
      const subjects = await store.findEventSubjects([sessionId(1), sessionId(2), sessionId(1)]);
      expect([...subjects.keys()]).toEqual([sessionId(1)]);
      expect(subjects.get(sessionId(1))).toMatchObject({
        row: { id: row.id, status: 'pending' },
        seats: [
          { seat: 0, playerId: 'ann', displayName: 'Ann', isBot: false },
          { seat: 1, playerId: 'rob', displayName: null, isBot: true },
        ],
      });
      const [ann, rob] = seats.map(({ newRef }) => newRef);
      expect(await store.findPlayerIds([ann!, rob!, 'ply_none', ann!])).toEqual(
        new Map([
          [ann!, 'ann'],
          [rob!, 'rob'],
        ]),
      );
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      expect(await store.findPlayerIds([ann!, rob!])).toEqual(new Map([[rob!, 'rob']]));
      const after = await store.findEventSubjects([sessionId(1)]);
      const gone = { seat: 0, playerId: null, displayName: null, isBot: false };
      expect(after.get(sessionId(1))!.seats[0]).toEqual(gone);
    },
  },
  {
    title: '[E1][S3a] a player who left a seat is found by the record of it, until removed',
    async run({ store }) {
      await created(store, 1, { seats: [seatOf(0, 'ann', 'Ann'), seatOf(1, 'ben')] });
      await append(store, sessionId(1), [entryOf(1)], { left: [{ seat: 0, v: 1 }] });
      await append(store, sessionId(1), [entryOf(2)], { seats: [seatOf(0, 'cid')] });
      await append(store, sessionId(1), [entryOf(3)], { left: [{ seat: 0, v: 3 }] });
      const read = async () => (await store.findEventSubjects([sessionId(1)])).get(sessionId(1));
      const subject = await read();
      expect(subject!.seats.map(({ playerId }) => playerId)).toEqual(['ben']);
      const left = { seat: 0, displayName: null, isBot: false };
      expect(subject!.former).toEqual([
        { ...left, playerId: 'ann', displayName: 'Ann', leftV: 1 },
        { ...left, playerId: 'cid', leftV: 3 },
      ]);
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      expect((await read())!.former[0]).toEqual({ ...left, playerId: null, leftV: 1 });
      const ended: SessionChange = { status: 'ended', endedAt: T0 };
      await append(store, sessionId(1), [entryOf(4)], ended);
      const past = { tenant: TENANT, mode: 'live', endedBefore: T0 + 1, limit: 9 } as const;
      expect(await store.removeSessions(past)).toBe(1);
      expect(await read()).toBeUndefined();
    },
  },
];
