/** `matchd doctor` and `config`: each check finds its fault, and says what to do. */

import { afterEach, beforeEach, expect, setDefaultTimeout, test } from 'bun:test';
import { once } from 'node:events';
import fs from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort, startServer } from '../../../e2e/parts/server-process.ts';
import { SETTINGS } from '../../config.ts';
import { PIG_FILES, writeGames } from '../../testing/matches/own-games.ts';
import { diskFolder, type Ended, type Matchd, makeMatchd } from '../matchd.test-kit.ts';
import { makeProgram } from '../program.ts';
import { checkFailures } from './doctor-data.ts';
import { judgeFlush } from './doctor-machine.ts';
import type { Finding } from './finding.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(60_000);

let matchd: Matchd;
let data: string;
beforeEach(() => {
  // The checked folder is on a disk.
  matchd = makeMatchd({}, diskFolder());
  data = path.join(matchd.folder, '.matchd');
});
afterEach(() => matchd.close());

interface Examined {
  readonly ok: number;
  readonly warn: number;
  readonly fail: number;
  readonly findings: readonly Finding[];
}

async function examine(...args: readonly string[]): Promise<Examined & { exit: number }> {
  const { stdout, stderr, exit }: Ended = await matchd.run('doctor', '--json', ...args);
  expect(stderr).toBe('');
  return { ...(JSON.parse(stdout) as Examined), exit };
}

const find = ({ findings }: Examined, check: string): Finding =>
  findings.find((each) => each.check === check)!;

const sql = (text: string): void => {
  const db = new DatabaseSync(path.join(data, 'matchd.db'));
  db.exec(text);
  db.close();
};

test('[CLI] doctor reports a sound folder as in order, and changes nothing in it', async () => {
  await matchd.json('migrate');
  const port = `${await freePort()}`;
  const before = fs.readdirSync(data);
  const found = await examine('--port', port);
  expect([found.fail, found.exit]).toEqual([0, 0]);
  expect(
    found.findings.filter(({ status }) => status === 'warn').map(({ check }) => check),
  ).toEqual(['public URL']);
  const checks = [
    'runtime',
    'sqlite',
    'configuration',
    'data folder',
    'files',
    'development',
    'disk space',
    'file system',
    'flush to disk',
    'database',
    'write-ahead log',
    'schema',
    'clock',
    'port',
    'failures',
    'webhooks',
    'public URL',
  ];
  for (const check of checks) expect([check, find(found, check)?.check]).toEqual([check, check]);
  for (const { status, todo } of found.findings) expect(todo === null).toBe(status === 'ok');
  expect(fs.readdirSync(data).filter((name) => !/-(?:wal|shm)$/.test(name))).toEqual(before);
  const { stdout } = await matchd.run('doctor', '--port', port);
  expect(stdout).toContain('to do: serve needs it');
});

test('[CLI] doctor reports each fault of the data on its own line', async () => {
  await matchd.json('migrate');
  fs.chmodSync(data, 0o755);
  fs.chmodSync(path.join(data, 'matchd.db'), 0o644);
  fs.writeFileSync(path.join(data, 'dev-keys.json'), '{}', { mode: 0o600 });
  sql(`INSERT INTO node (id, alive_at) VALUES ('nod_1', ${Date.now() + 3_600_000});
    INSERT INTO usage VALUES ('t', 'live', '${new Date().toISOString().slice(0, 10)}', 'failed', 3);
    INSERT INTO account VALUES ('acc_1', 'a@b.example', 'A', 'x', 1, 'sealed', 0, 0, 0);
    DELETE FROM migration WHERE name = '0040-one-schema'`);
  const found = await examine();
  const status = (check: string) => `${check}: ${find(found, check).status}`;
  expect(
    ['data folder', 'files', 'development', 'schema', 'clock', 'failures', 'sealing key'].map(
      status,
    ),
  ).toEqual([
    'data folder: warn',
    'files: warn',
    'development: warn',
    'schema: warn',
    'clock: fail',
    'failures: warn',
    'sealing key: fail',
  ]);
  expect(find(found, 'clock').found).toContain('s behind the last heartbeat');
  expect(find(found, 'schema').found).toContain('0040-one-schema');
  expect(found.exit).toBe(1);
});

test('[CLI] the command that doctor suggests for failed requests is complete', async () => {
  const todo = checkFailures(3).todo!;
  const typed = /matchd (logs .*)$/.exec(todo)![1]!.split(' ');
  const program = makeProgram({}, () => Promise.resolve(), false);
  // Throws when an option is missing or unknown.
  await program.parseAsync(typed, { from: 'user' });
});

test('[CLI] doctor reports a damaged database and an unmerged log', async () => {
  await matchd.json('migrate');
  const file = path.join(data, 'matchd.db');
  const bytes = fs.readFileSync(file);
  fs.writeFileSync(file, bytes.fill(0xff, 8_192, 60_000));
  fs.writeFileSync(`${file}-wal`, '');
  fs.truncateSync(`${file}-wal`, 150_000_000);
  const found = await examine();
  expect(find(found, 'database')).toMatchObject({
    status: 'fail',
    todo: expect.stringContaining('restore'),
  });
  expect(find(found, 'write-ahead log').status).toBe('warn');
  expect(found.exit).toBe(1);
});

test('[CLI] doctor distinguishes a running matchd from another program on its port', async () => {
  const server = await startServer({ port: await freePort(), dataDir: data });
  const { port } = new URL(server.url);
  const running = await examine('--port', port, '--public-url', server.url);
  await server.stop();
  expect(find(running, 'port').found).toMatch(/matchd \S+ is running/);
  expect(find(running, 'public URL').status).toBe('ok');
  const other = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const taken = await examine('--port', `${(other.address() as { port: number }).port}`);
  other.close();
  expect(find(taken, 'port')).toMatchObject({
    status: 'fail',
    todo: expect.stringContaining('--port'),
  });
});

test('[E3][CLI] doctor checks the addresses of webhooks, and connects to no internal one', async () => {
  await matchd.json('migrate');
  const hook = (id: string, url: string) =>
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, created_at, cursor, epoch)
      VALUES ('${id}', 't', 'live', '${url}', '', '[]', '[]', 0, 0, 0);`;
  sql(
    hook('whk_1', 'https://10.0.0.7/hook') +
      hook('whk_2', 'https://nowhere.matchd-test.invalid/hook'),
  );
  const { findings } = await examine();
  const found = findings.filter(({ check }) => check === 'webhooks').map((each) => each.found);
  expect(found.sort()).toEqual([
    'whk_1: https://10.0.0.7/hook is not an allowed target',
    'whk_2 at nowhere.matchd-test.invalid: the name does not resolve',
  ]);
});

test('[CLI][E2] doctor says which endpoint has failed since when, though it can be reached', async () => {
  await matchd.json('migrate');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  fs.writeFileSync(path.join(data, 'dev-keys.json'), '{}', { mode: 0o600 });
  const since = Date.UTC(2026, 10, 27, 14, 2);
  const hook = (id: string, disabled: string, failing: number | null) =>
    `INSERT INTO webhook (id, tenant, mode, url, description, types, secrets, created_at, cursor, epoch, disabled,
       failing_since)
     VALUES ('${id}', 't', 'live', 'http://127.0.0.1:${port}/', '', '[]', '[]', 0, 0, 0, ${disabled}, ${failing});`;
  const attempt = (n: number, status: string, error: string) =>
    `INSERT INTO webhook_attempt (webhook, n, event, type, attempt, at, duration_ms, status, error)
     VALUES ('whk_1', ${n}, 'evt_1', 'session.ended', 1, 0, 5, ${status}, ${error});`;
  sql(hook('whk_0', 'NULL', null));
  const said = async () =>
    (await examine()).findings
      .filter(({ check }) => check === 'webhooks')
      .map(({ found }) => found);
  expect(await said()).toEqual(['1 endpoints, all reachable, none failing']);
  sql(
    hook('whk_1', 'NULL', since) +
      hook('whk_2', "'failing'", since - 1) +
      hook('whk_3', "'paused'", since) +
      attempt(1, 'NULL', "'timeout'") +
      attempt(2, '500', "'status_not_2xx'") +
      attempt(3, '200', 'NULL'),
  );
  expect(await said()).toEqual([
    'whk_2 has failed since 2026-11-27T14:01:59.999Z and was disabled',
    'whk_1 has failed since 2026-11-27T14:02:00.000Z; last response: 500 status_not_2xx',
  ]);
  server.close();
});

test('[CLI] a disk is judged by its usual flush', () => {
  const status = (...times: readonly number[]) => judgeFlush(times).status;
  expect([status(1, 1, 300), status(30, 25, 1), status(250, 250, 1), status(0.001)]).toEqual([
    ...(['ok', 'warn', 'fail', 'warn'] as const),
  ]);
});

test('[CONFIG] config shows every setting with its source, and hides secrets', async () => {
  const SECRET = 'a-metrics-token-of-tests';
  const other = makeMatchd({ MATCHD_METRICS_TOKEN: SECRET, MATCHD_LOG_LEVEL: 'warn' });
  const args = ['config', '--port', '4321', '--data', 'x'];
  const json: { settings: readonly { name: string; value: string | null; from: string }[] } =
    await other.json(...args);
  const text = await other.run(...args);
  other.close();
  expect(json.settings.map(({ name }) => name)).toEqual(Object.keys(SETTINGS));
  const of = (name: string) => {
    const { value, from } = json.settings.find((each) => each.name === name)!;
    return [value, from];
  };
  expect(of('port')).toEqual(['4321', 'option']);
  expect(of('dataDir')).toEqual([path.join(other.folder, 'x'), 'option']);
  expect(of('logLevel')).toEqual(['warn', 'variable']);
  expect(of('host')).toEqual(['127.0.0.1', 'default']);
  expect(of('publicUrl')).toEqual([null, 'default']);
  expect(of('metricsToken')).toEqual(['(hidden)', 'variable']);
  expect(JSON.stringify(json) + text.stdout).not.toContain(SECRET);
});

test('[CONFIG] config reports every invalid setting, without showing secrets', async () => {
  const SECRET = 'too short';
  const other = makeMatchd({ MATCHD_METRICS_TOKEN: SECRET, MATCHD_PORT: 'x', MATCHD_PROT: '1' });
  const { stdout, exit } = await other.run('config');
  const doctor = await other.run('doctor');
  other.close();
  expect(exit).toBe(1);
  for (const text of [
    'wrong: MATCHD_PORT "x"',
    'MATCHD_PROT: unknown setting',
    'wrong: MATCHD_METRICS_TOKEN:',
  ]) {
    expect(stdout).toContain(text);
  }
  expect(stdout + doctor.stdout).not.toContain(SECRET);
  expect(doctor.exit).toBe(1);
});

test('[CLI] doctor loads the operator’s games, and names those that cannot be loaded', async () => {
  const games = path.join(matchd.folder, 'my-games');
  writeGames(games, PIG_FILES);
  expect(find(await examine('--games', games), 'games')).toMatchObject({
    status: 'ok',
    found: 'pig 1',
  });
  writeGames(games, { 'pig/goal.ts': 'export const GOAL = ;' });
  const found = await examine('--games', games);
  expect([find(found, 'games').status, found.exit]).toEqual(['fail', 1]);
  expect(find(found, 'games').found).toStartWith('pig/goal.ts:1: ');
  expect(find(await examine(), 'games')).toBeUndefined();
});
