/** `matchd tenants delete`, killed at any moment, and while a service starts or hangs. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { createMatchd } from '../../../sdk/src/server/index.ts';
import { makeIds } from '../../runtime/ids.ts';
import { makeSystemClock, systemRandomness } from '../../runtime/system.ts';
import { created, entryOf, seatOf } from '../../store/contract/stage.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/whole-store.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd, matchdCommand } from '../matchd.test-kit.ts';
import { deleteTenant } from './tenant-delete.ts';

setDefaultTimeout(180_000);

/** Enough that a kill lands in the middle: a step takes 50. */
const SESSIONS = 20_000;
const RECORDS = 4;

let matchd: Matchd;
let dataDir: string;
let running: { kill(): void | Promise<void> }[];
beforeEach(() => {
  matchd = makeMatchd();
  dataDir = path.join(matchd.folder, '.matchd');
  running = [];
});
afterEach(async () => {
  for (const each of running) await each.kill();
  matchd.close();
});

const fileOf = (name: string): string => path.join(matchd.folder, name);

function withDatabase<T>(act: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(path.join(dataDir, 'matchd.db'));
  db.exec('PRAGMA busy_timeout = 5000');
  try {
    return act(db);
  } finally {
    db.close();
  }
}

const countOf = (sql: string): number =>
  withDatabase((db) => Number(db.prepare(`SELECT count(*) AS n FROM ${sql}`).get()?.['n']));

/** Creates a tenant with many matches, and returns its id. */
async function fill(slug: string, sessions: number): Promise<string> {
  await matchd.json('tenants', 'create', '--name', slug);
  await matchd.json('keys', 'create', '--tenant', slug, '--mode', 'live');
  const { id } = (await matchd.json('tenants', 'show', slug)) as { readonly id: string };
  withDatabase((db) => {
    const row = `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at)
      VALUES (?, ?, 'live', 'tictactoe', 'private', 'standard', 'ended', 'ABCDEF', 1)`;
    const session = db.prepare(row);
    const log = db.prepare("INSERT INTO log (session, v, at, record) VALUES (?, ?, 1, '{}')");
    const seat = db.prepare('INSERT INTO seat (session, seat, player, is_bot) VALUES (?, 0, ?, 0)');
    db.exec('BEGIN');
    for (let n = 0; n < sessions; n++) {
      const name = `ses_${slug}_${String(n).padStart(6, '0')}`;
      session.run(name, id);
      for (let v = 0; v < RECORDS; v++) log.run(name, v);
      seat.run(name, `ply_${slug}`);
    }
    db.exec('COMMIT');
  });
  return id;
}

const ORPHANS = ['log', 'seat', 'former_seat'].map(
  (table) => `${table} WHERE session NOT IN (SELECT id FROM session)`,
);

/** Every row with the tenant's id, and those of removed sessions, by table. */
function leftOf(tenant: string): Readonly<Record<string, number>> {
  const tables = withDatabase((db) =>
    db
      .prepare(`SELECT name FROM sqlite_schema AS t WHERE type = 'table' AND EXISTS (
        SELECT 1 FROM pragma_table_info(t.name) WHERE name = 'tenant')`)
      .all()
      .map(({ name }) => `${name} WHERE tenant = '${tenant}'`),
  );
  expect(tables.length).toBeGreaterThan(20);
  const counts = [...tables, `tenant WHERE id = '${tenant}'`, ...ORPHANS].map(
    (sql) => [sql, countOf(sql)] as const,
  );
  return Object.fromEntries(counts.filter(([, n]) => n > 0));
}

function beginDelete(...args: readonly string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const command = [...matchdCommand(), 'tenants', 'delete'];
  const child = Bun.spawn([...command, ...args], {
    cwd: matchd.folder,
    env: { PATH, HOME },
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  running.push({ kill: () => child.kill('SIGKILL') });
  return child;
}

async function killWhen(child: ReturnType<typeof beginDelete>, isThen: () => boolean) {
  await eventually(isThen, 90_000);
  child.kill('SIGKILL');
  await child.exited;
  // It was in the middle, not at its end.
  expect(child.signalCode).toBe('SIGKILL');
}

test('[R3][CLI] killed in its export, and again while rows are removed, it completes when run again', async () => {
  const acme = await fill('acme', SESSIONS);
  const other = await fill('other', 50);
  const before = leftOf(other);
  const [first, second] = [fileOf('first.jsonl'), fileOf('second.jsonl')];
  await killWhen(
    beginDelete('acme', '--export', first),
    () => existsSync(`${first}.part`) && statSync(`${first}.part`).size > 0,
  );
  // A partial export does not have the final name, and no row is removed yet.
  expect(existsSync(first)).toBe(false);
  const sessions = `session WHERE tenant = '${acme}'`;
  expect(countOf(sessions)).toBe(SESSIONS);
  await killWhen(beginDelete('acme', '--export', first), () => countOf(sessions) < SESSIONS);
  const left = countOf(sessions);
  expect(left).toBeGreaterThan(0);
  expect(Object.keys(leftOf(acme)).filter((sql) => sql.includes('NOT IN'))).toEqual([]);
  const whole = readFileSync(first, 'utf8');
  const lines = whole.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1)!)).toMatchObject({
    end: true,
    rows: { session: SESSIONS, log: SESSIONS * RECORDS, seat: SESSIONS },
  });
  expect(existsSync(`${first}.part`)).toBe(false);
  // The whole export is not overwritten, and nothing is removed before that is reported.
  const refused = await matchd.run('tenants', 'delete', 'acme', '--export', first);
  expect([refused.exit, refused.stderr]).toEqual([
    1,
    expect.stringContaining('is not overwritten'),
  ]);
  expect(countOf(sessions)).toBe(left);
  const done = (await matchd.json('tenants', 'delete', 'acme', '--export', second)) as {
    readonly exported: Readonly<Record<string, number>>;
  };
  expect(done.exported['session']).toBe(left);
  expect(leftOf(acme)).toEqual({});
  expect(leftOf(other)).toEqual(before);
  expect(readFileSync(first, 'utf8')).toBe(whole);
});

async function serve(): Promise<ServerProcess> {
  const server = await startServer({ port: await freePort(), dataDir });
  running.push(server);
  return server;
}

test('[R3][CLI] a service does not start while the command removes by itself, and does afterwards', async () => {
  const server = await serve();
  const api = createMatchd({ url: server.url, key: server.testKey, retries: 0 });
  const players = [{ id: 'ann' }, { id: 'ben' }];
  for (let n = 0; n < 5; n++) await api.sessions.create({ game: 'tictactoe', players });
  const demo = (await api.whoami()).tenant.id;
  // A heartbeat must be 5 s old before the service counts as gone; the lock shows it at once.
  await server.kill();
  const acme = await fill('acme', SESSIONS);
  const child = beginDelete('acme', '--yes');
  const sessions = `session WHERE tenant = '${acme}'`;
  await eventually(() => countOf(sessions) < SESSIONS, 90_000);
  // It is paused meanwhile, or it might finish before the service starts.
  child.kill('SIGSTOP');
  await expect(serve()).rejects.toThrow(`A process serves from ${dataDir} already`);
  child.kill('SIGCONT');
  expect(await child.exited).toBe(0);
  expect(leftOf(acme)).toEqual({});
  // Sessions of the killed service are open, awake and without an owner.
  expect(countOf(`session WHERE tenant = '${demo}' AND status <> 'ended'`)).toBe(5);
  await matchd.json('tenants', 'delete', 'demo', '--yes');
  expect(leftOf(demo)).toEqual({});
  // It creates the demo tenant again, and none of the matches.
  await serve();
  await Bun.sleep(2_500);
  const matches = Object.keys(leftOf(demo)).filter((sql) => /^(session|log|seat|former)/.test(sql));
  expect(matches).toEqual([]);
});

test('[R3][CLI] a paused service is waited for: nothing is removed before its sessions end', async () => {
  const server = await serve();
  const api = createMatchd({ url: server.url, key: server.testKey, retries: 0 });
  const made = await api.sessions.create({ game: 'tictactoe', players: [{ id: 'ann' }] });
  const tenant = (await api.whoami()).tenant.id;
  server.pause();
  const child = beginDelete('demo', '--yes');
  // Its last heartbeat is older than that of any running service.
  await Bun.sleep(9_000);
  expect(child.exitCode).toBeNull();
  expect(countOf(`session WHERE id = '${made.sessionId}' AND status <> 'ended'`)).toBe(1);
  server.resume();
  expect(await child.exited).toBe(0);
  await Bun.sleep(2_500);
  expect(leftOf(tenant)).toEqual({});
});

test('[R3] a session that starts from a ticket while rows are removed ends before its rows are', async () => {
  const tenant = await fill('acme', 5);
  const store = await openSqliteStore(path.join(dataDir, 'matchd.db'));
  const clock = makeSystemClock();
  let late = '';
  // The part of a service: it starts a match as the tickets are removed, and ends it a second
  // later.
  const served: Store = {
    ...store,
    async removePart(of, part, limit) {
      if (part.table === 'ticket' && late === '') {
        late = await created(store, 1, { tenant, seats: [seatOf(0, 'ann')] });
        const change = { status: 'ended', endedAt: clock.now() } as const;
        const commit = {
          session: late,
          tenant,
          mode: 'live',
          entries: [entryOf(1)],
          change,
        } as const;
        clock.after(1_000, () => store.commit(commit, () => {}));
      }
      return store.removePart(of, part, limit);
    },
  };
  const makeId = makeIds(clock, systemRandomness);
  const workshop = { store: served, clock, randomness: systemRandomness, makeId };
  const place = { sealingKeys: [], isShared: false, takeServeLock: () => null };
  await deleteTenant({ ...workshop, ...place }, tenant, { yes: true }, () => {});
  await Bun.sleep(1_500);
  await store.close();
  expect(late).not.toBe('');
  expect(leftOf(tenant)).toEqual({});
});
