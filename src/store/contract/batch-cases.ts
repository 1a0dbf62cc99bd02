/** Parallel operations share a transaction, and one that fails does not affect the others. */

import { expect } from 'bun:test';
import { StoreUnavailable } from '../shared/store-unavailable.ts';
import type { Case } from './stage.ts';
import {
  append,
  created,
  entryOf,
  kindOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from './stage.ts';

export const batchCases: readonly Case[] = [
  {
    title: '[STORE-12] an operation that fails, fails alone, and leaves nothing',
    async run(store) {
      const [plain, changed, pair, broken] = [
        await created(store, 1),
        await created(store, 2),
        await created(store, 3),
        await created(store, 4),
      ] as const;
      const taken = () =>
        store
          .createSession(sessionOf(1, { roomCode: 'OTHER1' }))
          .catch((error: unknown) => error as Error);
      const twice = { seats: [seatOf(0, 'ann'), seatOf(0, 'ben')] };
      const [first, ...outcomes] = await Promise.all([
        taken(),
        append(store, plain, [entryOf(1)]),
        append(store, broken, [entryOf(1)], twice),
        append(store, changed, [entryOf(1)], { awake: true }),
        append(store, pair, [entryOf(1), entryOf(2)]),
        store.createSession(sessionOf(5)).then(kindOf),
        append(store, plain, [entryOf(1)]),
      ]);
      expect<readonly string[]>(outcomes).toEqual([
        'committed',
        'unknown',
        'committed',
        'committed',
        'created',
        'conflict',
      ]);
      for (const error of [first, await taken()]) {
        expect(error).toBeInstanceOf(Error);
        // The store is available: the same operation would fail again.
        expect(error).not.toBeInstanceOf(StoreUnavailable);
      }
      expect(await store.findSessionByRoomCode(TENANT, 'live', 'OTHER1', T0)).toBeNull();
      const lengths = [plain, changed, pair, broken].map(
        async (id) => (await store.loadSession(id))!.entries.length,
      );
      expect(await Promise.all(lengths)).toEqual([2, 2, 3, 1]);
      // Five are open, and there is room for a sixth.
      const quota = { openSessionsMax: 6 };
      await created(store, 6, { quota });
      expect(await store.createSession(sessionOf(7, { quota }))).toBe('open_full');
      expect(await append(store, broken, [entryOf(1)])).toBe('committed');
    },
  },
  {
    title: '[STORE-12] data that cannot be serialized is refused immediately, and alone',
    async run(store) {
      const ids = [await created(store, 1), await created(store, 2), await created(store, 3)];
      const broken = entryOf(1, { k: 'entropy', seat: 0, value: 1n as unknown as string });
      const ours = [
        append(store, ids[0]!, [entryOf(1)]),
        append(store, ids[1]!, [entryOf(1)], { awake: true }),
      ];
      for (const change of [null, { awake: true as const }]) {
        const commit = { session: ids[2]!, tenant: TENANT, mode: 'live' as const, change };
        expect(() => store.commit({ ...commit, entries: [broken] }, () => {})).toThrow('BigInt');
      }
      const create = store.createSession({ ...sessionOf(4), entry: broken }).catch(String);
      const made = store.createSession(sessionOf(5)).then(kindOf);
      expect(await Promise.all(ours)).toEqual(['committed', 'committed']);
      expect(await create).toContain('BigInt');
      expect(await made).toBe('created');
      expect(await store.loadSession(sessionId(4))).toBeNull();
      expect(await append(store, ids[2]!, [entryOf(1)])).toBe('committed');
    },
  },
];
