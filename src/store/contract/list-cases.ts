/** Finding sessions: filters, pages, and a player's open sessions. */

import { expect } from 'bun:test';
import type { CoreStore, SessionFilter } from '../store.ts';
import type { Case } from './stage.ts';
import { append, created, entryOf, filterOf, seatOf, sessionId, T0, TENANT } from './stage.ts';

async function idsOf(store: CoreStore, filter: Partial<SessionFilter> = {}): Promise<string[]> {
  return (await store.listSessions(filterOf(filter))).map(({ id }) => id);
}

const GAMES = ['tictactoe', 'connect4'] as const;
const MODES = ['live', 'test', 'training'] as const;
const PLAYERS = ['ann', 'bob', 'cleo', 'Ann'] as const;

/** Texts that a database may not store as they are, and similar ones. */
const NASTY = ['a', '\u0000', '\ud800', '\ud801', 'A', ''] as const;

interface Fact {
  readonly n: number;
  readonly mode: (typeof MODES)[number];
  readonly game: (typeof GAMES)[number];
  readonly status: 'pending' | 'active' | 'ended';
  readonly player: string;
  readonly createdAt: number;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** Sessions of every kind, ids in the order of their creation. */
async function fill(store: CoreStore): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (let n = 0; n < 72; n++) {
    const fact: Fact = {
      n,
      mode: MODES[n % 3]!,
      game: GAMES[Math.floor(n / 3) % 2]!,
      status: (['pending', 'active', 'ended'] as const)[Math.floor(n / 6) % 3]!,
      player: PLAYERS[Math.floor(n / 18) % 4]!,
      createdAt: T0 + Math.floor(n / 2),
      metadata: n % 5 === 4 ? null : { batch: String(n % 5), place: NASTY[n % NASTY.length]! },
    };
    const { mode, game, status, player, createdAt } = fact;
    const metadata = fact.metadata && JSON.stringify(fact.metadata);
    const seats = [seatOf(0, player)];
    const id = await created(store, n, { mode, game, createdAt, metadata, seats });
    const times = { startedAt: createdAt, endedAt: createdAt };
    if (status !== 'pending') await append(store, id, [entryOf(1)], { status, ...times });
    facts.push(fact);
  }
  await created(store, 900, { tenant: 'ten_b', seats: [seatOf(0, 'ann')] });
  return facts;
}

function expected(facts: readonly Fact[], filter: SessionFilter): string[] {
  const found = facts.filter(
    (fact) =>
      (filter.mode === null || fact.mode === filter.mode) &&
      (filter.game === null || fact.game === filter.game) &&
      (filter.status === null || fact.status === filter.status) &&
      (filter.playerId === null || fact.player === filter.playerId) &&
      (filter.metadata === undefined ||
        fact.metadata?.[filter.metadata.key] === filter.metadata.value) &&
      (filter.createdFrom === null || fact.createdAt >= filter.createdFrom) &&
      (filter.createdTo === null || fact.createdAt < filter.createdTo) &&
      (filter.before === null || sessionId(fact.n) < filter.before),
  );
  return found
    .map(({ n }) => sessionId(n))
    .reverse()
    .slice(0, filter.limit);
}

/** Every combination of some values for each field. */
function combinations(): SessionFilter[] {
  let filters = [filterOf()];
  const spread = (fields: readonly Partial<SessionFilter>[]): void => {
    filters = filters.flatMap((filter) => fields.map((field) => ({ ...filter, ...field })));
  };
  spread([{}, { mode: 'live' }, { mode: 'training' }]);
  spread([{}, { game: 'connect4' }]);
  spread([{}, { status: 'pending' }, { status: 'active' }, { status: 'ended' }]);
  spread([{}, { playerId: 'ann' }, { playerId: 'nobody' }]);
  spread([{}, { createdFrom: T0 + 7 }, { createdTo: T0 + 20 }]);
  const batch = (value: string) => ({ metadata: { key: 'batch', value } });
  spread([{}, batch('2'), batch('4'), { metadata: { key: 'place', value: NASTY[1]! } }]);
  spread([{}, { before: sessionId(30) }]);
  spread([{ limit: 3 }, { limit: 100 }]);
  return filters;
}

export const listCases: readonly Case[] = [
  {
    title:
      '[H9] every filter and every combination of filters lists the matching sessions, newest first',
    async run(store) {
      const facts = await fill(store);
      for (const filter of combinations()) {
        expect({ filter, ids: await idsOf(store, filter) }).toEqual({
          filter,
          ids: expected(facts, filter),
        });
      }
    },
  },
  {
    title: '[S6] metadata that very many sessions have is found with every other filter',
    async run(store) {
      const facts = Array.from({ length: 1_201 }, (_, n) => ({
        n,
        game: GAMES[n % 2]!,
        player: `p${n % 100}`,
        region: n % 2 === 0 || n > 1_000 ? 'eu' : 'us',
      }));
      await Promise.all(
        facts.map(({ n, game, player, region }) => {
          const metadata = JSON.stringify({ region, app: 'x' });
          return created(store, n, { game, metadata, seats: [seatOf(0, player)] });
        }),
      );
      for (const n of [3, 700]) {
        await append(store, sessionId(n), [entryOf(1)], { status: 'active', startedAt: T0 });
      }
      for (const [key, value] of [
        ['app', 'x'],
        ['region', 'us'],
      ] as const) {
        const fits = facts.filter((fact) => key === 'app' || fact.region === value).reverse();
        const ids = (some: readonly { readonly n: number }[]) =>
          some.slice(0, 30).map(({ n }) => sessionId(n));
        const metadata = { key, value };
        const find = (filter: Partial<SessionFilter> = {}) =>
          idsOf(store, { mode: 'live', metadata, limit: 30, ...filter });
        expect(await find()).toEqual(ids(fits));
        expect(await find({ mode: null })).toEqual(ids(fits));
        expect(await find({ before: sessionId(600) })).toEqual(
          ids(fits.filter(({ n }) => n < 600)),
        );
        expect(await find({ game: 'connect4' })).toEqual(
          ids(fits.filter(({ game }) => game === 'connect4')),
        );
        expect(await find({ playerId: 'p3' })).toEqual(
          ids(fits.filter(({ player }) => player === 'p3')),
        );
        expect(await find({ status: 'active' })).toEqual(
          ids(fits.filter(({ n }) => n === 3 || n === 700)),
        );
        expect(await find({ status: 'active', game: 'connect4' })).toEqual(
          ids(fits.filter(({ n }) => n === 3)),
        );
        expect(await find({ status: 'ended' })).toEqual([]);
      }
    },
  },
  {
    title: '[R1][S6] metadata is found until its session is removed',
    async run(store) {
      const wish = { metadata: '{"orderId":"77"}' };
      const id = await created(store, 1, wish);
      const metadata = { key: 'orderId', value: '77' };
      expect(await idsOf(store, { metadata })).toEqual([id]);
      await append(store, id, [entryOf(1)], { status: 'ended', endedAt: T0 });
      expect(await idsOf(store, { metadata, status: 'ended' })).toEqual([id]);
      const past = { tenant: TENANT, mode: 'live', endedBefore: T0 + 1, limit: 9 } as const;
      expect(await store.removeSessions(past)).toBe(1);
      expect(await idsOf(store, { metadata })).toEqual([]);
      // The same id again, as after restoring a backup, returns nothing of the old one.
      await created(store, 1, { metadata: null });
      expect(await idsOf(store, { metadata })).toEqual([]);
    },
  },
  {
    title: '[H9] pages are stable while sessions are added',
    async run(store) {
      const facts = await fill(store);
      const seen: string[] = [];
      let before: string | null = null;
      for (let page = 0; ; page++) {
        const ids = await idsOf(store, { before, limit: 7 });
        if (ids.length === 0) break;
        seen.push(...ids);
        before = ids.at(-1)!;
        await created(store, 1_000 + page, { seats: [seatOf(0, 'ann')] });
      }
      expect(seen).toEqual(expected(facts, filterOf({ limit: 1_000 })));
    },
  },
  {
    title: '[S10] private sessions can be left out, and the pages stay full',
    async run(store) {
      const types = ['private', 'matchmaking', 'bot', 'private', 'hosted'] as const;
      for (const [n, matchType] of types.entries()) await created(store, n, { matchType });
      const open = { withoutPrivate: true, mode: 'live' } as const;
      expect(await idsOf(store, { ...open, limit: 2 })).toEqual([sessionId(4), sessionId(2)]);
      expect(await idsOf(store, open)).toEqual([4, 2, 1].map(sessionId));
      expect(await idsOf(store, { ...open, withoutPrivate: false })).toHaveLength(5);
    },
  },
  {
    title: '[K3] a tenant sees its own sessions only',
    async run(store) {
      await fill(store);
      expect(await idsOf(store, { tenant: 'ten_b' })).toEqual([sessionId(900)]);
      expect(await idsOf(store, { tenant: 'ten_b', playerId: 'bob' })).toEqual([]);
      expect(await idsOf(store, { tenant: 'ten_c' })).toEqual([]);
      expect(await store.listOpenSessionsOf('ten_b', 'live', 'ann')).toEqual([sessionId(900)]);
    },
  },
  {
    title: "[P1] a player's open sessions of a mode are listed, oldest first, by the exact id",
    async run(store) {
      const facts = await fill(store);
      for (const mode of MODES) {
        for (const player of ['ann', 'Ann', 'cleo', 'ANN', 'an']) {
          const open = facts.filter(
            (fact) => fact.mode === mode && fact.player === player && fact.status !== 'ended',
          );
          const ids = open.map(({ n }) => sessionId(n));
          expect(await store.listOpenSessionsOf(TENANT, mode, player)).toEqual(ids);
        }
      }
    },
  },
  {
    title: '[S3] a player seated later finds the session, too',
    async run(store) {
      const id = await created(store, 1, { seats: [seatOf(0, 'ann')] });
      await append(store, id, [entryOf(1)], { seats: [seatOf(1, 'bob', 'Bob')] });
      expect(await store.listOpenSessionsOf(TENANT, 'live', 'bob')).toEqual([id]);
      expect(await idsOf(store, { playerId: 'bob' })).toEqual([id]);
      const { roster } = (await store.loadSession(id))!;
      expect(roster).toEqual([
        { id: 'ann', displayName: null },
        { id: 'bob', displayName: 'Bob' },
      ]);
    },
  },
  {
    title: '[S1] an open seat before a taken one is null',
    async run(store) {
      const id = await created(store, 1, { seats: [seatOf(2, 'ann')] });
      const { roster } = (await store.loadSession(id))!;
      expect([...roster]).toEqual([null, null, { id: 'ann', displayName: null }]);
      expect(await store.listSessionsOf(TENANT, 'ann')).toEqual([{ session: id, seat: 2 }]);
    },
  },
];
