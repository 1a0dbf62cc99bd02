/** Pages of lists of tickets with one player in 100,000 of them, whatever the tables' statistics say. */

import { expect, test } from 'bun:test';
import { holdBar } from '../../../testing/time-bar.ts';
import type { TicketFilter } from '../../tickets.ts';
import type { Store } from '../../whole-store.ts';
import { WORLDS } from '../../world.ts';

const TICKETS = 200_000;
const PAGE_MS_MAX = 50;
const PAGES = 20;
/** How many waiting tickets have the player of 100,000. */
const OLD = 20;
const WORLD = { tenant: 'ten_many', mode: 'live', game: 'tictactoe' } as const;
const LIST: TicketFilter = { ...WORLD, status: null, playerId: null, before: null, limit: 26 };

const rowsOf = (count: number): string =>
  `WITH RECURSIVE counted (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count - 1})`;
/** Sorts like the number. */
const id = (n: number): string => `tkt_${1_000_000 + n}`;
const STATUS = `CASE n % 4 WHEN 0 THEN 'forming' WHEN 1 THEN 'promoted' WHEN 2 THEN 'started' ELSE 'cancelled' END`;
/** One player is in all started and cancelled ones, and in the oldest waiting ones. */
const IS_OF_ONE = `(n % 4 > 1 OR n < ${4 * OLD} AND n % 4 = 1)`;

/** Fills the tables, in SQL for both databases. */
export const MANY_TICKETS: readonly string[] = [
  `INSERT INTO ticket (id, tenant, mode, game, capacity, taken, status, group_id, created_at, promoted_at, pool_place,
      ended_at)
   ${rowsOf(TICKETS)} SELECT 'tkt_' || (1000000 + n), '${WORLD.tenant}', '${WORLD.mode}', '${WORLD.game}', 2, 2, ${STATUS},
      CASE WHEN n % 4 IN (1, 2) THEN 'grp_' || n END, n, CASE WHEN n % 4 IN (1, 2) THEN n END,
      CASE WHEN n % 4 = 1 THEN n END, CASE WHEN n % 4 > 1 THEN n END
     FROM counted`,
  `INSERT INTO player (ref, tenant, world, player_id, created_at)
   ${rowsOf(2 * TICKETS + 1)} SELECT 'ply_' || n, '${WORLD.tenant}', '${WORLD.mode}', 'player-' || n, 0 FROM counted`,
  `INSERT INTO ticket_player (ticket, place, player, mode, game, forming, added_at)
   ${rowsOf(TICKETS)} SELECT 'tkt_' || (1000000 + n), 0, 'ply_' || CASE WHEN ${IS_OF_ONE} THEN 0 ELSE 1 + n END,
      '${WORLD.mode}', '${WORLD.game}', CASE WHEN n % 4 = 0 THEN TRUE ELSE FALSE END, n FROM counted`,
  `INSERT INTO ticket_player (ticket, place, player, mode, game, forming, added_at)
   ${rowsOf(TICKETS)} SELECT 'tkt_' || (1000000 + n), 1, 'ply_' || (1 + ${TICKETS} + n / 4),
      '${WORLD.mode}', '${WORLD.game}', CASE WHEN n % 4 = 0 THEN TRUE ELSE FALSE END, n FROM counted`,
];

const ofPlayer = (playerId: string) => ({ tenant: WORLD.tenant, worlds: WORLDS, playerId });
const FEW = (at: number): string => `player-${1 + TICKETS + (at >> 2)}`;

type Lists = Readonly<
  Record<string, readonly [number, (at: number) => Promise<readonly unknown[]>, msMax?: number]>
>;

const listsOf = (store: () => Store): Lists => {
  const list = (filter: Partial<TicketFilter>) => store().listTickets({ ...LIST, ...filter });
  return {
    all: [26, (at) => list({ before: id(at) })],
    forming: [26, (at) => list({ status: 'forming', before: id(at) })],
    started: [26, (at) => list({ status: 'started', before: id(at) })],
    'of a player who is in very many': [26, (at) => list({ playerId: 'player-0', before: id(at) })],
    'started, of a player who is in very many': [
      26,
      (at) => list({ playerId: 'player-0', status: 'started', before: id(at) }),
    ],
    'promoted long ago, of a player who is in very many': [
      OLD,
      () => list({ playerId: 'player-0', status: 'promoted' }),
      // Every ticket of the player is read.
      1_000,
    ],
    'forming, of a player who is in very many that are not': [
      0,
      () => list({ playerId: 'player-0', status: 'forming' }),
    ],
    'of another game, of a player who is in very many': [
      0,
      () => list({ playerId: 'player-0', game: 'pool' }),
    ],
    'of a player who is in few': [4, (at) => list({ playerId: FEW(at) })],
    'of nobody': [0, () => list({ playerId: 'nobody' })],
    'of a game that nobody plays': [0, () => list({ game: 'pool' })],
    'the pool': [26, (at) => store().listPool(WORLD, at - 20_000, 26)],
    'all of a player who is in few': [
      4,
      (at) => store().listTicketsOf(ofPlayer(FEW(at)), null, 500),
    ],
    'all of a player who is in very many': [
      500,
      (at) =>
        store().listTicketsOf(ofPlayer('player-0'), { game: WORLD.game, id: id(at - 40_000) }, 500),
    ],
  };
};

/** Registers the suite. `open` returns a store with `MANY_TICKETS` in it. */
export function manyTicketsSuite(name: string, store: () => Store): void {
  for (const [list, [wanted, page, msMax = PAGE_MS_MAX]] of Object.entries(listsOf(store))) {
    test(`[D11] ${name}: ${list}: a page of ${TICKETS} tickets within ${msMax} ms`, async () => {
      let worst = 0;
      for (let i = 0; i < PAGES; i++) {
        const began = performance.now();
        const rows = await page(TICKETS - 1 - Math.floor((i / PAGES) * TICKETS * 0.8));
        worst = Math.max(worst, performance.now() - began);
        expect(rows.length).toBe(wanted);
      }
      holdBar(`${name}, ${list}: slowest of ${PAGES} pages, ms`, worst, msMax);
    });
  }
}
