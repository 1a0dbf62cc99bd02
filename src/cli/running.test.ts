/** The commands that inspect a running service: `sessions`, `logs`, `loadtest`, `healthcheck`. */

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';
import type { ServerProcess } from '../../e2e/parts/server-process.ts';
import { freePort, startServer } from '../../e2e/parts/server-process.ts';
import { connect } from '../../sdk/src/client/index.ts';
import { createMatchd, type Matchd } from '../../sdk/src/server/index.ts';
import { type Matchd as Cli, makeMatchd, matchdCommand } from './matchd.test-kit.ts';

/** Each test starts processes, and the machine may be busy. */
setDefaultTimeout(90_000);

let cli: Cli;
let server: ServerProcess;
let api: Matchd;
let where: readonly string[];
beforeAll(async () => {
  cli = makeMatchd();
  server = await startServer({ port: await freePort(), dataDir: path.join(cli.folder, '.matchd') });
  api = createMatchd({ url: server.url, key: server.testKey });
  where = ['--url', server.url];
});
afterAll(async () => {
  await server?.stop();
  cli.close();
});

const PLAYERS = [{ id: 'ann' }, { id: 'ben' }];

test('[CLI][S6] sessions are listed, shown and ended', async () => {
  const { sessionId: id } = await api.sessions.create({ game: 'connect4', players: PLAYERS });
  const listed: { data: readonly { sessionId: string }[] } = await cli.json(
    ...['sessions', 'list', '--game', 'connect4', ...where],
  );
  expect(listed.data.map(({ sessionId }) => sessionId)).toEqual([id]);
  const text = await cli.run('sessions', 'show', id, ...where);
  expect(text.stdout).toMatch(/status +pending/);
  expect(text.stdout).toMatch(/seat \d +ann/);
  const ended: { result: { reason: string } } = await cli.json(
    ...['sessions', 'end', id, '--reason', 'tests', ...where],
  );
  expect(ended.result.reason).toBe('aborted');
  const table = await cli.run('sessions', 'list', '--game', 'connect4', ...where);
  expect(table.stdout).toMatch(/CREATED +RESULT +PLAYERS/);
  expect(table.stdout).toMatch(/Z +aborted +ann, ben/);
  for (const [args, error] of [
    [['sessions', 'show', 'ses_none'], 'Session not found'],
    [['sessions', 'list', '--status', 'lost'], 'Invalid status'],
    [['sessions', 'list', '--key', 'mk_test_nonsense'], 'Invalid or inactive API key'],
  ] as const) {
    const { exit, stderr, stdout } = await cli.run(...args, ...where);
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toContain(error);
  }
});

test('[CLI][S10] a session is watched to its end, and nothing printed opens a socket', async () => {
  const { sessionId: id, tokens } = await api.sessions.create({
    game: 'tictactoe',
    players: PLAYERS,
  });
  const clients = PLAYERS.map((player) => connect({ url: server.url, token: tokens[player.id]! }));
  while ((await api.sessions.get(id)).status !== 'active') await Bun.sleep(50);
  const watching = cli.run('sessions', 'watch', id, '--json', ...where);
  while (clients[0]!.session(id).view === null) await Bun.sleep(20);
  await Bun.sleep(1_500);
  await clients[0]!.session(id).resign();
  const { exit, stdout, stderr } = await watching;
  for (const client of clients) client.close();
  expect([exit, stderr]).toEqual([0, '']);
  const frames = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { t: string });
  expect(frames.some(({ t }) => t === 'state')).toBe(true);
  expect(frames.some(({ t }) => t === 'over')).toBe(true);
  expect(stdout).not.toContain('esumeToken');
});

test('[CLI][D9] logs are filtered by status, session and key, and followed', async () => {
  const { sessionId: id } = await api.sessions.create({ game: 'ludo', players: [{ id: 'cem' }] });
  await api.sessions.get('ses_none').catch(() => {});
  await api.sessions.get(id);
  await Bun.sleep(1_500);
  interface Line {
    readonly status: number;
    readonly session: string | null;
    readonly key: string;
    readonly mode: string;
  }
  const logs = async (...args: readonly string[]): Promise<readonly Line[]> => {
    const { data }: { data: readonly Line[] } = await cli.json('logs', '--tenant', 'demo', ...args);
    return data;
  };
  const missing = await logs('--status', '404', '--limit', '1');
  expect(missing.map(({ status }) => status)).toEqual([404]);
  const about = await logs('--session', id);
  expect(about.map(({ status }) => status)).toEqual([200, 201]);
  expect((await logs('--key', about[0]!.key)).length).toBeGreaterThan(2);
  expect(await logs('--key', 'key_none')).toEqual([]);
  expect(await logs('--mode', 'live')).toEqual([]);
  expect((await logs('--status', '2xx')).every(({ status }) => status < 300)).toBe(true);
  for (const wrong of [
    ['--status', '6xx'],
    ['--mode', 'x'],
    ['--limit', '0'],
  ]) {
    expect((await cli.run('logs', '--tenant', 'demo', ...wrong)).exit).toBe(2);
  }
  const follow = [
    'logs',
    '--tenant',
    'demo',
    '--status',
    'errors',
    '--limit',
    '1',
    '--follow',
    '--json',
  ];
  const child = Bun.spawn([...matchdCommand(), ...follow], { cwd: cli.folder, stdout: 'pipe' });
  const lines: string[] = [];
  let rest = '';
  for await (const chunk of child.stdout) {
    const parts = (rest + Buffer.from(chunk).toString()).split('\n');
    rest = parts.pop() ?? '';
    if (lines.length === 0) await api.sessions.get('ses_later').catch(() => {});
    lines.push(...parts);
    if (lines.length >= 2) break;
  }
  child.kill('SIGINT');
  expect(await child.exited).toBe(0);
  expect(lines.map((line) => (JSON.parse(line) as Line).status)).toEqual([404, 404]);
});

test('[CLI] loadtest plays whole matches with a test key, on this machine', async () => {
  const found: {
    moves: number;
    failed: number;
    movesPerS: number;
    latencyMs: { p50: number; p99: number };
  } = await cli.json('loadtest', '--matches', '6', '--at-once', '3', ...where);
  expect(found.failed).toBe(0);
  expect(found.moves).toBeGreaterThanOrEqual(6 * 5);
  expect(found.movesPerS).toBeGreaterThan(0);
  expect(found.latencyMs.p50).toBeLessThanOrEqual(found.latencyMs.p99);
  for (const [args, error] of [
    [['--key', server.liveKey, ...where], 'needs a test key'],
    [['--key', 'nonsense', ...where], 'needs a test key'],
    [['--url', 'https://play.example.com'], 'another machine'],
    [['--matches', '1001', ...where], '--matches: expected 1 to 1000'],
    [['--at-once', '0', ...where], '--at-once: expected 1 to 90'],
  ] as const) {
    const { exit, stderr } = await cli.run('loadtest', ...args);
    expect([args, exit]).toEqual([args, 2]);
    expect(stderr).toContain(error);
  }
});

test('[CLI] healthcheck is the check for containers', async () => {
  expect((await cli.json('healthcheck', ...where)) as object).toMatchObject({ ready: true });
  const none = await cli.run('healthcheck', '--url', 'http://127.0.0.1:9');
  expect([none.exit, none.stdout]).toEqual([1, '']);
});
