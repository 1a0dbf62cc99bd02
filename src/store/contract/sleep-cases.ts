/** Who has a session's deadline: the store while it sleeps, a process while it is awake. */

import { expect } from 'bun:test';
import type { CoreStore } from '../store.ts';
import type { Case } from './stage.ts';
import { append, created, entryOf, sessionId, T0 } from './stage.ts';

const dueAt = (store: CoreStore, at: number): Promise<readonly string[]> => store.claimDue(at, 100);
const awake = (store: CoreStore, after = '', limit = 100): Promise<readonly string[]> =>
  store.claimAwake(after, limit);

export const sleepCases: readonly Case[] = [
  {
    title: '[STORE-7] a new session sleeps until its time, and stays due until it is awake',
    async run(store) {
      const id = await created(store, 1, { wakeAt: T0 + 10 });
      expect(await dueAt(store, T0 + 9)).toEqual([]);
      expect(await dueAt(store, T0 + 10)).toEqual([id]);
      expect(await awake(store)).toEqual([]);
      await append(store, id, [entryOf(1)]);
      expect(await dueAt(store, T0 + 10)).toEqual([id]);
      await append(store, id, [entryOf(2)], { awake: true });
      expect(await dueAt(store, T0 + 10)).toEqual([]);
      expect(await awake(store)).toEqual([id]);
    },
  },
  {
    title: '[STORE-7] a new session without a time is awake: its creator owns it',
    async run(store) {
      const id = await created(store, 1, { wakeAt: null });
      expect(await awake(store)).toEqual([id]);
      expect(await dueAt(store, Number.MAX_SAFE_INTEGER)).toEqual([]);
      await store.sleep([{ id, wakeAt: T0 }]);
      expect(await awake(store)).toEqual([]);
      expect(await dueAt(store, T0)).toEqual([id]);
    },
  },
  {
    title: '[STORE-7] becoming active wakes a session, and its end removes the deadline',
    async run(store) {
      const id = await created(store, 1, { wakeAt: T0 });
      await append(store, id, [entryOf(1)], { status: 'active', startedAt: T0 });
      expect(await dueAt(store, T0)).toEqual([]);
      expect(await awake(store)).toEqual([id]);
      await append(store, id, [entryOf(2)], { status: 'ended', endedAt: T0 });
      expect(await dueAt(store, T0)).toEqual([]);
      expect(await awake(store)).toEqual([]);
      await store.sleep([{ id, wakeAt: T0 }]);
      expect(await dueAt(store, T0)).toEqual([]);
    },
  },
  {
    title: '[STORE-7] sleeping sessions are due in the order of their times',
    async run(store) {
      const ids = await Promise.all([1, 2, 3, 4].map((n) => created(store, n)));
      for (const id of ids) await append(store, id, [entryOf(1)], { awake: true });
      expect(await awake(store)).toEqual(ids);
      const times = [T0 + 30, T0 + 10, null, T0 + 20];
      await store.sleep(ids.map((id, i) => ({ id, wakeAt: times[i]! })));
      expect(await awake(store)).toEqual([]);
      const [a, b, , d] = ids;
      expect(await dueAt(store, T0 + 20)).toEqual([b!, d!]);
      expect(await dueAt(store, Number.MAX_SAFE_INTEGER)).toEqual([b!, d!, a!]);
      expect(await store.claimDue(T0 + 30, 2)).toEqual([b!, d!]);
      await store.sleep([{ id: b!, wakeAt: T0 + 40 }]);
      expect(await dueAt(store, T0 + 40)).toEqual([d!, a!, b!]);
    },
  },
  {
    title: '[STORE-7] awake sessions are claimed in the order of their ids, page by page',
    async run(store) {
      for (let n = 1; n <= 7; n++) {
        await append(store, await created(store, n), [entryOf(1)], { awake: true });
      }
      const first = await awake(store, '', 3);
      const second = await awake(store, first.at(-1)!, 3);
      const third = await awake(store, second.at(-1)!, 3);
      expect([...first, ...second, ...third]).toEqual([1, 2, 3, 4, 5, 6, 7].map(sessionId));
      expect(await awake(store, sessionId(7), 3)).toEqual([]);
    },
  },
  {
    title: '[STORE-7] a commit after a sleep takes the session back',
    async run(store) {
      const id = await created(store, 1);
      await append(store, id, [entryOf(1)], { awake: true });
      const asleep = store.sleep([{ id, wakeAt: T0 }]);
      const outcome = append(store, id, [entryOf(2)], { awake: true });
      await asleep;
      expect(await outcome).toBe('committed');
      expect(await dueAt(store, T0)).toEqual([]);
      expect(await awake(store)).toEqual([id]);
    },
  },
];
