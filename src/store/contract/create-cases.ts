/** Creating sessions within limits, their room codes and their counters, under races. */

import { expect } from 'bun:test';
import type { CoreStore, CreateOutcome, SessionChange } from '../store.ts';
import type { Case } from './stage.ts';
import {
  append,
  created,
  entryOf,
  filterOf,
  kindOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from './stage.ts';

const RACERS = 200;

function count(outcomes: readonly CreateOutcome[], wanted: string): number {
  return outcomes.filter((outcome) => kindOf(outcome) === wanted).length;
}

function race(store: CoreStore, quota: Parameters<typeof sessionOf>[1]): Promise<CreateOutcome[]> {
  return Promise.all(
    Array.from({ length: RACERS }, (_, n) => store.createSession(sessionOf(n, quota))),
  );
}

async function listed(store: CoreStore): Promise<number> {
  return (await store.listSessions(filterOf({ limit: 1_000 }))).length;
}

export const createCases: readonly Case[] = [
  {
    title: '[H6] of 200 parallel creates exactly as many succeed as the month has left',
    async run(store) {
      const quota = { month: '2026-11', sessionsPerMonthMax: 50, openSessionsMax: null };
      const outcomes = await race(store, { quota });
      expect(count(outcomes, 'created')).toBe(50);
      expect(count(outcomes, 'month_full')).toBe(RACERS - 50);
      expect(await listed(store)).toBe(50);
    },
  },
  {
    title: '[H6] of 200 parallel creates exactly as many succeed as may be open',
    async run(store) {
      const quota = { month: '2026-11', sessionsPerMonthMax: 1_000, openSessionsMax: 37 };
      const outcomes = await race(store, { quota });
      expect(count(outcomes, 'created')).toBe(37);
      expect(count(outcomes, 'open_full')).toBe(RACERS - 37);
      expect(await listed(store)).toBe(37);
    },
  },
  {
    title: '[H6] months are counted separately, a refused create counts nowhere, null is no limit',
    async run(store) {
      const month = (name: string) => ({ quota: { month: name, sessionsPerMonthMax: 1 } });
      await created(store, 1, month('2026-11'));
      expect(await store.createSession(sessionOf(2, month('2026-11')))).toBe('month_full');
      await created(store, 3, month('2026-12'));
      await created(store, 4, { quota: { month: '2026-11' } });
      await created(store, 5);
      await created(store, 6, { tenant: 'ten_b', ...month('2026-11') });
      const last = { quota: { month: '2026-11', sessionsPerMonthMax: 3, openSessionsMax: 5 } };
      await created(store, 7, last);
      expect(await store.createSession(sessionOf(8, last))).toBe('open_full');
    },
  },
  {
    title: '[H6] open sessions are counted by mode, and an end frees its slot exactly once',
    async run(store) {
      const quota = { quota: { openSessionsMax: 2 } };
      const [first] = [await created(store, 1, quota), await created(store, 2, quota)];
      expect(await store.createSession(sessionOf(3, quota))).toBe('open_full');
      await created(store, 4, { ...quota, mode: 'test' });
      const ended: SessionChange = { status: 'ended', endedAt: T0 };
      const outcomes = await Promise.all([
        append(store, first, [entryOf(1)], ended),
        append(store, first, [entryOf(1)], ended),
        append(store, first, [entryOf(1), entryOf(2)], ended),
      ]);
      expect(outcomes).toEqual(['committed', 'conflict', 'conflict']);
      await created(store, 5, quota);
      expect(await store.createSession(sessionOf(6, quota))).toBe('open_full');
    },
  },
  {
    title: '[H6] becoming active frees no slot, nor does removing an ended session',
    async run(store) {
      const quota = { quota: { openSessionsMax: 1 } };
      const id = await created(store, 1, quota);
      await append(store, id, [entryOf(1)], { status: 'active', startedAt: T0 });
      expect(await store.createSession(sessionOf(2, quota))).toBe('open_full');
      await append(store, id, [entryOf(2)], { status: 'ended', endedAt: T0 });
      const filter = { tenant: TENANT, mode: 'live', endedBefore: T0 + 1, limit: 9 } as const;
      expect(await store.removeSessions(filter)).toBe(1);
      await created(store, 3, quota);
      expect(await store.createSession(sessionOf(4, quota))).toBe('open_full');
    },
  },
  {
    title: '[R1] sessions with long logs are removed few at a time, but at least one',
    async run(store) {
      for (const n of [1, 2, 3, 4]) {
        const id = await created(store, n);
        const records = Array.from({ length: n === 1 ? 2_500 : 900 }, (_, i) => entryOf(i + 1));
        await append(store, id, records, { status: 'ended', endedAt: T0 + n });
      }
      const filter = { tenant: TENANT, mode: 'live', endedBefore: T0 + 9, limit: 9 } as const;
      const steps: number[] = [];
      for (let n = 0; n < 4; n++) steps.push(await store.removeSessions(filter));
      expect(steps).toEqual([1, 2, 1, 0]);
    },
  },
  {
    title:
      '[S11] of parallel rematches of a session one is created, and the refused ones leave nothing',
    async run(store) {
      const [first, other] = [await created(store, 1), await created(store, 2)];
      const wish = { rematchOf: first };
      expect(await store.createSession(sessionOf(3, wish))).toBe('rematch_made');
      await append(store, first, [entryOf(1)], { status: 'ended', endedAt: T0 });
      await append(store, other, [entryOf(1)], { status: 'ended', endedAt: T0 });
      const foreign = sessionOf(4, { ...wish, tenant: 'ten_b' });
      expect(await store.createSession(foreign)).toBe('rematch_made');
      const full = { ...wish, quota: { openSessionsMax: 0 } };
      expect(await store.createSession(sessionOf(5, full))).toBe('open_full');
      expect((await store.loadSession(first))?.row.next).toBeUndefined();
      const races = Array.from({ length: RACERS }, (_, n) =>
        store.createSession(sessionOf(10 + n, { rematchOf: n % 2 === 0 ? first : other })),
      );
      const outcomes = await Promise.all(races);
      expect(count(outcomes, 'created')).toBe(2);
      expect(count(outcomes, 'rematch_made')).toBe(RACERS - 2);
      const made = outcomes.flatMap((each, n) => (kindOf(each) === 'created' ? [n] : []));
      for (const n of made) {
        const before = n % 2 === 0 ? first : other;
        expect((await store.loadSession(before))?.row.next).toBe(sessionId(10 + n));
      }
      expect(await listed(store)).toBe(4);
    },
  },
  {
    title: '[S3] a room code is unique per tenant and mode while it is valid',
    async run(store) {
      const roomCode = 'ABCDEF';
      const outcomes = await Promise.all(
        [1, 2, 3].map((n) => store.createSession(sessionOf(n, { roomCode }))),
      );
      expect(outcomes.map(kindOf)).toEqual(['created', 'room_code_taken', 'room_code_taken']);
      await created(store, 4, { roomCode, mode: 'test' });
      await created(store, 5, { roomCode, tenant: 'ten_b' });
      const find = (tenant: string, mode: 'live' | 'test' | 'training') =>
        store.findSessionByRoomCode(tenant, mode, roomCode, T0);
      expect(await find(TENANT, 'live')).toBe(sessionId(1));
      expect(await find(TENANT, 'test')).toBe(sessionId(4));
      expect(await find('ten_b', 'live')).toBe(sessionId(5));
      expect(await find(TENANT, 'training')).toBeNull();
      expect(await find('ten_c', 'live')).toBeNull();
    },
  },
  {
    title: '[S3] a create refused for its room code counts nothing',
    async run(store) {
      const wish = { roomCode: 'ABCDEF', quota: { month: '2026-11', openSessionsMax: 2 } };
      await created(store, 1, wish);
      expect(await store.createSession(sessionOf(2, wish))).toBe('room_code_taken');
      await created(store, 2, { ...wish, roomCode: 'GHJKMN' });
    },
  },
  {
    title: '[S3] a room code is free again once its session is active or ended',
    async run(store) {
      const roomCode = 'ABCDEF';
      for (const [n, status] of (['active', 'ended'] as const).entries()) {
        const id = await created(store, n, { roomCode });
        expect(await store.findSessionByRoomCode(TENANT, 'live', roomCode, T0)).toBe(id);
        await append(store, id, [entryOf(1)], { status, startedAt: T0, endedAt: T0 });
        expect(await store.findSessionByRoomCode(TENANT, 'live', roomCode, T0)).toBeNull();
      }
      await created(store, 3, { roomCode });
    },
  },
  {
    title: "[S1] a create returns its players' names: the given ones, else the stored ones",
    async run(store) {
      const make = (n: number, ann: string | null) => {
        const seats = [seatOf(0, 'ann', ann), seatOf(1, 'ben')];
        return store.createSession(sessionOf(n, { seats, roomCode: `NAMED${n}` }));
      };
      expect(await make(1, null)).toEqual({ names: [null, null] });
      expect(await make(2, 'Ann')).toEqual({ names: ['Ann', null] });
      expect(await make(3, null)).toEqual({ names: ['Ann', null] });
      expect(await make(4, 'Anna')).toEqual({ names: ['Anna', null] });
    },
  },
  {
    title: '[S3] an expired room code finds nothing and may be used again',
    async run(store) {
      const roomCode = 'ABCDEF';
      const old = await created(store, 1, { roomCode, roomCodeExpiresAt: T0 + 1_000 });
      const find = (now: number) => store.findSessionByRoomCode(TENANT, 'live', roomCode, now);
      expect(await find(T0 + 999)).toBe(old);
      expect(await find(T0 + 1_000)).toBeNull();
      const next = async (createdAt: number) =>
        kindOf(await store.createSession(sessionOf(2, { roomCode, createdAt })));
      expect(await next(T0 + 999)).toBe('room_code_taken');
      expect(await next(T0 + 1_000)).toBe('created');
      expect(await find(T0 + 1_001)).toBe(sessionId(2));
      // The end of the first session does not take the code from the second.
      await append(store, old, [entryOf(1)], { status: 'ended', endedAt: T0 + 1_002 });
      expect(await find(T0 + 1_003)).toBe(sessionId(2));
    },
  },
];
