/** Statements are read alike for both databases, and asked with what was given. */

import { expect, test } from 'bun:test';
import { makeBinder as makePostgresBinder } from '../postgres/dialect.ts';
import { makeBinder as makeSqliteBinder } from '../sqlite/dialect.ts';
import type { Values } from './notation.ts';

const GIVEN = [
  { ticket: 't1', playerId: 'ann', isFree: true },
  { ticket: 't2', playerId: 'ben' },
];

const sqlite = (text: string, values: Values) => makeSqliteBinder()(text, values);
const postgres = (text: string, values: Values) => makePostgresBinder()(text, values);

test("[STORE-N] a value stands for itself wherever it is named, and casts and locks are PostgreSQL's", () => {
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

test("[STORE-N] a text is looked for by each database's function", () => {
  const text = 'strpos(body, :a) > 0';
  expect(postgres(text, { a: 'x' })).toEqual(['strpos(body, $1) > 0', 'x']);
  expect(sqlite(text, { a: 'x' })).toEqual({ text: 'instr(body, ?1) > 0', values: ['x'] });
});

test('[STORE-N] several texts are looked for as one regular expression in PostgreSQL', () => {
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

test('[STORE-N] functions that make JSON are given their names in SQLite', () => {
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
  const bind = makeSqliteBinder(() => 42);
  expect(bind(text, { a: 5 })).toEqual({ text: 'x < ?1 - ?2 OR x > ?1', values: [42, 5] });
  const machines = "CAST(round(unixepoch('subsec') * 1000) AS INTEGER)";
  const own = { text: `x < ${machines} - ?1 OR x > ${machines}`, values: [5] };
  expect(sqlite(text, { a: 5 })).toEqual(own);
});

test('[STORE-N] a list is looked through', () => {
  const text = 'x IN :ids(text) AND y NOT IN :ids(text)';
  expect(postgres(text, { ids: ['a', 'b'] })).toEqual([
    'x = ANY($1::text[]) AND y <> ALL($1::text[])',
    ['a', 'b'],
  ]);
  expect(sqlite(text, { ids: ['a', 'b'] })).toEqual({
    text: 'x IN (SELECT value FROM json_each(?1)) AND y NOT IN (SELECT value FROM json_each(?1))',
    values: ['["a","b"]'],
  });
});

test('[STORE-N] rows are a table; one or two of them are bound field by field in SQLite', () => {
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

test('[STORE-N] what is named and not given is refused, and so is a list where a value stands', () => {
  for (const bind of [sqlite, postgres]) {
    expect(() => bind('x = :x', {})).toThrow('names x');
    expect(() => bind('x = :x', { x: ['a'] })).toThrow('given a list');
    expect(() => bind('x IN :x(text)', { x: 'a' })).toThrow('given no list');
    expect(() => bind('SELECT * FROM @x(a)', { x: [] })).toThrow('no type');
  }
});
