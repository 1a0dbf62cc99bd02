/** Pages of lists with a million rows each: none takes longer than 50 ms, wherever it begins. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeTimeDigits } from '../../match/id-text.ts';
import { withSpan } from '../../runtime/session-span.ts';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { holdBar } from '../../testing/time-bar.ts';
import type { SessionFilter } from '../store.ts';
import type { Store } from '../whole-store.ts';
import { openSqliteStore } from './sqlite-store.ts';

setDefaultTimeout(300_000);

const ROWS = 1_000_000;
const PAGE_MS_MAX = 50;
const PAGES = 40;
const TENANT = 'ten_many';
const T0 = Date.UTC(2026, 0, 1);

const folder = makeTempFolder();
let store: Store;

beforeAll(async () => {
  const file = join(folder, 'many.db');
  await (await openSqliteStore(file)).close();
  fill(file);
  store = await openSqliteStore(file);
});
afterAll(async () => {
  await store?.close();
  removeFolder(folder);
});

/** The id that sorts where row `n` does. */
function idAt(prefix: string, n: number): string {
  return `${prefix}_${makeTimeDigits(T0)}${String(n).padStart(16, '0')}`;
}

function fill(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA synchronous = OFF');
  const rows = `WITH RECURSIVE rows (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows
    WHERE n < ${ROWS - 1})`;
  const id = (prefix: string) => `'${prefix}_${makeTimeDigits(T0)}' || printf('%016d', n)`;
  db.exec('BEGIN');
  // One in a thousand is under way, one in ten is the less usual game, one in a hundred an error.
  db.exec(`${rows} INSERT INTO session (id, tenant, mode, game, match_type, variant, status,
      room_code, created_at, started_at, ended_at, awake)
    SELECT ${id('ses')}, '${TENANT}', 'live', iif(n % 10 = 0, 'ludo', 'tictactoe'), 'matchmaking',
      'standard', iif(n % 1000 = 0, 'active', 'ended'), 'ABCDEF', ${T0} + n, ${T0} + n,
      iif(n % 1000 = 0, NULL, ${T0} + n), 0 FROM rows`);
  db.exec(`${rows} INSERT INTO request (tenant, mode, id, at, method, route, status, took_ms, key)
    SELECT '${TENANT}', 'live', ${id('req')}, ${T0} + n, 'GET', 'getSession',
      iif(n % 100 = 0, 404, 200), 1, 'key_x' FROM rows`);
  db.exec(`${rows} INSERT INTO event_chunk (tenant, mode, last_seq, n, at, body)
    SELECT '${TENANT}', 'live', n + 1, 1, ${T0} + n,
      json_array(json_array('evt_' || n, 'ticket.created', NULL, '{}')) FROM rows`);
  db.exec(`INSERT INTO event_head VALUES ('${TENANT}', 'live', ${ROWS})`);
  db.exec(`${rows} INSERT INTO audit (tenant, actor, act, object, at, n, hash)
    SELECT '${TENANT}', 'cli', 'act', 'x', ${T0} + n, n + 1, 'h' FROM rows`);
  db.exec(`${rows} INSERT INTO player (ref, tenant, player_id, created_at)
    SELECT 'ply_' || n, '${TENANT}', 'player-' || n, ${T0} FROM rows`);
  db.exec('COMMIT');
  db.close();
}

/** The slowest page, in milliseconds; each holds `wanted` rows. */
async function slowest(
  wanted: number,
  page: (place: number) => Promise<readonly unknown[]>,
): Promise<number> {
  let worst = 0;
  for (let i = 0; i < PAGES; i++) {
    // From the newest to the oldest, all over the table.
    const place = ROWS - Math.floor((i / PAGES) * (ROWS - 200_000));
    const began = performance.now();
    const rows = await page(place);
    worst = Math.max(worst, performance.now() - began);
    expect(rows.length).toBe(wanted);
  }
  return worst;
}

const SESSIONS: SessionFilter = {
  before: null,
  ...{ tenant: TENANT, mode: 'live', game: null, status: null, playerId: null },
  ...{ createdFrom: null, createdTo: null, limit: 25 },
};
const REQUESTS = { tenant: TENANT, mode: 'live', errorsOnly: false, limit: 50 } as const;

const LISTS: Readonly<
  Record<string, readonly [number, (at: number) => Promise<readonly unknown[]>]>
> = {
  'sessions, all': [25, (at) => store.listSessions({ ...SESSIONS, before: idAt('ses', at) })],
  'sessions, one game': [
    25,
    (at) => store.listSessions({ ...SESSIONS, game: 'ludo', before: idAt('ses', at) }),
  ],
  'sessions, under way': [
    25,
    (at) => store.listSessions({ ...SESSIONS, status: 'active', before: idAt('ses', at) }),
  ],
  // Ways to walk past a million rows for nothing.
  'sessions of a game that nobody plays': [
    0,
    () => store.listSessions({ ...SESSIONS, game: 'pool' }),
  ],
  'sessions of a game that nobody plays, ended': [
    0,
    () => store.listSessions({ ...SESSIONS, game: 'pool', status: 'ended' }),
  ],
  'sessions under way of a game that nobody plays': [
    0,
    () => store.listSessions({ ...SESSIONS, game: 'pool', status: 'active' }),
  ],
  'sessions of nobody': [0, () => store.listSessions({ ...SESSIONS, playerId: 'nobody' })],
  'sessions of a time long ago': [
    0,
    () => store.listSessions(withSpan({ ...SESSIONS, createdTo: T0 - 86_400_000 })),
  ],
  'sessions of a time to come': [
    0,
    () => store.listSessions(withSpan({ ...SESSIONS, createdFrom: T0 + 86_400_000 })),
  ],
  'requests, all': [50, (at) => store.listRequests({ ...REQUESTS, before: idAt('req', at) })],
  'requests, errors': [
    50,
    (at) => store.listRequests({ ...REQUESTS, errorsOnly: true, before: idAt('req', at) }),
  ],
  events: [50, (at) => store.readEvents({ tenant: TENANT, mode: 'live' }, at - 100, 50)],
  audit: [50, (at) => store.listAudit(TENANT, at, 50)],
  players: [50, (at) => store.findPlayers(TENANT, `player-${1 + (at % 9)}`, 50)],
};

for (const [name, [wanted, page]] of Object.entries(LISTS)) {
  test(`[D11] ${name}: a page of a million rows within ${PAGE_MS_MAX} ms`, async () => {
    const worst = await slowest(wanted, page);
    holdBar(`${name}: slowest of ${PAGES} pages, ms`, worst, PAGE_MS_MAX);
  });
}
