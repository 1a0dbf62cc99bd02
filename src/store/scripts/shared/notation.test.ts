/** The notation gives equivalent statements for both databases, with the right values. */

import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeBinder as makePostgresBinder } from '../../postgres/connect/dialect.ts';
import { makeBinder as makeSqliteBinder } from '../../sqlite/sql/dialect.ts';
import { makeSql } from '../../sqlite/sql/script-sql.ts';
import { makeStatements } from '../../sqlite/sql/statements.ts';
import type { Values } from './notation.ts';

const GIVEN = [
  { ticket: 't1', playerId: 'ann', isFree: true },
  { ticket: 't2', playerId: 'ben' },
];

const sqlite = (text: string, values: Values, clock?: () => number) => {
  const { text: written, runs } = makeSqliteBinder(clock)(text, values);
  expect(runs).toHaveLength(1);
  return { text: written, values: runs[0] };
};
const postgres = (text: string, values: Values) => makePostgresBinder()(text, values);

test('[STORE-N] a value may be named several times, and casts and locks are for PostgreSQL only', () => {
  const text =
    "SELECT ':a' WHERE a = :a AND (:b::text IS NULL OR b = :b) AND c > :a FOR UPDATE OF x SKIP LOCKED";
  expect(postgres(text, { a: 1, b: null })).toEqual([
    "SELECT ':a' WHERE a = $1 AND ($2::text IS NULL OR b = $2) AND c > $1 FOR UPDATE OF x SKIP LOCKED",
    1,
    null,
  ]);
  expect(sqlite(text, { a: 1, b: true })).toEqual({
    text: "SELECT ':a' WHERE a = ?1 AND (?2 IS NULL OR b = ?2) AND c > ?1 ",
    values: [1, 1],
  });
});

test('[STORE-N] SQLite ignores the order in which rows are locked, and keeps that of the result', () => {
  const rows = 'SELECT a FROM x WHERE b = :b ORDER BY x.a, b FOR UPDATE';
  expect(sqlite(`DELETE FROM x WHERE a IN (${rows})`, { b: 1 }).text).toBe(
    'DELETE FROM x WHERE a IN (SELECT a FROM x WHERE b = ?1 )',
  );
  expect(sqlite(rows, { b: 1 }).text).toBe('SELECT a FROM x WHERE b = ?1 ORDER BY x.a, b ');
  const few = rows.replace('FOR', 'LIMIT 1 FOR');
  expect(sqlite(`DELETE FROM x WHERE a IN (${few})`, { b: 1 }).text).toContain(
    'ORDER BY x.a, b LIMIT',
  );
});

test("[STORE-N] text search uses each database's function", () => {
  const text = 'strpos(body, :a) > 0';
  expect(postgres(text, { a: 'x' })).toEqual(['strpos(body, $1) > 0', 'x']);
  expect(sqlite(text, { a: 'x' })).toEqual({ text: 'instr(body, ?1) > 0', values: ['x'] });
});

test('[STORE-N] a search for several texts is one regular expression in PostgreSQL', () => {
  const text = 'holds_any(body, :a(any)) OR holds_any(mint, :a(any))';
  expect(postgres(text, { a: ['x.y', 'é|"'] })).toEqual([
    'textregexeq(body, $1) OR textregexeq(mint, $1)',
    'x\\.y|é\\|\\"',
  ]);
  expect(sqlite(text, { a: ['x.y', 'é|"'] })).toEqual({
    text: 'holds_any(body, ?1) OR holds_any(mint, ?1)',
    values: ['["x.y","é|\\""]'],
  });
});

test('[STORE-N] JSON functions get their SQLite names', () => {
  const text = "SELECT json_agg(json_build_object('a', my_json_agg) ORDER BY a)::text";
  expect(postgres(text, {})[0]).toBe(text);
  expect(sqlite(text, {}).text).toBe(
    "SELECT json_group_array(json_object('a', my_json_agg) ORDER BY a)",
  );
});

test("[STORE-N] the time is the database's own in PostgreSQL, and one value in SQLite", () => {
  const text = 'x < now_ms() - :a OR x > now_ms()';
  const now = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';
  expect(postgres(text, { a: 5 })).toEqual([`x < ${now} - $1 OR x > ${now}`, 5]);
  const told = { text: 'x < ?1 - ?2 OR x > ?1', values: [42, 5] };
  expect(sqlite(text, { a: 5 }, () => 42)).toEqual(told);
  const machines = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
  const own = { text: `x < ${machines} - ?1 OR x > ${machines}`, values: [5] };
  expect(sqlite(text, { a: 5 })).toEqual(own);
});

test('[STORE-N] a list is searched', () => {
  const text = 'x IN :ids(text) AND y NOT IN :ids(text)';
  expect(postgres(text, { ids: ['a', 'b'] })).toEqual([
    'x = ANY($1::text[]) AND y <> ALL($1::text[])',
    ['a', 'b'],
  ]);
  expect(sqlite(text, { ids: ['a', 'b'] })).toEqual({
    text: 'x IN (SELECT value FROM json_each(?1)) AND y NOT IN (SELECT value FROM json_each(?1))',
    values: ['["a","b"]'],
  });
  expect(sqlite(text, { ids: ['a'] })).toEqual({
    text: 'x IN (?1) AND y NOT IN (?1)',
    values: ['a'],
  });
});

test('[STORE-N] SQLite writes independent rows one by one', () => {
  const bind = makeSqliteBinder();
  const insert = `INSERT INTO ticket (id, holder, at, free)
    SELECT ticket, CASE WHEN given.is_free THEN :node END, :at, is_free
      FROM @given(ticket text, is_free boolean, i place) WHERE TRUE ORDER BY ticket, is_free
    ON CONFLICT (id) DO UPDATE SET at = excluded.at RETURNING ticket`;
  expect(bind(insert, { given: GIVEN, node: 'nod_a', at: 5 })).toEqual({
    text: `INSERT OR FAIL INTO ticket (id, holder, at, free) VALUES (?1, CASE WHEN ?2 THEN ?3 END, ?4, ?2) ON CONFLICT (id) DO UPDATE SET at = excluded.at RETURNING ticket`,
    runs: [
      ['t1', 1, 'nod_a', 5],
      ['t2', null, 'nod_a', 5],
    ],
  });
  const update = `UPDATE ticket SET player = given.player_id FROM @given(ticket text, player_id text)
    WHERE ticket.id = given.ticket AND ticket.player IS NULL`;
  expect(bind(update, { given: GIVEN })).toEqual({
    text: 'UPDATE OR FAIL ticket SET player = ?1 WHERE ticket.id = ?2 AND ticket.player IS NULL',
    runs: [
      ['ann', 't1'],
      ['ben', 't2'],
    ],
  });
  expect(bind(update, { given: [] }).runs).toEqual([]);
  const among = `SELECT a FROM ticket
    WHERE (id, player) IN ( SELECT ticket, player_id FROM @given(ticket text, player_id text))`;
  expect(bind(among, { given: GIVEN })).toEqual({
    text: 'SELECT a FROM ticket WHERE id = ?1 AND player = ?2',
    runs: [
      ['t1', 'ann'],
      ['t2', 'ben'],
    ],
  });
});

test('[STORE-N] SQLite returns given values for the rows that were written, if nothing else is returned', async () => {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE ticket (id TEXT PRIMARY KEY, holder TEXT, at INTEGER, free INTEGER)');
  const sql = makeSql(makeStatements(db));
  const insert = (end: string): string =>
    `INSERT INTO ticket (id, holder, at, free) SELECT ticket, player_id, :at, is_free
       FROM @given(ticket text, player_id text, is_free boolean) WHERE TRUE ORDER BY ticket ${end}`;
  const nothing = insert('ON CONFLICT (id) DO NOTHING RETURNING id, free, holder');
  const [first, second] = GIVEN;
  expect(await sql.all(nothing, { given: [second!], at: 1 })).toEqual([
    { id: 't2', free: null, holder: 'ben' },
  ]);
  expect(await sql.all(nothing, { given: GIVEN, at: 2 })).toEqual([
    { id: 't1', free: 1, holder: 'ann' },
  ]);
  expect(await sql.get(nothing, { given: [first!], at: 3 })).toBeUndefined();
  const later = insert(
    'ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, at = excluded.at WHERE ticket.at < :at RETURNING holder',
  );
  expect(await sql.all(later, { given: GIVEN, at: 2 })).toEqual([{ holder: 'ben' }]);
  // The database is asked how it parses it.
  for (const end of [
    'ON CONFLICT (id) DO UPDATE SET at = ticket.at + excluded.at RETURNING id, at',
    'ON CONFLICT (id) DO UPDATE SET at = ticket.at + excluded.at RETURNING at',
    'ON CONFLICT (id) DO UPDATE SET at = excluded.at + 1 RETURNING at',
  ]) {
    const rows = await sql.all(insert(end), { given: GIVEN, at: 10 });
    expect(rows).toEqual(
      db
        .prepare(`SELECT ${end.slice(end.indexOf('RETURNING ') + 10)} FROM ticket ORDER BY id`)
        .all() as never,
    );
  }
  db.close();
});

test('[STORE-N] SQLite gets one table of rows when a statement does more than insert them', () => {
  for (const text of [
    'INSERT INTO x (a) SELECT a FROM @given(a text) JOIN y ON y.a = given.a',
    'INSERT INTO x (a) SELECT a FROM @given(a text) WHERE a > 1',
    'INSERT INTO x (a, n) SELECT a, i + 1 FROM @given(a text, i place)',
    'INSERT INTO x (a) SELECT (SELECT b FROM y WHERE y.a = given.a) FROM @given(a text)',
    'UPDATE x SET a = given.a FROM @given(a text) JOIN y ON y.a = given.a WHERE x.a = y.b',
    'UPDATE x SET a = given.a FROM @given(a text) WHERE x.a IN (SELECT b FROM y)',
    'DELETE FROM x WHERE (a, b) IN (SELECT a, b FROM @given(a text, b text)) AND c > 1',
    'SELECT a FROM x WHERE (a, b) IN (SELECT a, b FROM @given(a text, b text)) ORDER BY a',
  ])
    expect(makeSqliteBinder()(text, { given: [{ a: 1 }, { a: 2 }, { a: 3 }] }).runs).toHaveLength(
      1,
    );
});

test('[STORE-N] rows are a table; SQLite binds one or two of them field by field', () => {
  const text =
    'SELECT * FROM @given(ticket text, player_id text, is_free boolean, i place) WHERE i > :n';
  expect(postgres(text, { given: GIVEN, n: 0 })).toEqual([
    `SELECT * FROM (SELECT ticket, player_id, is_free, place - 1 AS i FROM unnest($1::text[], $2::text[], $3::boolean[]) WITH ORDINALITY AS given (ticket, player_id, is_free, place)) AS given WHERE i > $4`,
    ['t1', 't2'],
    ['ann', 'ben'],
    [true, null],
    0,
  ]);
  const third = { ticket: 't3', playerId: 'cat', isFree: false };
  expect(sqlite(text, { given: [...GIVEN, third], n: 0 })).toEqual({
    text: 'SELECT * FROM (SELECT value ->> 0 AS ticket, value ->> 1 AS player_id, value ->> 2 AS is_free, key AS i FROM jsonb_each(?1)) AS given WHERE i > ?2',
    values: ['[["t1","ann",true],["t2","ben",null],["t3","cat",false]]', 0],
  });
  expect(sqlite(text, { given: GIVEN, n: 0 })).toEqual({
    text: 'SELECT * FROM (SELECT ?1 AS ticket, ?2 AS player_id, ?3 AS is_free, 0 AS i UNION ALL SELECT ?4 AS ticket, ?5 AS player_id, ?6 AS is_free, 1 AS i) AS given WHERE i > ?7',
    values: ['t1', 'ann', 1, 't2', 'ben', null, 0],
  });
  expect(sqlite(text, { given: GIVEN.slice(0, 1), n: 0 })).toEqual({
    text: 'SELECT * FROM (SELECT ?1 AS ticket, ?2 AS player_id, ?3 AS is_free, 0 AS i) AS given WHERE i > ?4',
    values: ['t1', 'ann', 1, 0],
  });
});

test('[STORE-N] a name without a value is refused, and so is a list in place of a value', () => {
  for (const bind of [sqlite, postgres]) {
    expect(() => bind('x = :x', {})).toThrow('names x');
    expect(() => bind('x = :x', { x: ['a'] })).toThrow('given a list');
    expect(() => bind('x IN :x(text)', { x: 'a' })).toThrow('given no list');
    expect(() => bind('SELECT * FROM @x(a)', { x: [] })).toThrow('no type');
  }
});

// `nodes.test.ts` shows what a nested loop does to such a subquery.
test('[STORE-PG5] a script locks rows up to a limit in a WITH, not in a subquery', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /[\\/][\w-]+\.ts$/.test(name),
  );
  const limited = /(\w+) \(\s*SELECT[^`]*?\bLIMIT\b[^`)]*\bFOR UPDATE\b/g;
  const found = files.flatMap((name) =>
    [...readFileSync(join(folder, name), 'utf8').matchAll(limited)].map(([, before]) => [
      name,
      before,
    ]),
  );
  expect(found.length).toBeGreaterThan(4);
  expect(found.filter(([, before]) => before !== 'AS')).toEqual([]);
});
