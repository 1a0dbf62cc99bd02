/** A player's rated matches: each with its rating change, in pages, as long as the session is stored. */

import { expect } from 'bun:test';
import type { Outcome } from '../../../game/src/game.ts';
import { type RatedMatchQuery, SESSIONS_EXAMINED } from '../ratings.ts';
import type { SeatedRow, SessionChange } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { WORLDS } from '../world.ts';
import { type AreaCase, times } from './area.ts';
import {
  append,
  created,
  entryOf,
  type SessionWish,
  seatOf,
  sessionId,
  T0,
  TENANT,
} from './stage.ts';

const ASKED: RatedMatchQuery = {
  tenant: TENANT,
  world: 'live',
  playerId: 'ann',
  game: 'tictactoe',
  before: null,
  limit: 9,
};
const TWO = () => [seatOf(0, 'ann'), seatOf(1, 'ben')];
const WON: Outcome = { winners: [0], places: [1, 2], reason: 'x', detail: {} };
const LOST: Outcome = { winners: [1], places: [2, 1], reason: 'x', detail: {} };
const DRAWN: Outcome = { winners: [], places: [1, 1], reason: 'x', detail: {} };

/** A match that ends `n` ms after `T0`. */
async function ended(
  store: Store,
  n: number,
  outcome: Outcome = WON,
  wish: SessionWish = {},
): Promise<string> {
  const { mode = 'live' } = wish;
  const id = await created(store, n, { seats: TWO(), ...wish });
  const change: SessionChange = { status: 'ended', endedAt: T0 + n };
  const end = entryOf(1, { k: 'ended', outcome });
  expect(await append(store, id, [end], change, mode)).toBe('committed');
  return id;
}

const pageOf = async (store: Store, change: Partial<RatedMatchQuery> = {}) =>
  (await store.listRatedMatches({ ...ASKED, ...change }))!;

const idsOf = async (store: Store, change: Partial<RatedMatchQuery> = {}) =>
  (await pageOf(store, change)).matches.map(({ session }) => session);

export const ratingCases: readonly AreaCase[] = [
  {
    title: '[L4] each rated match has the ratings before and after, for either seat, newest first',
    async run({ store, reopen }) {
      for (const [i, outcome] of [WON, LOST, DRAWN].entries()) await ended(store, i + 1, outcome);
      const later = await reopen();
      const { matches, next } = await pageOf(later);
      expect(next).toBeNull();
      expect(matches.map(({ session, at, outcome }) => [session, at, outcome])).toEqual([
        [sessionId(3), T0 + 3, 'draw'],
        [sessionId(2), T0 + 2, 'loss'],
        [sessionId(1), T0 + 1, 'win'],
      ]);
      const [third, second, first] = matches;
      expect(first!.before).toBe(1500);
      expect(first!.after).toBeGreaterThan(1500);
      expect(second!.before).toBe(first!.after);
      expect(second!.after).toBeLessThan(second!.before);
      expect(third!.before).toBe(second!.after);
      const standings = await later.findStandings({ ...ASKED, mode: 'live' }, ['ann', 'ben']);
      expect(third!.after).toBe(Math.round(standings.get('ann')!.rating * 10) / 10);
      const others = (await pageOf(later, { playerId: 'ben' })).matches;
      expect(others.map(({ outcome }) => outcome)).toEqual(['draw', 'win', 'loss']);
      expect(others[0]!.after).toBe(Math.round(standings.get('ben')!.rating * 10) / 10);
    },
  },
  {
    title: '[L4] pages continue where the last one ended, and are stable while matches are added',
    async run({ store }) {
      for (let n = 1; n <= 5; n++) await ended(store, n);
      const first = await pageOf(store, { limit: 2 });
      expect([first.matches.length, first.next]).toEqual([2, sessionId(4)]);
      await ended(store, 6);
      const second = await pageOf(store, { limit: 2, before: first.next });
      expect(second.matches.map(({ session }) => session)).toEqual([sessionId(3), sessionId(2)]);
      const third = await pageOf(store, { limit: 2, before: second.next });
      expect([third.matches.map(({ session }) => session), third.next]).toEqual([
        [sessionId(1)],
        null,
      ]);
    },
  },
  {
    title: '[L4] other games, modes, tenants, players and unrated matches are left out',
    async run({ store }) {
      const seen = await ended(store, 1);
      await ended(store, 2, WON, { game: 'connect4' });
      await ended(store, 3, WON, { mode: 'test' });
      await ended(store, 4, WON, { tenant: 'ten_b' });
      await ended(store, 5, { ...DRAWN, reason: 'aborted' });
      await ended(store, 6, WON, { mode: 'training' });
      const withBot: SeatedRow[] = [seatOf(0, 'ann'), { ...seatOf(1, 'bot:x'), isBot: true }];
      await ended(store, 7, WON, { seats: withBot });
      await ended(store, 8, WON, { seats: [seatOf(0, 'cid'), seatOf(1, 'ben')] });
      await created(store, 9, { seats: TWO() });
      expect(await idsOf(store)).toEqual([seen]);
      expect(await idsOf(store, { game: 'connect4' })).toEqual([sessionId(2)]);
      expect(await idsOf(store, { game: 'ludo' })).toEqual([]);
      expect(await idsOf(store, { world: 'test' })).toEqual([sessionId(3)]);
      expect(await store.listRatedMatches({ ...ASKED, world: 'test', playerId: 'cid' })).toBeNull();
      expect(await store.listRatedMatches({ ...ASKED, tenant: 'ten_c' })).toBeNull();
    },
  },
  {
    title: '[L4] a page examines a limited number of sessions: it may be empty and not the last',
    async run({ store }) {
      const oldest = await ended(store, 0);
      await times(SESSIONS_EXAMINED, (n) => created(store, n + 1, { seats: TWO() }));
      expect(await pageOf(store)).toEqual({ matches: [], next: sessionId(1) });
      const rest = await pageOf(store, { before: sessionId(1) });
      expect([rest.matches.map(({ session }) => session), rest.next]).toEqual([[oldest], null]);
      // For a game without a rating nothing is examined.
      expect(await pageOf(store, { game: 'connect4' })).toEqual({ matches: [], next: null });
    },
  },
  {
    title:
      '[L4][R1][R2] matches go with their sessions, and those of an erased player cannot be found',
    async run({ store }) {
      await ended(store, 1);
      const kept = await ended(store, 2);
      expect((await store.listSessionsOf(TENANT, 'ann'))[0]).toMatchObject({
        session: sessionId(1),
        rating: [1500, expect.any(Number)],
      });
      const filter = { tenant: TENANT, mode: 'live', endedBefore: T0 + 2, limit: 9 } as const;
      expect(await store.removeSessions(filter)).toBe(1);
      expect(await idsOf(store)).toEqual([kept]);
      const looked = await store.forgetAnswersOf(TENANT, WORLDS, 'ann', T0);
      await store.erasePlayer(TENANT, WORLDS, 'ann', T0, { looked, audit: undefined });
      expect(await store.listRatedMatches(ASKED)).toBeNull();
      expect(await idsOf(store, { playerId: 'ben' })).toEqual([kept]);
      // A new player with the id starts over.
      await ended(store, 3);
      const { matches } = await pageOf(store);
      expect(matches.map(({ session, before }) => [session, before])).toEqual([
        [sessionId(3), 1500],
      ]);
    },
  },
];
