/**
 * The cost of a script's form: `bun bench/stores/script-forms.ts`. Records appended and tickets
 * promoted by the same statements, written by hand, as a generator, as an async function whose port
 * answers synchronously, and a set of rows at a time; in SQLite without a flush (its thread's own
 * time), and in PostgreSQL. In turns, medians (decision 0040).
 */

import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { openDatabase } from '../../src/store/postgres/connect/database.ts';
import type { Sql } from '../../src/store/postgres/connect/sql.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { type Column, makeSpread, makeTable } from '../report.ts';

const BATCH = 64;
const ROUNDS = 9;
const BATCHES_A_ROUND = 60;
const US_A_MS = 1_000;
const AT = Date.UTC(2026, 10, 26);
const RECORD = JSON.stringify({ k: 'action', seat: 0, id: 'p8-1', action: { position: 2 } });

const TABLES = `
  CREATE TABLE log (session TEXT NOT NULL, v INTEGER NOT NULL, at BIGINT NOT NULL, record TEXT NOT NULL,
    PRIMARY KEY (session, v));
  CREATE TABLE ticket (id TEXT PRIMARY KEY, status TEXT NOT NULL, group_id TEXT, place BIGINT);
  CREATE TABLE ticket_player (ticket TEXT NOT NULL, place INTEGER NOT NULL, player TEXT NOT NULL,
    forming INTEGER NOT NULL, PRIMARY KEY (ticket, place));
  CREATE TABLE counter (name TEXT PRIMARY KEY, n BIGINT NOT NULL);`;

const APPEND =
  'INSERT INTO log (session, v, at, record) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING';
const PROMOTE = {
  find: 'SELECT status FROM ticket WHERE id = ?1',
  close: 'UPDATE ticket_player SET forming = 0 WHERE ticket = ?1',
  count: `INSERT INTO counter (name, n) VALUES ('pool', ?1)
    ON CONFLICT (name) DO UPDATE SET n = counter.n + excluded.n RETURNING n`,
  write: "UPDATE ticket SET status = 'promoted', group_id = ?2, place = ?3 WHERE id = ?1",
};
/** The same for several: `ids` is a list, `given` a table of rows. */
const ofMany = (ids: string, records: string, promoted: string) => ({
  append: `INSERT INTO log (session, v, at, record) SELECT session, v, at, record FROM ${records} WHERE TRUE
    ON CONFLICT DO NOTHING`,
  find: `SELECT id, status FROM ticket WHERE id IN (${ids}) ORDER BY id`,
  close: `UPDATE ticket_player SET forming = 0 WHERE ticket IN (${ids})`,
  write: `UPDATE ticket SET status = 'promoted', group_id = given.group_id, place = given.place
    FROM ${promoted} WHERE ticket.id = given.id`,
});

let count = 0;

function makeRecords(): SQLInputValue[][] {
  return Array.from({ length: BATCH }, () => {
    count += 1;
    return [`ses_${(count * 7_919) % 9_973}`, count, AT, RECORD];
  });
}

function makeTickets(): string[] {
  return Array.from({ length: BATCH }, () => {
    count += 1;
    return `tkt_${String(count).padStart(9, '0')}`;
  });
}

/** How a batch is done; `prepare` is not timed. */
interface Form {
  readonly name: string;
  readonly prepare: () => Promise<() => Promise<unknown>>;
}

const COLUMNS: readonly Column[] = [
  { title: 'form', align: 'left' },
  { title: 'µs (least–most)', align: 'right' },
];

/** Medians of the rounds, microseconds a record or ticket. */
async function compare(title: string, forms: readonly Form[]): Promise<void> {
  const taken = new Map<string, number[]>(forms.map(({ name }) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, prepare } of forms) {
      let ms = 0;
      for (let batch = 0; batch < BATCHES_A_ROUND; batch++) {
        const act = await prepare();
        const from = performance.now();
        await act();
        ms += performance.now() - from;
      }
      // The first rounds warm up.
      if (round >= 2) taken.get(name)!.push((ms * US_A_MS) / (BATCHES_A_ROUND * BATCH));
    }
  }
  const rows = [...taken].map(([name, figures]) => [name, makeSpread(figures)]);
  console.log(`\n${title}\n${makeTable(COLUMNS, rows)}`);
}

// ── SQLite ─────────────────────────────────────────────────────────────────────────────────────

type Ask = readonly [text: string, values: readonly SQLInputValue[]];
type Steps = Generator<Ask, void, Record<string, unknown>[]>;

function openSqlite(folder: string) {
  const db = new DatabaseSync(join(folder, 'forms.db'));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${TABLES}`);
  const prepared = new Map<string, StatementSync>();
  const all = (text: string, ...values: readonly SQLInputValue[]) => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    return statement.all(...values) as Record<string, unknown>[];
  };
  const within = async (act: () => unknown): Promise<void> => {
    db.exec('BEGIN');
    await act();
    db.exec('COMMIT');
  };
  return { db, all, within };
}

function* appendSteps(records: readonly SQLInputValue[][]): Steps {
  for (const record of records) yield [APPEND, record];
}

function* promoteSteps(ids: readonly string[]): Steps {
  for (const id of ids) {
    const [found] = yield [PROMOTE.find, [id]];
    if (found!['status'] !== 'forming') continue;
    yield [PROMOTE.close, [id]];
    const [counted] = yield [PROMOTE.count, [1]];
    yield [PROMOTE.write, [id, `grp_${id}`, counted!['n'] as number]];
  }
}

async function measureSqlite(folder: string): Promise<void> {
  const { db, all, within } = openSqlite(folder);
  const drive = (steps: Steps): void => {
    for (let step = steps.next(); !step.done; )
      step = steps.next(all(step.value[0], ...step.value[1]));
  };
  const ask = async ([text, values]: Ask) => all(text, ...values);
  const follow = async (steps: Steps): Promise<void> => {
    for (let step = steps.next(); !step.done; ) step = steps.next(await ask(step.value));
  };
  const json = (columns: readonly string[]): string =>
    `(SELECT ${columns.map((name, i) => `value ->> ${i} AS ${name}`).join(', ')} FROM json_each(?1)) AS given`;
  const many = ofMany(
    'SELECT value FROM json_each(?1)',
    json(['session', 'v', 'at', 'record']),
    json(['id', 'group_id', 'place']),
  );
  const promoteSet = async (ids: readonly string[]): Promise<void> => {
    const found = await ask([many.find, [JSON.stringify(ids)]]);
    const open = found.filter(({ status }) => status === 'forming').map(({ id }) => String(id));
    await ask([many.close, [JSON.stringify(open)]]);
    const [counted] = await ask([PROMOTE.count, [open.length]]);
    const last = counted!['n'] as number;
    const rows = open.map((id, i) => [id, `grp_${id}`, last - i]);
    await ask([many.write, [JSON.stringify(rows)]]);
  };
  const append = (name: string, act: (records: SQLInputValue[][]) => unknown): Form => ({
    name,
    async prepare() {
      const records = makeRecords();
      return () => within(() => act(records));
    },
  });
  await compare('SQLite, a record appended', [
    append('by hand', (records) => {
      for (const record of records) all(APPEND, ...record);
    }),
    append('generator', (records) => drive(appendSteps(records))),
    append('async', (records) => follow(appendSteps(records))),
    append('async, a set', (records) => ask([many.append, [JSON.stringify(records)]])),
  ]);
  const promote = (name: string, act: (ids: string[]) => unknown): Form => ({
    name,
    async prepare() {
      const ids = makeTickets();
      await within(() => {
        for (const id of ids) {
          all("INSERT INTO ticket (id, status) VALUES (?1, 'forming')", id);
          for (const place of [0, 1])
            all('INSERT INTO ticket_player VALUES (?1, ?2, ?1, 1)', id, place);
        }
      });
      return () => within(() => act(ids));
    },
  });
  await compare('SQLite, a ticket promoted', [
    promote('generator', (ids) => drive(promoteSteps(ids))),
    promote('async', (ids) => follow(promoteSteps(ids))),
    promote('async, a set', promoteSet),
  ]);
  db.close();
}

// ── PostgreSQL ─────────────────────────────────────────────────────────────────────────────────

async function measurePostgres(): Promise<void> {
  const server = await startPostgres();
  const db = openDatabase({
    url: await server.createDatabase(),
    max: 1,
    name: 'forms',
    onHead() {},
  });
  const within = (act: (sql: Sql) => Promise<unknown>) => db.transaction(act);
  for (const text of TABLES.split(';').slice(0, -1)) await db.run(text);
  const positional = (text: string): string => text.replaceAll('?', '$');
  const many = ofMany(
    'SELECT unnest($1::text[])',
    'unnest($1::text[], $2::int[], $3::bigint[], $4::text[]) AS given (session, v, at, record)',
    'unnest($1::text[], $2::text[], $3::bigint[]) AS given (id, group_id, place)',
  );
  const columnsOf = (rows: readonly SQLInputValue[][]) =>
    rows[0]!.map((_, i) => rows.map((row) => row[i] as string | number));
  const append = (
    name: string,
    act: (sql: Sql, records: SQLInputValue[][]) => Promise<unknown>,
  ): Form => ({
    name,
    async prepare() {
      const records = makeRecords();
      return () => within((sql) => act(sql, records));
    },
  });
  await compare('PostgreSQL, a record appended', [
    append('async', async (sql, records) => {
      for (const record of records) await sql.run(positional(APPEND), ...(record as string[]));
    }),
    append('async, a set', (sql, records) => sql.run(many.append, ...columnsOf(records))),
  ]);
  const promote = (name: string, act: (sql: Sql, ids: string[]) => Promise<unknown>): Form => ({
    name,
    async prepare() {
      const ids = makeTickets();
      await db.run("INSERT INTO ticket (id, status) SELECT unnest($1::text[]), 'forming'", ids);
      await db.run(
        'INSERT INTO ticket_player SELECT id, 0, id, 1 FROM unnest($1::text[]) AS id',
        ids,
      );
      return () => within((sql) => act(sql, ids));
    },
  });
  await compare('PostgreSQL, a ticket promoted', [
    promote('async', async (sql, ids) => {
      for (const id of ids) {
        await sql.get(`${positional(PROMOTE.find)} FOR UPDATE`, id);
        await sql.run(positional(PROMOTE.close), id);
        const { n } = (await sql.get(positional(PROMOTE.count), 1))!;
        await sql.run(positional(PROMOTE.write), id, `grp_${id}`, n as number);
      }
    }),
    promote('async, a set', async (sql, ids) => {
      await sql.all(`${many.find} FOR UPDATE`, ids);
      await sql.run(many.close, ids);
      const { n } = (await sql.get(positional(PROMOTE.count), ids.length))!;
      const places = ids.map((_, i) => Number(n) - i);
      await sql.run(many.write, ids, ids, places);
    }),
  ]);
  await db.close();
  await server.stop();
}

const folder = makeTempFolder();
await measureSqlite(folder);
removeFolder(folder);
await measurePostgres();
