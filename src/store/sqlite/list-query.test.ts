/** Lists of sessions are read in their order by an index, never sorted: each filter's plan. */

import { afterAll, expect, test } from 'bun:test';
import { DatabaseSync } from 'node:sqlite';
import type { ModeFilter } from '../rows/session-lists.ts';
import { listQuery } from './list-query.ts';
import { migrate } from './migrate.ts';

const db = new DatabaseSync(':memory:');
migrate(db);
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
  const { sql, values } = listQuery({ ...filter, ...fields }, isRare);
  const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values);
  return rows.map((row) => String(row['detail'])).join(' + ');
}

test('[STORE-SQ5] a list walks the index of its mode from the newest on', () => {
  const all: Partial<ModeFilter>[] = [{}, { status: 'ended' }, { createdFrom: 1, createdTo: 2 }];
  for (const fields of all) {
    const plan = 'SEARCH session USING INDEX session_list (tenant=? AND mode=?)';
    expect(planOf(fields)).toBe(plan);
    expect(planOf({ ...fields, before: 'ses_1' })).toBe(plan.replace(')', ' AND id<?)'));
  }
});

test('[STORE-SQ5] a game that is seldom played is found without walking past the others', () => {
  for (const fields of [{}, { status: 'ended' }] as const) {
    const plan = 'SEARCH session USING INDEX session_game (tenant=? AND mode=? AND game=?)';
    expect(planOf({ game: 'pool', ...fields })).toBe(plan);
    const before = { before: 'ses_1', notBefore: 'ses_0' };
    expect(planOf({ game: 'pool', ...fields, ...before })).toBe(
      plan.replace(')', ' AND id>? AND id<?)'),
    );
  }
});

test('[STORE-SQ5] sessions under way are found without walking past those that have ended', () => {
  for (const status of ['pending', 'active'] as const) {
    expect(planOf({ status })).toMatch(/^SEARCH session USING INDEX session_open [^+]*$/);
    expect(planOf({ status, game: 'pool' })).toBe(
      'SEARCH session USING INDEX session_open_game (tenant=? AND mode=? AND game=?)',
    );
  }
});

test("[STORE-SQ5] a player's sessions are found by the player", () => {
  for (const fields of [{}, { before: 'ses_1' }, { status: 'active' }] as const) {
    const plan = planOf({ playerId: 'ann', ...fields });
    expect(plan).toMatch(/^SEARCH seat USING COVERING INDEX seat_player /);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  }
});

const metadata = { key: 'orderId', value: '77' };

test('[STORE-SQ5] sessions with metadata are found by it, whatever else is asked, where they are few', () => {
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

test('[STORE-SQ5] where they are many, the few of a player or under way are looked at', () => {
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
