/** Verification of an ended session detects a change of any column of its rows. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import pg from 'pg';
import { shippedGames } from '../../games/registry.ts';
import { foldLog } from '../../runtime/host/fold.ts';
import type { PlayerCommand } from '../../runtime/host/player-work.ts';
import type { Subscriber } from '../../runtime/host/work.ts';
import { verifyLog } from '../../runtime/sessions/verify-log.ts';
import { extendChain, startChain } from '../../runtime/signing/log-chain.ts';
import { makeSeals } from '../../runtime/signing/seals.ts';
import { makeSigner } from '../../runtime/signing/signer.ts';
import { openPostgresStore } from '../../store/postgres/postgres-store.ts';
import { migratedDatabase } from '../../testing/servers/migrated-database.ts';
import { isPostgresHere } from '../../testing/servers/postgres.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import { testSigner } from '../../testing/test-seals.ts';

setDefaultTimeout(60_000);

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

/** An attacker with access to the database. */
interface Shell {
  all(sql: string): Promise<Row[]>;
  close(): Promise<void>;
}

/**
 * The columns named in `covers.notCovered`: when it wakes, its owner, its index, its rematch,
 * names.
 */
const NOT_COVERED: Readonly<Record<string, readonly string[]>> = {
  session: [
    'wake_at',
    'holder',
    'due_node',
    'metadata_indexed',
    'next_session',
    'rematch',
    'rated',
  ],
  seat: [],
  log: [],
  player: ['tenant', 'world', 'display_name', 'created_at', 'erased_at'],
};

const sqlOf = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** Another value that the column can hold. */
function otherThan(value: Value, column: string): Value {
  if (typeof value === 'string')
    return column === 'record' ? value.replace(/^\{/, '{"x":1,') : `${value}x`;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return column === 'is_bot' ? 1 - value : value + 1;
  return /_at$/.test(column) ? 1 : 'x';
}

const whereOf = (row: Row, keys: readonly string[]): string =>
  keys.map((key) => `${key} = ${sqlOf(row[key]!)}`).join(' AND ');

async function play(http: HttpService, session: string): Promise<void> {
  const seats = [0, 1].map(
    (viewer): Subscriber => ({ viewer, player: null, send: () => {}, lost: () => {} }),
  );
  for (const seat of seats) {
    await new Promise<void>((done) => http.host.attach(session, seat, () => done()));
  }
  for (const [i, position] of [0, 3, 1, 4, 2].entries()) {
    http.clock.advance(1_000);
    const command: PlayerCommand = { kind: 'act', id: `m${i}`, action: { position } };
    await new Promise<void>((done) =>
      http.host.play(session, i % 2, command, { ...seats[i % 2]!, send: () => done() }),
    );
  }
  for (const seat of seats) http.host.detach(session, seat);
}

/**
 * Changes each column of each row in turn, and restores it. Returns the changes that were not
 * detected.
 */
async function listUnnoticed(
  shell: Shell,
  ask: Asking,
  session: string,
): Promise<readonly string[]> {
  const verify = async () => {
    const { status, json } = await ask(`/v1/sessions/${session}/verify`, { body: {} });
    return status === 200 && json.ok === true;
  };
  expect(await verify()).toBe(true);
  const id = sqlOf(session);
  const tables = [
    { table: 'session', keys: ['id'], rows: `id = ${id}` },
    { table: 'seat', keys: ['session', 'seat'], rows: `session = ${id}` },
    { table: 'log', keys: ['session', 'v'], rows: `session = ${id}` },
    {
      table: 'player',
      keys: ['ref'],
      rows: `ref IN (SELECT player FROM seat WHERE session = ${id})`,
    },
  ];
  const unnoticed = new Set<string>();
  for (const { table, keys, rows } of tables) {
    for (const row of await shell.all(`SELECT * FROM ${table} WHERE ${rows}`)) {
      for (const column of Object.keys(row)) {
        const changed = { ...row, [column]: otherThan(row[column]!, column) };
        if (table === 'log' && column === 'v') changed['v'] = 1_000 + Number(row['v']);
        if (table === 'seat' && column === 'seat') changed['seat'] = 7;
        const write = (to: Row, at: Row) =>
          shell.all(
            `UPDATE ${table} SET ${column} = ${sqlOf(to[column]!)} WHERE ${whereOf(at, keys)}`,
          );
        await write(changed, row);
        if (await verify()) unnoticed.add(`${table}.${column}`);
        await write(row, changed);
      }
    }
  }
  expect(await verify()).toBe(true);
  return [...unnoticed].sort();
}

const STORES = [
  { name: 'SQLite', isHere: () => true, open: openOnSqlite },
  { name: 'PostgreSQL', isHere: isPostgresHere, open: openOnPostgres },
] as const;

async function openOnSqlite(): Promise<{ http: HttpService; shell: Shell }> {
  const http = await openHttpService();
  const shell = {
    all: async (sql: string) => http.db.prepare(sql).all() as Row[],
    close: async () => {},
  };
  return { http, shell };
}

async function openOnPostgres(): Promise<{ http: HttpService; shell: Shell }> {
  const url = await migratedDatabase();
  const http = await openHttpService(
    {},
    {},
    {},
    await openPostgresStore({ url, node: 'nod_test' }),
  );
  const client = new pg.Client({ connectionString: url });
  // Times are numbers here, too.
  client.setTypeParser(20, Number);
  await client.connect();
  return {
    http,
    shell: { all: async (sql) => (await client.query(sql)).rows, close: () => client.end() },
  };
}

/** An ended match of ann and ben, to be verified by its tenant. */
async function openEnded({ http, shell }: { http: HttpService; shell: Shell }) {
  const key = await http.makeKey(await http.makeTenant(), 'test');
  const ask = makeAsking(http.app, key);
  const body = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
  const { sessionId: id } = (await ask('/v1/sessions', { body })).json as { sessionId: string };
  const verify = async () => (await ask(`/v1/sessions/${id}/verify`, { body: {} })).json;
  return { http, shell, ask, id, verify };
}

async function withEnded(run: (match: Awaited<ReturnType<typeof openEnded>>) => Promise<void>) {
  const opened = await openOnSqlite();
  try {
    await run(await openEnded(opened));
  } finally {
    await opened.shell.close();
    await opened.http.close();
  }
}

test('[S7b] the end of a running session is not sealed yet, and that of an ended one is', () =>
  withEnded(async ({ http, id, verify }) => {
    expect(await verify()).toMatchObject({ ok: true, seal: { state: 'not_ended', keyId: null } });
    expect((await verify()).covers.signature).toEqual([]);
    await play(http, id);
    const sealed = await verify();
    expect(sealed).toMatchObject({ ok: true, seal: { state: 'sealed', keyId: testSigner.keyId } });
    expect(sealed.covers.signature).toContainEqual(expect.stringContaining('who was a bot'));
    expect(sealed.covers.notCovered).toContainEqual(expect.stringContaining('display names'));
  }));

test('[S7b] players who exchange seats, in the rows of seats or of players, are detected', () =>
  withEnded(async ({ http, id, verify, shell }) => {
    await play(http, id);
    const wrong = { ok: false, v: null, error: expect.stringContaining('Seat 0') };
    const rows = await shell.all(`SELECT seat, player FROM seat WHERE session = '${id}'`);
    const seatAt = (shift: number) =>
      Promise.all(
        rows.map(({ seat }, i) =>
          shell.all(
            `UPDATE seat SET player = ${sqlOf(rows[(i + shift) % 2]!['player']!)}
             WHERE session = '${id}' AND seat = ${seat}`,
          ),
        ),
      );
    await seatAt(1);
    expect(await verify()).toMatchObject({ ...wrong, seal: { state: 'changed' } });
    await seatAt(0);
    expect(await verify()).toMatchObject({ ok: true });
    const rename = (from: string, to: string) =>
      shell.all(`UPDATE player SET player_id = '${to}' WHERE player_id = '${from}'`);
    for (const [from, to] of [
      ['ann', 'x'],
      ['ben', 'ann'],
      ['x', 'ben'],
    ] as const)
      await rename(from, to);
    expect(await verify()).toMatchObject({ ...wrong, seal: { state: 'changed' } });
  }));

test('[S7b] a seal that is truncated, another’s, or made with another key is detected', () =>
  withEnded(async ({ http, ask, id, verify, shell }) => {
    await play(http, id);
    const { seal } = (await shell.all(`SELECT seal FROM session WHERE id = '${id}'`))[0]!;
    const put = (text: Value) =>
      shell.all(`UPDATE session SET seal = ${sqlOf(text)} WHERE id = '${id}'`);
    await put(null);
    expect(await verify()).toMatchObject({ ok: false, v: null, seal: { state: 'missing' } });
    const stored = (await http.store.loadSession(id))!;
    const forger = makeSeals(makeSigner([new Uint8Array(32).fill(8)]), 0);
    const session = foldLog(shippedGames, id, stored.entries).session;
    const head = extendChain(startChain(stored.row), stored.entries);
    await put(forger.make({ row: stored.row, roster: stored.roster, session, head }));
    expect(await verify()).toMatchObject({ ok: false, seal: { state: 'unknown_key' } });
    const body = { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] };
    const { sessionId: other } = (await ask('/v1/sessions', { body })).json;
    await play(http, other);
    await put((await shell.all(`SELECT seal FROM session WHERE id = '${other}'`))[0]!['seal']!);
    expect(await verify()).toMatchObject({ ok: false, seal: { state: 'changed' } });
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const fields = '"format":1,"signature":{"keyId":"","value":""}';
    const noSeals = ['', '{', 'null', '[]', '{}', `{${fields},"seats":${deep}}`, `{${fields}}`];
    for (const text of noSeals) {
      await put(text);
      expect(await verify()).toMatchObject({ ok: false, seal: { state: 'changed' } });
    }
    await put(seal!);
    expect(await verify()).toMatchObject({ ok: true });
  }));

test('[S7b] a session that ended before there were seals is verified as before', () =>
  withEnded(async ({ http, id, verify, shell }) => {
    await play(http, id);
    await shell.all(`UPDATE session SET seal = NULL WHERE id = '${id}'`);
    const later = makeSeals(testSigner, http.clock.now() + 1);
    const stored = (await http.store.loadSession(id))!;
    expect(await verifyLog({ seals: later, games: shippedGames }, stored)).toMatchObject({
      ok: true,
      seal: { state: 'not_sealed' },
    });
    expect(await verify()).toMatchObject({ ok: false, seal: { state: 'missing' } });
  }));

test('[S7b][R2] an erased player leaves nothing to guess, and verify says which player is not compared', () =>
  withEnded(async ({ http, ask, id, verify, shell }) => {
    await play(http, id);
    expect((await ask('/v1/players/ann', { method: 'DELETE' })).status).toBe(200);
    const found = await verify();
    expect(found).toMatchObject({ ok: true, seal: { state: 'sealed' } });
    expect(found.covers.notCovered).toContain('player of seat 0: erased');
    const { seal } = (await shell.all(`SELECT seal FROM session WHERE id = '${id}'`))[0]!;
    expect(String(seal)).not.toContain('ann');
    await shell.all(`UPDATE player SET player_id = 'eve' WHERE player_id IS NULL`);
    expect(await verify()).toMatchObject({ ok: false, seal: { state: 'changed' } });
  }));

for (const { name, isHere, open } of STORES) {
  test.skipIf(!isHere())(
    `[S7b] on ${name} verify detects each change of an ended session`,
    async () => {
      const { http, shell } = await open();
      try {
        const ask = makeAsking(http.app, await http.makeKey(await http.makeTenant(), 'test'));
        const players = ['ann', 'ben'].map((id) => ({ id, displayName: `${id}!` }));
        const body = { game: 'tictactoe', players, metadata: { table: 'one' } };
        const { sessionId } = (await ask('/v1/sessions', { body })).json;
        await play(http, sessionId);
        const unnoticed = await listUnnoticed(shell, ask, sessionId);
        const documented = Object.entries(NOT_COVERED).flatMap(([table, columns]) =>
          columns.map((column) => `${table}.${column}`),
        );
        expect(unnoticed.filter((each) => !documented.includes(each))).toEqual([]);
      } finally {
        await shell.close();
        await http.close();
      }
    },
  );
}
