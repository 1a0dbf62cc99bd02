/** Players' rematch requests: stored in the session's row, and decided once. */

import { expect } from 'bun:test';
import { REMATCH_MS, type RematchDo } from '../../match/agreement.ts';
import type { RematchStep } from '../rematches.ts';
import type { SessionChange } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { type AreaCase, times } from './area.ts';
import {
  append,
  auditOf,
  created,
  entryOf,
  type SessionWish,
  seatOf,
  sessionId,
  sessionOf,
  T0,
  TENANT,
} from './stage.ts';

const TWO = () => [seatOf(0, 'ann'), seatOf(1, 'ben')];
const WORLD = { tenant: TENANT, mode: 'live' } as const;

/** A session that was played to its end, unless the wish says otherwise. */
async function ended(
  store: Store,
  n: number,
  wish: SessionWish = {},
  started: SessionChange = { status: 'active', startedAt: T0 },
): Promise<string> {
  const { mode = 'live' } = wish;
  const id = await created(store, n, { seats: TWO(), ...wish });
  expect(await append(store, id, [entryOf(1)], started, mode)).toBe('committed');
  const outcome = { winners: [0], places: [1, 2], reason: 'x', detail: {} };
  const end = entryOf(2, { k: 'ended', outcome });
  const change: SessionChange = { status: 'ended', endedAt: T0, wasActive: true };
  expect(await append(store, id, [end], change, mode)).toBe('committed');
  return id;
}

function say(
  store: Store,
  session: string,
  seat: number,
  step: RematchDo,
  change: Partial<RematchStep> = {},
) {
  const player = ['ann', 'ben'][seat]!;
  const eventId = `evt_${seat}_${step}`;
  return store.stepRematch({ session, seat, player, do: step, now: T0, eventId, ...change });
}

const toldOf = async (store: Store) => {
  const events = await store.readEvents(WORLD, 0, 100);
  return events.filter(({ type }) => type === 'session.rematch_agreed');
};

export const rematchCases: readonly AreaCase[] = [
  {
    title: '[P13][E1] players agree once, and the event comes with the step that completes it',
    async run({ store, reopen }) {
      const id = await ended(store, 1);
      expect(await say(store, id, 0, 'offer')).toBe('done');
      expect(await toldOf(store)).toEqual([]);
      const later = await reopen();
      expect((await later.findRematch(id))?.agreement).toEqual({ asked: [0], declined: null });
      expect(await say(later, id, 1, 'offer')).toBe('done');
      expect(await say(later, id, 1, 'offer')).toBe('done');
      expect(await say(later, id, 0, 'withdraw')).toBe('rematch_over');
      expect(await toldOf(later)).toMatchObject([{ id: 'evt_1_offer', session: id, data: '{}' }]);
      const view = (await later.findRematch(id))!;
      expect(view).toMatchObject({ ...WORLD, world: 'live', isPossible: true, endedAt: T0 });
      expect(view.agreement).toEqual({ asked: [0, 1], declined: null });
    },
  },
  {
    title: '[P13] of players who all ask at once, the last one completes the agreement, once',
    async run({ store, another }) {
      const stores = [store, await another()];
      const ids = await Promise.all([1, 2, 3, 4].map((n) => ended(store, n)));
      const all = ids.flatMap((id, n) =>
        [0, 1].map((seat) => () => say(stores[(n + seat) % 2]!, id, seat, 'offer')),
      );
      const outcomes = await Promise.all([...all, ...all].map((act) => act()));
      expect(new Set(outcomes)).toEqual(new Set(['done']));
      expect((await toldOf(store)).map(({ session }) => session).sort()).toEqual(ids);
    },
  },
  {
    title: '[P13] only players of the session can ask, and some sessions have no rematch',
    async run({ store }) {
      const id = await ended(store, 1);
      expect(await say(store, id, 0, 'offer', { player: 'ben' })).toBe('unknown_session');
      expect(await say(store, id, 7, 'offer', { player: 'ann' })).toBe('unknown_session');
      expect(await say(store, sessionId(99), 0, 'offer')).toBe('unknown_session');
      expect(await store.findRematch(sessionId(99))).toBeNull();
      const late = { now: T0 + REMATCH_MS + 1 };
      expect(await say(store, id, 0, 'offer', late)).toBe('rematch_over');
      const open = await created(store, 2, { seats: TWO() });
      expect(await say(store, open, 0, 'offer')).toBe('session_not_ended');
      const hosted = await ended(store, 3, { matchType: 'hosted' });
      expect(await say(store, hosted, 0, 'offer')).toBe('no_rematch');
      expect((await store.findRematch(hosted))?.isPossible).toBe(false);
      const never = await ended(store, 4, {}, { awake: true });
      expect(await say(store, never, 0, 'offer')).toBe('no_rematch');
    },
  },
  {
    title: '[P13] bots do not ask and nobody waits for them; training writes no event',
    async run({ store }) {
      const seats = [seatOf(0, 'ann'), { ...seatOf(1, 'ben'), isBot: true }];
      const id = await ended(store, 1, { seats });
      expect(await say(store, id, 1, 'offer')).toBe('unknown_session');
      expect(await say(store, id, 0, 'offer')).toBe('done');
      expect(await toldOf(store)).toHaveLength(1);
      const training = await ended(store, 2, { seats, mode: 'training' });
      expect(await say(store, training, 0, 'offer')).toBe('done');
      expect(await store.readEvents({ ...WORLD, mode: 'training' }, 0, 9)).toEqual([]);
    },
  },
  {
    title: '[P13][R2] with an erased player there is no rematch any more',
    async run({ store }) {
      const id = await ended(store, 1);
      await say(store, id, 0, 'offer');
      const looked = await store.forgetAnswersOf(TENANT, ['live'], 'ben', T0);
      expect(
        await store.erasePlayer(TENANT, ['live'], 'ben', T0, { looked, audit: undefined }),
      ).toBe(true);
      expect((await store.findRematch(id))?.isPossible).toBe(false);
      expect(await say(store, id, 0, 'withdraw')).toBe('no_rematch');
    },
  },
  {
    title:
      '[K9][P13] after a tenant disables it players cannot agree any more, and earlier agreements stand',
    async run({ store }) {
      const [agreed, asked] = [await ended(store, 1), await ended(store, 2)];
      for (const seat of [0, 1]) expect(await say(store, agreed, seat, 'offer')).toBe('done');
      expect(await say(store, asked, 0, 'offer')).toBe('done');
      const set = (world: 'live' | 'test', rematch: 'announce' | 'off') =>
        store.putSettings(TENANT, world, { rematch }, auditOf('settings.updated'));
      await set('test', 'off');
      expect((await store.findRematch(asked))?.isPossible).toBe(true);
      await set('live', 'off');
      expect((await store.findRematch(asked))?.isPossible).toBe(false);
      expect(await say(store, asked, 1, 'offer')).toBe('no_rematch');
      expect(await say(store, asked, 0, 'withdraw')).toBe('no_rematch');
      expect(await say(store, agreed, 0, 'offer')).toBe('done');
      expect((await store.findRematch(agreed))?.agreement.asked).toEqual([0, 1]);
      await set('live', 'announce');
      expect(await say(store, asked, 1, 'offer')).toBe('done');
      expect(await toldOf(store)).toHaveLength(2);
    },
  },
  {
    title: '[P13] a player with a socket open anywhere is present; the created rematch is named',
    async run({ store }) {
      const id = await ended(store, 1);
      const next = sessionOf(2, { rematchOf: id });
      expect(await store.createSession(next)).toMatchObject({ names: [] });
      const view = (await store.findRematch(id))!;
      expect(view.next).toBe(sessionId(2));
      expect(view.seats.map(({ playerId, isHere }) => [playerId, isHere])).toEqual([
        ['ann', false],
        ['ben', false],
      ]);
    },
  },
  {
    title: '[L1][P13] the end of a rated match stores its rating changes',
    async run({ store }) {
      const ids = await times(2, (n) =>
        ended(store, n + 1, { mode: n === 0 ? 'live' : 'training' }),
      );
      const [first, second] = (await store.findRematch(ids[0]!))!.ratings!;
      expect([first![0], second![0]]).toEqual([1500, 1500]);
      expect(first![1]).toBeGreaterThan(1500);
      expect(second![1]).toBeLessThan(1500);
      expect((await store.findRematch(ids[1]!))!.ratings).toBeNull();
    },
  },
];
