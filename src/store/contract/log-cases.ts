/** Appending to logs and reading them back: the basis of every acknowledgement. */

import { expect } from 'bun:test';
import type { Entry } from '../../match/record.ts';
import type { CommitOutcome, CoreStore } from '../store.ts';
import type { Case } from './stage.ts';
import {
  answerOf,
  append,
  created,
  entryOf,
  filterOf,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from './stage.ts';

/** Texts that are difficult for databases, separators and encodings. */
const NASTY_TEXTS = [
  'é 😀 漢字 \u{10ffff}',
  '\u0000\u0001\u001e\u001f\u007f\u0080',
  'a\u001eb\u001e\u001ec',
  '\ud800 lone \udfff',
  "'; DROP TABLE log; --",
  '\\u001e "quoted" \\',
  '\u2028\u2029\ufeff\ufffe',
  '',
] as const;

async function logOf(store: CoreStore, id: string): Promise<readonly Entry[]> {
  return (await store.loadSession(id))!.entries;
}

export const logCases: readonly Case[] = [
  {
    title: '[STORE-1] a commit appends exactly at its versions',
    async run(store) {
      const id = await created(store, 1);
      expect(await append(store, id, [entryOf(1)])).toBe('committed');
      expect(await append(store, id, [entryOf(2), entryOf(3), entryOf(4)])).toBe('committed');
      expect(await append(store, id, [entryOf(5)], { awake: true })).toBe('committed');
      expect(await logOf(store, id)).toEqual([0, 1, 2, 3, 4, 5].map((v) => entryOf(v)));
    },
  },
  {
    title: '[STORE-2] a conflict writes nothing, of one entry or of several',
    async run(store) {
      const id = await created(store, 1);
      await append(store, id, [entryOf(1)]);
      const other = { k: 'disconnected', seat: 0 } as const;
      expect(await append(store, id, [entryOf(1, other)])).toBe('conflict');
      expect(await append(store, id, [entryOf(0, other)])).toBe('conflict');
      expect(await append(store, id, [entryOf(1, other), entryOf(2)])).toBe('conflict');
      expect(await logOf(store, id)).toEqual([entryOf(0), entryOf(1)]);
    },
  },
  {
    title: '[STORE-2] a conflict writes none of the changes outside the log',
    async run(store) {
      const id = await created(store, 1, { seats: [seatOf(0, 'ann')] });
      await append(store, id, [entryOf(1)]);
      const outcome = await append(store, id, [entryOf(1)], {
        status: 'ended',
        startedAt: T0,
        endedAt: T0,
        seats: [seatOf(1, 'bob')],
        idempotency: answerOf('k'),
      });
      expect(outcome).toBe('conflict');
      const { row, roster } = (await store.loadSession(id))!;
      expect(row).toMatchObject({ status: 'pending', startedAt: null, endedAt: null });
      expect(roster.length).toBe(1);
      expect(await store.findPlayer(TENANT, 'live', 'bob')).toBeNull();
      expect(await store.findSessionByRoomCode(TENANT, 'live', row.roomCode, T0)).toBe(id);
    },
  },
  {
    title: '[H8] a response is stored in the same commit as its effect, or not at all',
    async run(store) {
      const id = await created(store, 1, { idempotency: answerOf('create') });
      await append(store, id, [entryOf(1)], { idempotency: answerOf('first') });
      await append(store, id, [entryOf(1)], { idempotency: answerOf('second') });
      expect(await store.findIdempotent(answerOf('create'), T0)).not.toBeNull();
      expect(await store.findIdempotent(answerOf('first'), T0)).not.toBeNull();
      expect(await store.findIdempotent(answerOf('second'), T0)).toBeNull();
      const full = sessionOf(2, { idempotency: answerOf('full'), quota: { openSessionsMax: 0 } });
      expect(await store.createSession(full)).toBe('open_full');
      expect(await store.findIdempotent(answerOf('full'), T0)).toBeNull();
    },
  },
  {
    title:
      '[STORE-3] `done` is called once for each commit, later, in the order of the calls on a session',
    async run(store) {
      const ids = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => created(store, n)));
      const told: string[] = [];
      const all = ids.flatMap((id, n) => {
        // Plain records, records with a change and pairs of records take different paths inside.
        const change = n % 2 === 0 ? null : { awake: true as const };
        const entries = n % 3 === 0 ? [entryOf(1), entryOf(2)] : [entryOf(1)];
        return [1, 2].map((time) => ({ id, change, entries, name: `${id} ${time}` }));
      });
      await new Promise<void>((resolve) => {
        for (const { id, change, entries, name } of all) {
          store.commit(
            { session: id, tenant: TENANT, mode: 'live', entries, change },
            (outcome) => {
              told.push(`${name} ${outcome}`);
              if (told.length === all.length) resolve();
            },
          );
        }
        expect(told).toEqual([]);
      });
      await append(store, ids[0]!, [entryOf(3)]);
      for (const id of ids) {
        const expected = [`${id} 1 committed`, `${id} 2 conflict`];
        expect(told.filter((name) => name.startsWith(id))).toEqual(expected);
      }
      expect(told.length).toBe(all.length);
    },
  },
  {
    title: '[STORE-3] of several commits of the same version exactly one succeeds',
    async run(store) {
      const id = await created(store, 1);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          append(
            store,
            id,
            [entryOf(1, { k: 'entropy', value: `${n}` })],
            n % 2 ? { awake: true } : null,
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'committed').length).toBe(1);
      expect(outcomes.filter((outcome) => outcome === 'conflict').length).toBe(19);
      const winner = outcomes.indexOf('committed');
      expect((await logOf(store, id))[1]).toEqual(entryOf(1, { k: 'entropy', value: `${winner}` }));
    },
  },
  {
    title: '[STORE-4] many sessions commit at the same time, and each has its own log',
    async run(store) {
      const sessions = 100;
      const moves = 20;
      const ids = await Promise.all(Array.from({ length: sessions }, (_, n) => created(store, n)));
      const entry = (n: number, v: number): Entry =>
        entryOf(v, { k: 'entropy', seat: 0, value: `${n}:${v}` });
      const playOut = async (id: string, n: number): Promise<CommitOutcome[]> => {
        const outcomes: CommitOutcome[] = [];
        for (let v = 1; v <= moves; v++) {
          outcomes.push(
            await append(store, id, [entry(n, v)], v % 7 === 0 ? { awake: true } : null),
          );
        }
        return outcomes;
      };
      const outcomes = (await Promise.all(ids.map(playOut))).flat();
      expect(new Set(outcomes)).toEqual(new Set(['committed']));
      for (const [n, id] of ids.entries()) {
        const log = await logOf(store, id);
        expect(log.slice(1)).toEqual(Array.from({ length: moves }, (_, i) => entry(n, i + 1)));
      }
    },
  },
  {
    title: '[STORE-5] a load returns what was committed, whatever the texts contain',
    async run(store) {
      const records = NASTY_TEXTS.map(
        (text, i) =>
          ({
            k: 'action',
            seat: 0,
            id: text,
            action: { [text]: [text, i, -0.5, 1e21, null] },
          }) as const,
      );
      const id = await created(store, 1, {
        metadata: JSON.stringify(NASTY_TEXTS),
        theme: '{"a":1}',
      });
      const entries = records.map((record, i) => entryOf(i + 1, record));
      for (const entry of entries.slice(0, 4)) await append(store, id, [entry]);
      await append(store, id, entries.slice(4));
      const loaded = (await store.loadSession(id))!;
      expect(loaded.entries.slice(1)).toEqual(entries);
      expect(loaded.row.metadata).toBe(JSON.stringify(NASTY_TEXTS));
      expect(loaded.row.theme).toBe('{"a":1}');
    },
  },
  {
    title:
      '[STORE-5][P10] ticks are loaded as they were committed, alone and with the end, and once only',
    async run(store) {
      const id = await created(store, 1);
      const runs = Array.from({ length: 15 }, (_, n) => [n, 511 - n, 1]);
      const batch = entryOf(1, { k: 'ticks', from: 0, runs });
      const last = entryOf(2, { k: 'ticks', from: 15, runs: [[0, 511, 15]] });
      const outcome = { winners: [1], places: [2, 1], reason: 'rounds_won', detail: {} };
      const end = entryOf(3, { k: 'ended', outcome });
      expect(await append(store, id, [batch])).toBe('committed');
      // A player who continued from an earlier tick gets a conflict, and adds nothing.
      const other = entryOf(1, { k: 'ticks', from: 0, runs: [[1, 1, 15]] });
      expect(await append(store, id, [other])).toBe('conflict');
      const change = { status: 'ended', endedAt: T0 + 3 } as const;
      expect(await append(store, id, [last, end], change)).toBe('committed');
      const loaded = (await store.loadSession(id))!;
      expect(loaded.entries.slice(1)).toEqual([batch, last, end]);
      expect(loaded.row.status).toBe('ended');
    },
  },
  {
    title: '[STORE-5] a session is loaded with its row as it was created; an unknown id is not',
    async run(store) {
      const made = sessionOf(7, {
        mode: 'test',
        game: 'connect4',
        seats: [seatOf(0, 'ann', 'Ann')],
      });
      await store.createSession(made);
      // Only a store of several nodes knows the owner.
      const { holder, botSeats, ...stored } = (await store.loadSession(sessionId(7)))!;
      expect([holder ?? null, botSeats ?? []]).toEqual([null, []]);
      expect(stored).toEqual({
        row: { ...made.row, status: 'pending', startedAt: null, endedAt: null },
        roster: [{ id: 'ann', displayName: 'Ann' }],
        entries: [made.entry],
        isAsleep: true,
        wakeAt: made.wakeAt,
      });
      expect(await store.loadSession(sessionId(8))).toBeNull();
    },
  },
  {
    title:
      '[STORE-5][S7b] the seal is stored with the commit that ends the session, and with none before',
    async run(store) {
      expect(await store.sealedSince()).toBeLessThanOrEqual(Date.now());
      const bot = { ...seatOf(1, 'rob', 'Rob'), isBot: true };
      const made = sessionOf(7, { seats: [seatOf(0, 'ann', 'Ann'), bot] });
      await store.createSession(made);
      const { id } = made.row;
      await append(store, id, [entryOf(1)], { status: 'active', startedAt: T0 + 5 });
      const { row, botSeats = [1] } = (await store.loadSession(id))!;
      expect([botSeats, row.seal]).toEqual([[1], undefined]);
      const change = { status: 'ended', endedAt: T0 + 6, seal: '{"ü":1}' } as const;
      expect(await append(store, id, [entryOf(1)], change)).toBe('conflict');
      expect((await store.loadSession(id))!.row.seal).toBeUndefined();
      await append(store, id, [entryOf(2)], change);
      expect((await store.loadSession(id))!.row.seal).toBe('{"ü":1}');
    },
  },
  {
    title: '[STORE-6] status and times follow the commits that change them',
    async run(store) {
      const id = await created(store, 1);
      const row = async () => (await store.loadSession(id))!.row;
      await append(store, id, [entryOf(1)], { status: 'active', startedAt: T0 + 5 });
      expect(await row()).toMatchObject({ status: 'active', startedAt: T0 + 5, endedAt: null });
      await append(store, id, [entryOf(2)]);
      expect(await row()).toMatchObject({ status: 'active', startedAt: T0 + 5 });
      await append(store, id, [entryOf(3)], { status: 'ended', endedAt: T0 + 9 });
      expect(await row()).toMatchObject({ status: 'ended', startedAt: T0 + 5, endedAt: T0 + 9 });
    },
  },
  {
    title: '[STORE-6] a session that starts and ends in one commit has both times',
    async run(store) {
      const id = await created(store, 1);
      const change = { status: 'ended', startedAt: T0 + 5, endedAt: T0 + 6 } as const;
      await append(store, id, [entryOf(1), entryOf(2)], change);
      const [row] = await store.listSessions(filterOf());
      expect(row).toMatchObject({ status: 'ended', startedAt: T0 + 5, endedAt: T0 + 6 });
    },
  },
  {
    title: '[D11a] a part of a log is read from a version on, or the latest before one',
    async run(store) {
      const id = await created(store, 1);
      await append(
        store,
        id,
        [1, 2, 3, 4].map((v) => entryOf(v)),
      );
      const read = async (from: 'after' | 'before', v: number, limit: number) => {
        const { first, entries, last } = (await store.loadLogPart(id, { from, v, limit }))!;
        return [first?.v, entries.map((entry) => entry.v), last];
      };
      expect(await read('after', -1, 2)).toEqual([0, [0, 1], 4]);
      expect(await read('after', 1, 9)).toEqual([0, [2, 3, 4], 4]);
      expect(await read('after', 4, 9)).toEqual([0, [], 4]);
      expect(await read('before', Number.MAX_SAFE_INTEGER, 2)).toEqual([0, [3, 4], 4]);
      expect(await read('before', 2, 9)).toEqual([0, [0, 1], 4]);
      const range = { from: 'after', v: 0, limit: 1 } as const;
      const whole = (await store.loadSession(id))!;
      const part = (await store.loadLogPart(id, range))!;
      expect([part.row, part.entries]).toEqual([whole.row, whole.entries.slice(1, 2)]);
      expect(await store.loadLogPart(sessionId(9), range)).toBeNull();
    },
  },
];
