/**
 * Pages of lists with a million rows each, on machines where times are measured: none takes longer
 * than 50 ms, wherever it begins.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { makeTimeDigits } from '../../match/id-text.ts';
import { withSpan } from '../../runtime/sessions/session-span.ts';
import { holdBar, measuredFor } from '../../testing/time-bar.ts';
import type { AuditNames } from '../journal.ts';
import type { RatedMatchPage } from '../ratings.ts';
import type { SessionFilter } from '../store.ts';
import type { TicketFilter } from '../tickets.ts';
import type { Store } from '../whole-store.ts';
import { auditFilter } from './stage.ts';

/** Fewer where times are not measured: creating a million takes longer than everything else. */
export const ROWS = measuredFor(1_000_000, 200_000);
const PAGE_MS_MAX = 50;
export const SECOND_MS = 1_000;
const PAGES = 40;
export const TENANT = 'ten_many';
export const T0 = Date.UTC(2026, 0, 1);

/** The id that sorts where row `n` does. */
function idAt(prefix: string, n: number): string {
  return `${prefix}_${makeTimeDigits(T0 + n - (n % SECOND_MS))}${String(n).padStart(16, '0')}`;
}

/** The slowest page, in milliseconds; each has `wanted` rows. */
async function slowest(
  wanted: number,
  page: (place: number) => Promise<readonly unknown[]>,
): Promise<number> {
  let worst = 0;
  for (let i = 0; i < PAGES; i++) {
    // From the newest to the oldest, all over the table.
    const place = ROWS - Math.floor((i / PAGES) * 0.8 * ROWS);
    const began = performance.now();
    const rows = await page(place);
    worst = Math.max(worst, performance.now() - began);
    expect(rows.length).toBe(wanted);
  }
  return worst;
}

const SESSIONS: SessionFilter = {
  before: null,
  tenant: TENANT,
  mode: 'live',
  game: null,
  status: null,
  playerId: null,
  createdFrom: null,
  createdTo: null,
  limit: 25,
};
const TICKETS: TicketFilter = {
  tenant: TENANT,
  mode: 'live',
  game: 'tictactoe',
  limit: 25,
  status: null,
  playerId: null,
  before: null,
};
/** The sessions' metadata: on all, on those of the usual game, on the oldest, or on one. */
export const PAIRS = {
  all: { key: 'app', value: 'x' },
  usual: { key: 'game', value: 'tictactoe' },
  old: { key: 'season', value: '1' },
  one: { key: 'orderId', value: '77' },
} as const;
/** How many sessions are of the first season. */
export const OLD = 5_000;
/** One player sits in a fifth of the sessions. Half of them are rated matches of ludo, the others of no account. */
export const RATED = {
  seat: 'rows.n % 10 < 2',
  match: 'rows.n % 10 = 0 AND rows.n % 1000 <> 0',
  change: '[[1500,1512.5]]',
  end: JSON.stringify({
    k: 'ended',
    outcome: { winners: [0], places: [1, 2], reason: 'x', detail: {} },
  }),
} as const;
const RATED_MATCHES = {
  tenant: TENANT,
  world: 'live',
  playerId: 'player-7',
  game: 'ludo',
  before: null,
  limit: 25,
} as const;
const matchesOf = (page: RatedMatchPage | null) => page!.matches;
const REQUESTS = { tenant: TENANT, mode: 'live', errorsOnly: false, limit: 50 } as const;

const WORLD = { tenant: TENANT, mode: 'live' } as const;
const AUDIT = auditFilter({ tenant: TENANT, limit: 50 });
const namesOf = ({ acts, actors }: AuditNames) => (acts.length === 2 ? actors : []);
const placesOf = (seq: number | null) => (seq === null ? [] : [seq]);

/** By name: rows of a page, and the page that ends before a row. */
type Lists = Readonly<
  Record<string, readonly [number, (at: number) => Promise<readonly unknown[]>]>
>;

const listsOf = (store: () => Store): Lists => ({
  'sessions, all': [25, (at) => store().listSessions({ ...SESSIONS, before: idAt('ses', at) })],
  'sessions, one game': [
    25,
    (at) => store().listSessions({ ...SESSIONS, game: 'ludo', before: idAt('ses', at) }),
  ],
  'sessions, under way': [
    25,
    (at) => store().listSessions({ ...SESSIONS, status: 'active', before: idAt('ses', at) }),
  ],
  // Cases that could read a million rows for nothing.
  'sessions of a game that nobody plays': [
    0,
    () => store().listSessions({ ...SESSIONS, game: 'pool' }),
  ],
  'sessions of a game that nobody plays, ended': [
    0,
    () => store().listSessions({ ...SESSIONS, game: 'pool', status: 'ended' }),
  ],
  'sessions under way of a game that nobody plays': [
    0,
    () => store().listSessions({ ...SESSIONS, game: 'pool', status: 'active' }),
  ],
  'sessions of nobody': [0, () => store().listSessions({ ...SESSIONS, playerId: 'nobody' })],
  'sessions of a time long ago': [
    0,
    () => store().listSessions(withSpan({ ...SESSIONS, createdTo: T0 - 86_400_000 })),
  ],
  'sessions of a time to come': [
    0,
    () => store().listSessions(withSpan({ ...SESSIONS, createdFrom: T0 + 86_400_000 })),
  ],
  // With a thousand sessions per second, all newer by time and some by id.
  'sessions before a time': [
    25,
    (at) => store().listSessions(withSpan({ ...SESSIONS, createdTo: T0 + at })),
  ],
  'sessions of a second': [
    25,
    (at) =>
      store().listSessions(
        withSpan({ ...SESSIONS, createdFrom: T0 + at - SECOND_MS, createdTo: T0 + at }),
      ),
  ],
  'sessions of a second of a game that nobody plays': [
    0,
    (at) =>
      store().listSessions(
        withSpan({
          ...SESSIONS,
          game: 'pool',
          createdFrom: T0 + at - SECOND_MS,
          createdTo: T0 + at,
        }),
      ),
  ],
  'sessions, metadata that all have': [
    25,
    (at) => store().listSessions({ ...SESSIONS, metadata: PAIRS.all, before: idAt('ses', at) }),
  ],
  'sessions, metadata that one has': [
    1,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.one }),
  ],
  'sessions, metadata that one has, under way': [
    0,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.one, status: 'active' }),
  ],
  'sessions, metadata that no session of the game has': [
    0,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.usual, game: 'ludo' }),
  ],
  'sessions, metadata that only old ones have': [
    25,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.old }),
  ],
  'sessions, metadata that only old ones have, under way': [
    OLD / 1_000,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.old, status: 'active' }),
  ],
  'sessions, metadata that all have, of nobody': [
    0,
    () => store().listSessions({ ...SESSIONS, metadata: PAIRS.all, playerId: 'nobody' }),
  ],
  'tickets, all': [25, (at) => store().listTickets({ ...TICKETS, before: idAt('tkt', at) })],
  'tickets, forming': [
    25,
    (at) => store().listTickets({ ...TICKETS, status: 'forming', before: idAt('tkt', at) }),
  ],
  'tickets of a game that nobody plays': [
    0,
    () => store().listTickets({ ...TICKETS, game: 'pool' }),
  ],
  'requests, all': [50, (at) => store().listRequests({ ...REQUESTS, before: idAt('req', at) })],
  'requests, errors': [
    50,
    (at) => store().listRequests({ ...REQUESTS, errorsOnly: true, before: idAt('req', at) }),
  ],
  events: [50, (at) => store().readEvents(WORLD, at - 100, 50)],
  // Anybody can make up an id.
  'the event of an id in the midst of many': [
    0,
    async (at) => placesOf(await store().findEventSeq(WORLD, idAt('evt', at), T0 + at)),
  ],
  'the event of an id of a time to come': [
    0,
    async () => placesOf(await store().findEventSeq(WORLD, idAt('evt', 2 * ROWS), T0 + 2 * ROWS)),
  ],
  audit: [50, (at) => store().listAudit({ ...AUDIT, before: at })],
  'audit of an act': [50, (at) => store().listAudit({ ...AUDIT, act: 'seldom', before: at })],
  'audit of an actor': [50, (at) => store().listAudit({ ...AUDIT, actor: 'key:77', before: at })],
  // A hundredth of the rows matches the one, a five-hundredth the other, none both.
  'audit of an actor and an act': [
    0,
    () => store().listAudit({ ...AUDIT, actor: 'key:77', act: 'seldom' }),
  ],
  'audit of a second': [
    50,
    (at) => store().listAudit({ ...AUDIT, from: T0 + at - SECOND_MS, to: T0 + at }),
  ],
  'audit of a time long ago': [0, () => store().listAudit({ ...AUDIT, to: T0 })],
  "the audit's acts and actors": [
    51,
    async () => namesOf(await store().listAuditNames(TENANT, 100)),
  ],
  'rated matches of a player of very many': [
    25,
    async (at) =>
      matchesOf(await store().listRatedMatches({ ...RATED_MATCHES, before: idAt('ses', at) })),
  ],
  // A rating stands there, as after sessions that were removed: each page examines all that it may.
  'rated matches of a player of very many others': [
    0,
    async (at) =>
      matchesOf(
        await store().listRatedMatches({
          ...RATED_MATCHES,
          game: 'tictactoe',
          before: idAt('ses', at),
        }),
      ),
  ],
  players: [50, (at) => store().findPlayers(TENANT, 'live', `player-${1 + (at % 9)}`, 50, '')],
});

/** Registers the suite. `open` returns a store with the rows in it, one per millisecond from `T0` on. */
export function millionRowsSuite(name: string, open: () => Promise<Store>): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store?.close());
  for (const [list, [wanted, page]] of Object.entries(listsOf(() => store))) {
    test(`[D11] ${name}: ${list}: a page of ${ROWS} rows within ${PAGE_MS_MAX} ms`, async () => {
      const worst = await slowest(wanted, page);
      holdBar(`${name}, ${list}: slowest of ${PAGES} pages, ms`, worst, PAGE_MS_MAX);
    });
  }
}
