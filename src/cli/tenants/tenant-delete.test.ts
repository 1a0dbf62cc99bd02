/** `matchd tenants delete` with a real service and without one: what ends, what is exported, what is left. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { connect } from '../../../sdk/src/client/index.ts';
import { createMatchd } from '../../../sdk/src/server/index.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(60_000);

let matchd: Matchd;
let dataDir: string;
let server: ServerProcess | null;
beforeEach(() => {
  matchd = makeMatchd();
  dataDir = path.join(matchd.folder, '.matchd');
  server = null;
});
afterEach(async () => {
  await server?.kill();
  matchd.close();
});

interface Line {
  readonly table?: string;
  readonly row?: Readonly<Record<string, unknown>>;
  readonly form?: string;
  readonly end?: true;
}

/** Every row with the tenant's id, by table: of all tables that have such a column. */
function rowsOf(tenant: string): Readonly<Record<string, number>> {
  const db = new DatabaseSync(path.join(dataDir, 'matchd.db'), { readOnly: true });
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .all()
    .map(({ name }) => String(name));
  const found: Record<string, number> = {};
  for (const table of tables) {
    const columns = db.prepare(`PRAGMA table_info(${table})`).all();
    if (!columns.some(({ name }) => name === 'tenant')) continue;
    const row = db.prepare(`SELECT count(*) AS n FROM ${table} WHERE tenant = ?`).get(tenant);
    if (Number(row?.['n']) > 0) found[table] = Number(row?.['n']);
  }
  for (const table of ['log', 'seat', 'former_seat']) {
    const orphans = `SELECT count(*) AS n FROM ${table} WHERE session NOT IN (SELECT id FROM session)`;
    const n = Number(db.prepare(orphans).get()?.['n']);
    if (n > 0) found[table] = n;
  }
  db.close();
  return found;
}

test('[R3][CLI] while a service runs, sessions end, sockets close, keys stop working, and nothing is left', async () => {
  server = await startServer({ port: await freePort(), dataDir });
  const api = createMatchd({ url: server.url, key: server.testKey, retries: 0 });
  const players = [{ id: 'ann', displayName: 'Ann' }, { id: 'ben' }];
  const made = await api.sessions.create({ game: 'tictactoe', players });
  await api.sessions.create({ game: 'ludo', players: [{ id: 'cem' }] });
  await api.webhooks.create({ url: 'http://127.0.0.1:9/' });
  const [ann, ben] = Object.values(made.tokens).map((token) =>
    connect({ url: server!.url, token }),
  );
  const codes: string[] = [];
  ann!.on((event) => {
    if (event.kind === 'status') codes.push(event.status.kind);
  });
  await eventually(() => ann!.session(made.sessionId).view?.status === 'active');
  const tenant = (await api.whoami()).tenant.id;
  const file = path.join(matchd.folder, 'demo.jsonl');
  const done: { removed: number; exported: Record<string, number> } = await matchd.json(
    ...['tenants', 'delete', 'demo', '--export', file],
  );
  expect(done.exported).toMatchObject({ session: 2, seat: 3, api_key: 2, webhook: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, 'utf8');
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  expect([lines[0]?.form, lines.at(-1)?.end]).toEqual(['matchd-tenant-export/1', true]);
  const sessions = lines.filter(({ table }) => table === 'session').map(({ row }) => row);
  expect(sessions.map((row) => row?.['status'])).toEqual(['ended', 'ended']);
  expect(
    lines.some(({ table, row }) => table === 'player' && row?.['display_name'] === 'Ann'),
  ).toBe(true);
  expect(text).not.toContain('whsec_');
  expect(text).not.toContain('sealed:');
  expect(rowsOf(tenant)).toEqual({});
  await expect(api.whoami()).rejects.toMatchObject({ status: 401 });
  await eventually(() => codes.includes('failed'));
  for (const client of [ann!, ben!]) client.close();
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  // The service continues, and writes nothing more of it.
  await Bun.sleep(2_500);
  expect(rowsOf(tenant)).toEqual({});
  expect((await matchd.run('tenants', 'show', 'demo')).stderr).toContain('There is no tenant');
});

test('[R3][CLI] without a service it is removed at once; without an export only with an explicit option', async () => {
  await matchd.json('tenants', 'create', '--name', 'Acme');
  const { id } = (await matchd.json('tenants', 'show', 'acme')) as { readonly id: string };
  await matchd.json('keys', 'create', '--tenant', 'acme', '--mode', 'live');
  const before = rowsOf(id);
  const taken = path.join(matchd.folder, 'taken');
  writeFileSync(taken, '');
  for (const [args, exit, error] of [
    [[], 2, 'use --export FILE, or --yes'],
    [['--export', taken], 1, 'is not overwritten'],
    [['--export', path.join(matchd.folder, 'none', 'file')], 1, 'ENOENT'],
  ] as const) {
    const ended = await matchd.run('tenants', 'delete', 'acme', ...args);
    expect([args, ended.exit]).toEqual([args, exit]);
    expect(ended.stderr).toContain(error);
    expect(rowsOf(id)).toEqual(before);
  }
  expect((await matchd.run('tenants', 'delete', 'nobody', '--yes')).exit).toBe(1);
  await matchd.json('tenants', 'delete', 'acme', '--yes');
  expect(rowsOf(id)).toEqual({});
  expect(existsSync(path.join(matchd.folder, 'none'))).toBe(false);
});
