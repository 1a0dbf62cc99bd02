/** Waiting and ratings: rows written by the commits they belong to. */

import { expect } from 'bun:test';
import type { Outcome } from '../../../../game/src/game.ts';
import type { Mode } from '../../../match/record.ts';
import type { CommitOutcome, SeatedRow, SessionChange } from '../../store.ts';
import type { Store } from '../../whole-store.ts';
import { WORLDS } from '../../world.ts';
import { append, entryOf, kindOf, seatOf, sessionId, sessionOf, T0, TENANT } from '../stage.ts';

export interface QueueCase {
  readonly title: string;
  run(store: Store): Promise<void>;
}

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
const LINE = { ...WORLD, pairing: 'x' } as const;

async function waitIn(store: Store, n: number, seats: readonly SeatedRow[], pairing = 'x') {
  return kindOf(await store.createSession({ ...sessionOf(n, { seats }), waiting: { pairing } }));
}

async function whereIs(store: Store, ...ids: string[]): Promise<string[]> {
  const rows = await store.findWaiting(WORLD, ids);
  return rows.map(({ playerId, session }) => `${playerId} ${session}`);
}

const outcome = (change: Partial<Outcome> = {}): Outcome => ({
  winners: [0],
  places: [1, 2],
  reason: 'x',
  detail: {},
  ...change,
});

/** The commit that ends a session of two. */
function end(
  store: Store,
  session: string,
  change: Partial<Outcome> = {},
  mode: Mode = 'live',
): Promise<CommitOutcome> {
  const entries = [entryOf(1, { k: 'ended', outcome: outcome(change) })];
  const ended: SessionChange = { status: 'ended', endedAt: T0 };
  return new Promise((resolve) =>
    store.commit({ session, tenant: TENANT, mode, entries, change: ended }, resolve),
  );
}

async function begin(store: Store, n: number, mode: Mode = 'live', isBot = false, player = 'ann') {
  const seats = [seatOf(0, player), { ...seatOf(1, 'ben'), isBot }];
  expect(kindOf(await store.createSession(sessionOf(n, { seats, mode })))).toBe('created');
  return sessionId(n);
}

const gamesOf = async (store: Store, mode: Mode = 'live') =>
  (await store.findStandings({ ...WORLD, mode }, ['ann'])).get('ann')?.games ?? 0;

export const queueCases: readonly QueueCase[] = [
  {
    title: '[S2] a waiting player is found, and waits nowhere else for the game',
    async run(store) {
      expect(await waitIn(store, 1, [seatOf(0, 'ann')])).toBe('created');
      expect(await waitIn(store, 2, [seatOf(0, 'ann')])).toBe('already_waiting');
      expect(await waitIn(store, 3, [seatOf(0, 'ann'), seatOf(1, 'ben')])).toBe('already_waiting');
      expect(await whereIs(store, 'ann', 'ben')).toEqual([`ann ${sessionId(1)}`]);
      expect(await store.loadSession(sessionId(2))).toBeNull();
      // A refused create leaves nothing.
      expect(kindOf(await store.createSession(sessionOf(2, { roomCode: 'C00002' })))).toBe(
        'created',
      );
    },
  },
  {
    title: '[S2] of many parallel creates for one player one waits',
    async run(store) {
      const all = Array.from({ length: 50 }, (_, n) =>
        waitIn(store, n, [seatOf(0, 'ann')], `${n}`),
      );
      const outcomes = await Promise.all(all);
      expect(outcomes.filter((each) => each === 'created').length).toBe(1);
      expect((await whereIs(store, 'ann')).length).toBe(1);
    },
  },
  {
    title: '[S2] a queue lists its sessions, longest waiting first, with the taken seats',
    async run(store) {
      await waitIn(store, 2, [seatOf(0, 'ann'), seatOf(1, 'ben')]);
      const late = sessionOf(1, { seats: [seatOf(0, 'cid')], createdAt: T0 + 5 });
      await store.createSession({ ...late, waiting: { pairing: 'x' } });
      await waitIn(store, 3, [seatOf(0, 'dan')], 'other');
      expect(await store.listWaiting(LINE, 9)).toEqual([
        { session: sessionId(2), rating: 1500, since: T0, taken: 2 },
        { session: sessionId(1), rating: 1500, since: T0 + 5, taken: 1 },
      ]);
      expect((await store.listWaiting(LINE, 1)).length).toBe(1);
      expect(await store.listWaiting({ ...LINE, mode: 'test' }, 9)).toEqual([]);
      expect(await store.listWaiting({ ...LINE, tenant: 'ten_b' }, 9)).toEqual([]);
    },
  },
  {
    title: '[S2] a player who joins waits with the others; in a full session nobody waits',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann')]);
      await append(store, sessionId(1), [entryOf(1)], { seats: [seatOf(1, 'ben')] });
      expect((await whereIs(store, 'ann', 'ben')).length).toBe(2);
      await append(store, sessionId(1), [entryOf(2)], { seats: [seatOf(2, 'cid')], full: true });
      expect(await whereIs(store, 'ann', 'ben', 'cid')).toEqual([]);
    },
  },
  {
    title: '[S3a] a player who leaves stops waiting, and the seat can be taken by another',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann'), seatOf(1, 'ben')]);
      const change: SessionChange = {
        left: [{ seat: 1, v: 1 }],
        requeued: { pairing: 'x' },
      };
      expect(await append(store, sessionId(1), [entryOf(1)], change)).toBe('committed');
      expect(await whereIs(store, 'ann', 'ben')).toEqual([`ann ${sessionId(1)}`]);
      expect((await store.listWaiting(LINE, 9)).map(({ taken }) => taken)).toEqual([1]);
      expect((await store.loadSession(sessionId(1)))!.roster[1] ?? null).toBeNull();
      expect(await store.listOpenSessionsOf(TENANT, 'live', 'ben')).toEqual([]);
      const next = { seats: [seatOf(1, 'cid')], queued: true } as const;
      expect(await append(store, sessionId(1), [entryOf(2)], next)).toBe('committed');
      expect((await store.loadSession(sessionId(1)))!.roster[1]?.id).toBe('cid');
      expect((await whereIs(store, 'ann', 'cid')).length).toBe(2);
      // The player who left can wait elsewhere.
      expect(await waitIn(store, 2, [seatOf(0, 'ben')])).toBe('created');
    },
  },
  {
    title: '[S3a] a full session waits in its queue again when a seat is left',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann')]);
      const full = { seats: [seatOf(1, 'ben'), seatOf(2, 'cid')], full: true } as const;
      await append(store, sessionId(1), [entryOf(1)], full);
      // Ben does not wait there any more, but elsewhere: that row stands.
      expect(await waitIn(store, 2, [seatOf(0, 'ben')])).toBe('created');
      const change: SessionChange = { left: [{ seat: 2, v: 2 }], requeued: { pairing: 'x' } };
      expect(await append(store, sessionId(1), [entryOf(2)], change)).toBe('committed');
      expect((await whereIs(store, 'ann', 'ben', 'cid')).sort()).toEqual([
        `ann ${sessionId(1)}`,
        `ben ${sessionId(2)}`,
      ]);
      expect((await store.listWaiting(LINE, 9))[0]).toEqual({
        session: sessionId(1),
        rating: 1500,
        since: T0,
        taken: 2,
      });
    },
  },
  {
    title: '[S3a][R2] with an erased player nobody waits, even if a seat is left',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann'), seatOf(1, 'ben')]);
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      await append(store, sessionId(1), [entryOf(1)], { seats: [seatOf(2, 'cid')] });
      const change: SessionChange = { left: [{ seat: 2, v: 2 }], requeued: { pairing: 'x' } };
      expect(await append(store, sessionId(1), [entryOf(2)], change)).toBe('committed');
      expect(await whereIs(store, 'ben', 'cid')).toEqual([]);
      expect(await store.listWaiting(LINE, 9)).toEqual([]);
    },
  },
  {
    title: '[S3a] a session that ends when its last player leaves waits for nobody',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann')]);
      const entries = [entryOf(1), entryOf(2)];
      const change: SessionChange = {
        left: [{ seat: 0, v: 1 }],
        status: 'ended',
        endedAt: T0,
      };
      expect(await append(store, sessionId(1), entries, change)).toBe('committed');
      expect(await store.listWaiting(LINE, 9)).toEqual([]);
      expect(await waitIn(store, 2, [seatOf(0, 'ann')])).toBe('created');
    },
  },
  {
    title: '[S2] a player who waits elsewhere cannot join from the queue: nothing is written',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann')]);
      await waitIn(store, 2, [seatOf(0, 'ben')], 'other');
      const seats = [seatOf(1, 'ben')];
      const joined = append(store, sessionId(1), [entryOf(1)], { seats, queued: true });
      expect(await joined).toBe('conflict');
      expect((await store.loadSession(sessionId(1)))!.entries.length).toBe(1);
      // By room code they can, and their first waiting row stands.
      expect(await append(store, sessionId(1), [entryOf(1)], { seats })).toBe('committed');
      expect(await whereIs(store, 'ben')).toEqual([`ben ${sessionId(2)}`]);
    },
  },
  {
    title: "[S2] a session's start or end also ends the waiting in it",
    async run(store) {
      for (const [n, status] of (['active', 'ended'] as const).entries()) {
        await waitIn(store, n, [seatOf(0, 'ann')]);
        await append(store, sessionId(n), [entryOf(1)], { status, startedAt: T0, endedAt: T0 });
        expect(await whereIs(store, 'ann')).toEqual([]);
      }
    },
  },
  {
    title: '[S2][R2] nobody waits with an erased player',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann'), seatOf(1, 'ben')]);
      await waitIn(store, 2, [seatOf(0, 'cid')]);
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      expect(await whereIs(store, 'ann', 'ben', 'cid')).toEqual([`cid ${sessionId(2)}`]);
    },
  },
  {
    title: '[S2][R2] not even if the erased player was seated by room code while waiting elsewhere',
    async run(store) {
      await waitIn(store, 1, [seatOf(0, 'ann')]);
      await waitIn(store, 2, [seatOf(0, 'ben')], 'other');
      await append(store, sessionId(2), [entryOf(1)], { seats: [seatOf(1, 'ann')] });
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      expect(await whereIs(store, 'ann', 'ben')).toEqual([]);
      expect(await store.listWaiting({ ...LINE, pairing: 'other' }, 9)).toEqual([]);
    },
  },
  {
    title: '[L1] a match is rated once, however often its end is retried',
    async run(store) {
      const id = await begin(store, 1);
      const outcomes = await Promise.all([end(store, id), end(store, id), end(store, id)]);
      expect(outcomes.sort()).toEqual(['committed', 'conflict', 'conflict']);
      const standings = await store.findStandings(WORLD, ['ann', 'ben', 'nobody']);
      expect([...standings.keys()]).toEqual(['ann', 'ben']);
      expect(standings.get('ann')).toMatchObject({ games: 1, wins: 1, lastPlayedAt: T0 + 1 });
      expect(standings.get('ben')).toMatchObject({ games: 1, losses: 1 });
    },
  },
  {
    title: '[L1] training, ends without a result and matches with a bot are not rated',
    async run(store) {
      await end(store, await begin(store, 1), { reason: 'aborted', winners: [], places: [1, 1] });
      await end(store, await begin(store, 2), { reason: 'expired', winners: [], places: [1, 1] });
      await end(store, await begin(store, 3, 'live', true));
      await end(store, await begin(store, 4, 'training'), {}, 'training');
      expect([await gamesOf(store), await gamesOf(store, 'training')]).toEqual([0, 0]);
      await end(store, await begin(store, 5, 'test'), {}, 'test');
      expect([await gamesOf(store), await gamesOf(store, 'test')]).toEqual([0, 1]);
    },
  },
  {
    title:
      '[L1][R1] a guest of training who has a rating is not removed, and neither is the rating',
    async run(store) {
      await end(store, await begin(store, 1, 'training', true, 'guest:a'), {}, 'training');
      await end(store, await begin(store, 2, 'live', false, 'guest:a'));
      for (const mode of ['live', 'training'] as const) {
        const filter = { tenant: TENANT, mode, endedBefore: T0 + 9, limit: 9 } as const;
        expect(await store.removeSessions(filter)).toBe(1);
      }
      expect((await store.findStandings(WORLD, ['guest:a'])).get('guest:a')!.games).toBe(1);
    },
  },
  {
    title: '[L1] ratings outlive their sessions, and erased players have none',
    async run(store) {
      await end(store, await begin(store, 1));
      const filter = { tenant: TENANT, mode: 'live', endedBefore: T0 + 9, limit: 9 } as const;
      expect(await store.removeSessions(filter)).toBe(1);
      expect(await gamesOf(store)).toBe(1);
      expect((await store.findRatedPlayer(TENANT, 'live', 'ann'))!.standings.length).toBe(1);
      expect(await store.findRatedPlayer(TENANT, 'test', 'ann')).toBeNull();
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0);
      expect(await gamesOf(store)).toBe(0);
      expect(await store.findRatedPlayer(TENANT, 'live', 'ann')).toBeNull();
      expect(await store.listStandings(TENANT, 'ann')).toEqual([]);
    },
  },
];
