/** Lists of sessions are read in index order, never sorted: the plan of each filter. */

import { afterAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import type { ModeFilter } from '../../rows/session-lists.ts';
import { listQuery, makeSessionListStore } from '../../scripts/sessions/session-lists.ts';
import { loopTurn } from '../../shared/loop-turn.ts';
import { migrate } from '../file/migrate.ts';
import { makeBinder, SQLITE } from '../sql/dialect.ts';
import { makeSql } from '../sql/script-sql.ts';
import { makeStatements } from '../sql/statements.ts';

const db = new DatabaseSync(':memory:');
migrate(db);
const bind = makeBinder();
afterAll(() => db.close());

const filter: ModeFilter = {
  tenant: 'ten_a',
  mode: 'live',
  game: null,
  status: null,
  playerId: null,
  createdFrom: null,
  createdTo: null,
  before: null,
  limit: 50,
};

function planOf(fields: Partial<ModeFilter>, isRare = false): string {
  const { text, values } = listQuery({ ...filter, ...fields }, isRare, SQLITE);
  const bound = bind(text, values);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${bound.text}`).all(...bound.runs[0]!);
  return rows.map((row) => String(row['detail'])).join(' + ');
}

test('[STORE-SQ5] a list reads the index of its mode from the newest on', () => {
  const all: Partial<ModeFilter>[] = [{}, { status: 'ended' }, { createdFrom: 1, createdTo: 2 }];
  for (const fields of all) {
    const plan = 'SEARCH session USING INDEX session_list (tenant=? AND mode=?)';
    expect(planOf(fields)).toBe(plan);
    expect(planOf({ ...fields, before: 'ses_1' })).toBe(plan.replace(')', ' AND id<?)'));
  }
});

test('[STORE-SQ5] a rarely played game is found without reading the others', () => {
  for (const fields of [{}, { status: 'ended' }] as const) {
    const plan = 'SEARCH session USING INDEX session_game (tenant=? AND mode=? AND game=?)';
    expect(planOf({ game: 'pool', ...fields })).toBe(plan);
    const before = { before: 'ses_1', notBefore: 'ses_0' };
    expect(planOf({ game: 'pool', ...fields, ...before })).toBe(
      plan.replace(')', ' AND id>? AND id<?)'),
    );
  }
});

test('[STORE-SQ5] open sessions are found without reading ended ones', () => {
  for (const status of ['pending', 'active'] as const) {
    expect(planOf({ status })).toMatch(/^SEARCH session USING INDEX session_open [^+]*$/);
    expect(planOf({ status, game: 'pool' })).toBe(
      'SEARCH session USING INDEX session_open_game (tenant=? AND mode=? AND game=?)',
    );
  }
});

test("[STORE-SQ5] a player's sessions are found through the player", () => {
  for (const fields of [{}, { before: 'ses_1' }, { status: 'active' }] as const) {
    const plan = planOf({ playerId: 'ann', ...fields });
    expect(plan).toMatch(/^SEARCH seat USING COVERING INDEX seat_player /);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

const metadata = { key: 'orderId', value: '77' };

test('[STORE-SQ5] sessions with rare metadata are found through it, whatever else is filtered', () => {
  const all: Partial<ModeFilter>[] = [
    {},
    { status: 'ended' },
    { status: 'active' },
    { playerId: 'ann' },
  ];
  for (const fields of all) {
    const plan = planOf({ metadata, game: 'pool', before: 'ses_1', ...fields }, true);
    expect(plan).toMatch(
      /^SEARCH pairs USING PRIMARY KEY \(tenant=\? AND mode=\? AND pair=\? AND game=\? AND session<\?\)/,
    );
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

test('[STORE-SQ5] with common metadata, the few sessions of a player or open ones are examined', () => {
  expect(planOf({ metadata, game: 'pool' })).toMatch(/^SEARCH pairs USING PRIMARY KEY /);
  expect(planOf({ metadata, status: 'active' })).toMatch(
    /^SEARCH session USING INDEX session_open /,
  );
  expect(planOf({ metadata, playerId: 'ann' })).toMatch(
    /^SEARCH seat USING COVERING INDEX seat_player /,
  );
  for (const fields of [{ game: 'pool' }, { status: 'active' }, { playerId: 'ann' }] as const) {
    expect(planOf({ metadata, ...fields })).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

/** More than are examined one by one. */
const SEATS = 20_500;

test('[STORE-SQ5] open sessions are found through the seats, for a player of very many through the open ones', async () => {
  const id = "'ses_' || printf('%05d', n)";
  const rows = `WITH RECURSIVE rows (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${SEATS})`;
  db.exec(`INSERT INTO player (ref, tenant, world, player_id, created_at)
    VALUES ('ply_a', 'ten_a', 'live', 'ann', 0), ('ply_b', 'ten_a', 'live', 'ben', 0)`);
  db.exec(`${rows} INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at,
      metadata_indexed)
    SELECT ${id}, 'ten_a', iif(n % 200 = 0, 'live', 'test'), 'pool', 'private', 'standard',
      iif(n % 100 = 0, 'pending', 'ended'), 'A', 0, 1 FROM rows`);
  db.exec(
    `${rows} INSERT INTO seat (session, seat, player, is_bot) SELECT ${id}, 0, 'ply_a', 0 FROM rows`,
  );
  db.exec(`${rows} INSERT INTO seat (session, seat, player, is_bot) SELECT ${id}, 1, 'ply_b', 0 FROM rows
    WHERE n > 20000`);
  const statements = makeStatements(db);
  const plans: string[] = [];
  const all: typeof statements.all = (text, ...values) => {
    const explained = db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    plans.push(...explained.map(({ detail }) => String(detail)));
    return statements.all(text, ...values);
  };
  const { listOpenSessionsOf } = makeSessionListStore({
    sql: makeSql({ ...statements, all }),
    dialect: SQLITE,
    turn: loopTurn,
    gather: (read) => async (ask) => (await read([ask]))[0]!,
    write: () => Promise.reject(new Error('a list writes nothing')),
  });
  const idsAfter = (from: number) =>
    Array.from({ length: SEATS }, (_, i) => i + 1)
      .filter((n) => n % 200 === 0 && n > from)
      .map((n) => `ses_${String(n).padStart(5, '0')}`);
  expect(await listOpenSessionsOf('ten_a', 'live', 'ann')).toEqual(idsAfter(0));
  expect(await listOpenSessionsOf('ten_a', 'live', 'ben')).toEqual(idsAfter(20_000));
  expect(await listOpenSessionsOf('ten_a', 'live', 'nobody')).toEqual([]);
  expect(await listOpenSessionsOf('ten_b', 'live', 'ann')).toEqual([]);
  expect(plans.join(' + ')).not.toMatch(/SCAN (session|seat|player)|TEMP B-TREE/);
  expect(plans.filter((step) => /^SEARCH session USING INDEX (?!session_open)/.test(step))).toEqual(
    [],
  );
});
