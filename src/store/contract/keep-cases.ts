/** Players' names, responses for repeats, and how all of it is removed. */

import { expect } from 'bun:test';
import type { Mode } from '../../match/record.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import type { SeatedRow } from '../store.ts';
import { WORLDS } from '../world.ts';
import type { Case } from './stage.ts';
import {
  answerOf,
  append,
  created,
  entryOf,
  filterOf,
  seatOf,
  sessionId,
  T0,
  TENANT,
} from './stage.ts';

const DAY_MS = 86_400_000;

export const keepCases: readonly Case[] = [
  {
    title: '[R2] the latest display name is shown everywhere, null keeps it',
    async run(store) {
      const first = await created(store, 1, { seats: [seatOf(0, 'ann', 'Ann')] });
      const second = await created(store, 2, { seats: [seatOf(0, 'ann')] });
      const nameIn = async (id: string) => (await store.loadSession(id))!.roster[0]!.displayName;
      expect([await nameIn(first), await nameIn(second)]).toEqual(['Ann', 'Ann']);
      await append(store, second, [entryOf(1)], { seats: [seatOf(1, 'bob', 'Bob')] });
      await created(store, 3, { seats: [seatOf(0, 'bob', 'Bobby'), seatOf(1, 'ann', 'Änn 😀')] });
      expect([await nameIn(first), await nameIn(second)]).toEqual(['Änn 😀', 'Änn 😀']);
      expect(await store.findPlayer(TENANT, 'live', 'bob')).toEqual({
        playerId: 'bob',
        displayName: 'Bobby',
        createdAt: T0,
      });
      expect(await store.findPlayer('ten_b', 'live', 'bob')).toBeNull();
    },
  },
  {
    title: '[H8] the first response stays while it is valid, and is found by its whole key',
    async run(store) {
      const first = answerOf('k', { status: 201, mint: '["ann"]' });
      expect(await store.keepIdempotent(first)).toBe(true);
      const second = answerOf('k', { status: 404, body: 'other', bodyHash: 'cd' });
      expect(await store.keepIdempotent(second)).toBe(false);
      const found = await store.findIdempotent(answerOf('k'), T0 + DAY_MS - 1);
      expect(found).toMatchObject({
        status: 201,
        body: answerOf('k').body,
        bodyHash: answerOf('k').bodyHash,
        mint: '["ann"]',
        expiresAt: T0 + DAY_MS,
      });
      const others = [
        { tenant: 'ten_b' },
        { mode: 'test' },
        { method: 'PUT' },
        { path: '/v1/session' },
        { key: 'K' },
      ] as const;
      for (const other of others) {
        expect(await store.findIdempotent(answerOf('k', other), T0)).toBeNull();
      }
    },
  },
  {
    title: '[H8] an expired response is not found, and another replaces it',
    async run(store) {
      await store.keepIdempotent(answerOf('k', { body: 'old' }));
      const end = T0 + DAY_MS;
      expect(await store.findIdempotent(answerOf('k'), end)).toBeNull();
      const next = { body: 'new', keptAt: end, expiresAt: end + DAY_MS };
      expect(await store.keepIdempotent(answerOf('k', { ...next, keptAt: end - 1 }))).toBe(false);
      expect((await store.findIdempotent(answerOf('k'), end - 1))?.body).toBe('old');
      expect(await store.keepIdempotent(answerOf('k', next))).toBe(true);
      expect((await store.findIdempotent(answerOf('k'), end))?.body).toBe('new');
    },
  },
  {
    title: '[R1] expired responses are removed in steps, and no others',
    async run(store) {
      for (let n = 0; n < 5; n++) {
        await store.keepIdempotent(answerOf(`k${n}`, { expiresAt: T0 + n }));
      }
      expect(await store.removeIdempotent(T0 + 3, 2)).toBe(2);
      expect(await store.removeIdempotent(T0 + 3, 2)).toBe(1);
      expect(await store.removeIdempotent(T0 + 3, 2)).toBe(0);
      expect(await store.findIdempotent(answerOf('k3'), T0)).not.toBeNull();
      expect(await store.findIdempotent(answerOf('k2'), T0)).toBeNull();
    },
  },
  {
    title: '[R1] ended sessions are removed in steps, oldest first, with their logs and seats',
    async run(store) {
      for (let n = 1; n <= 5; n++) {
        const id = await created(store, n, { seats: [seatOf(0, 'ann')] });
        await append(store, id, [entryOf(1)], { status: 'ended', endedAt: T0 + n });
      }
      await created(store, 6, { seats: [seatOf(0, 'ann')] });
      const remove = (tenant: string, mode: 'live' | 'test', endedBefore: number) =>
        store.removeSessions({ tenant, mode, endedBefore, limit: 2 });
      expect(await remove('ten_b', 'live', T0 + 9)).toBe(0);
      expect(await remove(TENANT, 'test', T0 + 9)).toBe(0);
      expect(await remove(TENANT, 'live', T0 + 1)).toBe(0);
      expect(await remove(TENANT, 'live', T0 + 4)).toBe(2);
      expect(await store.loadSession(sessionId(2))).toBeNull();
      expect((await store.loadSession(sessionId(3)))?.entries.length).toBe(2);
      expect(await remove(TENANT, 'live', T0 + 4)).toBe(1);
      expect(await remove(TENANT, 'live', T0 + 4)).toBe(0);
      const left = [4, 5, 6].map((n) => ({ session: sessionId(n), seat: 0 }));
      expect(await store.listSessionsOf(TENANT, 'ann')).toEqual(left);
      expect((await store.listSessions(filterOf())).length).toBe(3);
    },
  },
  {
    title:
      '[R1] guests of training are removed with the last of their sessions, and nobody else is',
    async run(store) {
      const bot = { ...seatOf(1, 'bot:b'), isBot: true };
      const play = async (n: number, mode: Mode, ...seats: readonly SeatedRow[]) => {
        const id = await created(store, n, { mode, seats });
        await append(store, id, [entryOf(1)], { status: 'ended', endedAt: T0 + n });
      };
      await play(1, 'training', seatOf(0, 'guest:a', 'Guest'), bot);
      await play(2, 'training', seatOf(0, 'guest:b'), bot);
      await play(3, 'training', seatOf(0, 'ann'), seatOf(1, 'Guest:c'));
      await play(4, 'live', seatOf(0, 'guest:d'));
      await play(5, 'training', seatOf(0, 'guest:e'));
      await play(6, 'training', seatOf(0, 'guest:e'));
      await created(store, 7, { seats: [seatOf(0, 'guest:b')] });
      await store.namePlayer(
        { ...seatOf(0, 'guest:f'), tenant: TENANT, world: 'live', displayName: 'F' },
        null,
      );
      const others = ['guest:b', 'ann', 'Guest:c', 'guest:d', 'guest:e', 'guest:f', 'bot:b'];
      const left = async () => {
        const ids = ['guest:a', ...others];
        const found = await Promise.all(ids.map((id) => store.findPlayer(TENANT, 'live', id)));
        return ids.filter((_, i) => found[i] !== null);
      };
      const remove = (mode: Mode, limit: number) =>
        store.removeSessions({ tenant: TENANT, mode, endedBefore: T0 + 9, limit });
      expect(await remove('training', 4)).toBe(4);
      expect(await left()).toEqual(others);
      expect(await remove('training', 4)).toBe(1);
      expect(await remove('live', 4)).toBe(1);
      expect(await left()).toEqual(others.filter((id) => id !== 'guest:e'));
      expect((await store.loadSession(sessionId(7)))!.roster[0]!.id).toBe('guest:b');
      // They return as a new player.
      await created(store, 8, { seats: [seatOf(0, 'guest:a')] });
      expect(await store.listSessionsOf(TENANT, 'guest:a')).toEqual([
        { session: sessionId(8), seat: 0 },
      ]);
      expect((await store.findPlayer(TENANT, 'live', 'guest:a'))!.displayName).toBeNull();
    },
  },
  {
    title: '[R1] leftover guests are removed, a part at a time, and nobody else is',
    async run(store) {
      const guest = (n: number) => `guest:${'0'.repeat(25)}${n}`;
      const name = (playerId: string, tenant = TENANT) =>
        store.namePlayer(
          { ...seatOf(0, playerId), tenant, world: 'live', displayName: 'Guest' },
          null,
        );
      const guests = [1, 2, 3, 4].map(guest);
      // Tenants' own players with such ids, too.
      const others = ['guest:', 'guest:f', `${guest(5)}0`, 'guest;', 'ann', `Guest:${guest(1)}`];
      for (const playerId of [...guests, ...others]) await name(playerId);
      await name(guest(1), 'ten_b');
      await created(store, 1, { mode: 'training', seats: [seatOf(0, guest(2))] });
      const left = async (ids: readonly string[], tenant = TENANT) => {
        const found = await Promise.all(ids.map((id) => store.findPlayer(tenant, 'live', id)));
        return ids.filter((_, i) => found[i] !== null);
      };
      expect(await store.removeGuests(TENANT, 'live', '', 2)).toEqual({
        removed: 1,
        last: guest(2),
      });
      expect(await left(guests)).toEqual([guest(2), guest(3), guest(4)]);
      let removed = 0;
      for (let after: string | null = guest(2); after !== null; ) {
        const swept = await store.removeGuests(TENANT, 'live', after, 2);
        removed += swept.removed;
        after = swept.last;
      }
      expect(removed).toBe(2);
      expect(await left(guests)).toEqual([guest(2)]);
      expect(await left(others)).toEqual(others);
      expect(await left([guest(1)], 'ten_b')).toEqual([guest(1)]);
      expect(await store.removeGuests('ten_b', 'live', '', 2)).toEqual({ removed: 1, last: null });
      expect((await store.loadSession(sessionId(1)))!.roster[0]!.id).toBe(guest(2));
      // They return as a new player.
      await created(store, 2, { mode: 'training', seats: [seatOf(0, guest(1))] });
      expect((await store.findPlayer(TENANT, 'live', guest(1)))!.displayName).toBeNull();
    },
  },
  {
    title: '[P1][I3d] of parallel names the last stays',
    async run(store) {
      const naming = { ...seatOf(0, 'ann'), tenant: TENANT };
      const name = (world: KeyMode, n: number) =>
        store.namePlayer(
          {
            ...naming,
            world,
            newRef: `ply_${world}${n}`,
            displayName: `Ann ${n}`,
            check: `{"n":${n}}`,
          },
          n === 3 ? answerOf(`named in ${world}`) : null,
        );
      await Promise.all([1, 2, 3, 4].flatMap((n) => WORLDS.map((world) => name(world, n))));
      for (const world of WORLDS) {
        expect((await store.findPlayer(TENANT, world, 'ann'))?.displayName).toBe('Ann 4');
        expect(await store.findIdempotent(answerOf(`named in ${world}`), T0)).not.toBeNull();
      }
      expect(await store.listLobbyChecks(TENANT, 'ann')).toEqual(
        WORLDS.map((mode) => ({ mode, verdict: '{"n":4}' })),
      );
    },
  },
  {
    title: '[H8] of responses stored at once under one key the first stays',
    async run(store) {
      const rows = [1, 2, 3].map((n) => answerOf('one', { status: 200 + n }));
      const other = answerOf('other', { keptAt: T0 + 1 });
      const kept = await Promise.all([...rows, other].map((row) => store.keepIdempotent(row)));
      expect(kept).toEqual([true, false, false, true]);
      expect((await store.findIdempotent(rows[0]!, T0))?.status).toBe(201);
    },
  },
  {
    title:
      '[P1][H8] a player can be named before a seat, the last name stays, the response is stored with it',
    async run(store) {
      const naming = {
        tenant: TENANT,
        world: 'live' as const,
        playerId: 'ann',
        newRef: 'ply_ann',
        at: T0,
      };
      const answer = answerOf('named');
      await store.namePlayer({ ...naming, displayName: 'Ann' }, answer);
      expect(await store.findIdempotent(answer, T0)).toMatchObject({ body: answer.body });
      expect(await store.findPlayer(TENANT, 'live', 'ann')).toEqual({
        playerId: 'ann',
        displayName: 'Ann',
        createdAt: T0,
      });
      const session = await created(store, 1, { seats: [seatOf(0, 'ann')] });
      await store.namePlayer({ ...naming, displayName: 'Anna', newRef: 'ply_x', at: T0 + 9 }, null);
      const { roster } = (await store.loadSession(session))!;
      expect(roster).toEqual([{ id: 'ann', displayName: 'Anna' }]);
      expect((await store.findPlayer(TENANT, 'live', 'ann'))?.createdAt).toBe(T0);
      expect(await store.findPlayer('ten_b', 'live', 'ann')).toBeNull();
      expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
      expect(await store.findPlayer(TENANT, 'live', 'ann')).toBeNull();
    },
  },
  {
    title: '[I3d][R2] the newest lobby check of each mode is stored, until an erasure',
    async run(store) {
      const naming = { tenant: TENANT, playerId: 'ann', at: T0 };
      const check = (world: KeyMode, verdict: string, displayName: string | null = null) =>
        store.namePlayer(
          { ...naming, world, newRef: `ply_${world}`, displayName, check: verdict },
          null,
        );
      await check('test', '{"n":1}', 'Ann');
      await check('live', '{"n":2}');
      await check('test', '{"n":3}');
      expect((await store.findPlayer(TENANT, 'test', 'ann'))?.displayName).toBe('Ann');
      expect((await store.findPlayer(TENANT, 'live', 'ann'))?.displayName).toBeNull();
      expect(await store.listLobbyChecks(TENANT, 'ann')).toEqual([
        { mode: 'live', verdict: '{"n":2}' },
        { mode: 'test', verdict: '{"n":3}' },
      ]);
      for (const tenant of ['ten_b', TENANT]) {
        expect(await store.listLobbyChecks(tenant, 'ben')).toEqual([]);
      }
      expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
      for (const world of WORLDS) {
        const named = { ...naming, world, newRef: `ply_new_${world}`, displayName: 'New' };
        await store.namePlayer(named, null);
      }
      expect(await store.listLobbyChecks(TENANT, 'ann')).toEqual([]);
    },
  },
  {
    title: '[K3][R2] each mode has its own players: names, seats, erasures and stored responses',
    async run(store) {
      const live = await created(store, 1, { seats: [seatOf(0, 'ann', 'Ann')] });
      const other = await created(store, 2, { mode: 'test', seats: [seatOf(0, 'ann')] });
      const nameIn = async (id: string) => (await store.loadSession(id))!.roster[0];
      expect(await nameIn(other)).toEqual({ id: 'ann', displayName: null });
      await append(store, other, [entryOf(1)], { seats: [seatOf(1, 'ben', 'Ben')] }, 'test');
      expect(await store.findPlayer(TENANT, 'live', 'ben')).toBeNull();
      const naming = { tenant: TENANT, playerId: 'ann', newRef: 'ply_none', at: T0 + 9 };
      await store.namePlayer({ ...naming, world: 'test', displayName: 'Test' }, null);
      expect([await nameIn(live), await nameIn(other)]).toEqual([
        { id: 'ann', displayName: 'Ann' },
        { id: 'ann', displayName: 'Test' },
      ]);
      const listed = async (mode: KeyMode) =>
        (await store.listSessions(filterOf({ mode, playerId: 'ann' }))).map(({ id }) => id);
      expect([await listed('live'), await listed('test')]).toEqual([[live], [other]]);
      const body = '{"mode":"live","players":[{"id":"ann"}]}';
      const kept = answerOf('live', { body });
      const gone = [
        answerOf('test', { mode: 'test', body }),
        // A live key may act in test mode.
        answerOf('of-test', { body: body.replace('live', 'test') }),
        answerOf('bot', { body: `{"session":${body.replace('live', 'test')}}` }),
        answerOf('token', { body: '{"token":""}', mint: '{"mode":"test","player":"ann"}' }),
      ];
      for (const answer of [kept, ...gone]) await store.keepIdempotent(answer);
      expect(await store.erasePlayer(TENANT, ['test'], 'ann', T0)).toBe(true);
      expect(await store.erasePlayer(TENANT, ['test'], 'ann', T0)).toBe(false);
      expect([await nameIn(live), await nameIn(other)]).toEqual([
        { id: 'ann', displayName: 'Ann' },
        { id: null, displayName: null },
      ]);
      expect(await store.findIdempotent(kept, T0)).not.toBeNull();
      for (const answer of gone) expect(await store.findIdempotent(answer, T0)).toBeNull();
      // Of both modes in one step.
      await store.namePlayer({ ...naming, world: 'test', displayName: 'New' }, null);
      expect(await store.erasePlayer(TENANT, WORLDS, 'ann', T0)).toBe(true);
      for (const world of WORLDS) expect(await store.findPlayer(TENANT, world, 'ann')).toBeNull();
      expect(await store.findIdempotent(kept, T0)).toBeNull();
    },
  },
  {
    title: '[R2] a player who returns after an erasure is a new one',
    async run(store) {
      const first = await created(store, 1, { seats: [seatOf(0, 'ann', 'Ann')] });
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      const second = await created(store, 2, {
        seats: [{ ...seatOf(0, 'ann'), newRef: 'ply_new', at: T0 + 9 }],
      });
      expect(await store.findPlayer(TENANT, 'live', 'ann')).toEqual({
        playerId: 'ann',
        displayName: null,
        createdAt: T0 + 9,
      });
      expect(await store.listSessionsOf(TENANT, 'ann')).toEqual([{ session: second, seat: 0 }]);
      expect((await store.loadSession(first))!.roster).toEqual([{ id: null, displayName: null }]);
    },
  },
  {
    title: '[H11] player ids are compared exactly',
    async run(store) {
      const ids = ['ann', 'Ann', 'ann ', 'änn', 'a\u0308nn', 'ann%', 'a_n'];
      for (const [n, id] of ids.entries()) await created(store, n, { seats: [seatOf(0, id, id)] });
      for (const [n, id] of ids.entries()) {
        expect(await store.listSessionsOf(TENANT, id)).toEqual([
          { session: sessionId(n), seat: 0 },
        ]);
        expect((await store.findPlayer(TENANT, 'live', id))?.displayName).toBe(id);
      }
    },
  },
];
