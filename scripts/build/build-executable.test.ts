/**
 * The executable needs no other files: it serves, plays, backs up and restores in an empty folder.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { freePort } from '../../e2e/parts/server-process.ts';
import { connect } from '../../sdk/src/client/index.ts';
import { createMatchd } from '../../sdk/src/server/index.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';

const TEST_MS_MAX = 120_000;
/** Nearly all of it is the runtime. */
const BYTES_MAX = 130_000_000;

const tools = makeTempFolder();
const executable = path.join(tools, 'matchd');
/** Its working folder, which is empty. */
const folder = makeTempFolder();
const script = path.join(import.meta.dirname, 'build-executable.ts');
/** No path, no home: nothing of this machine except the file itself. */
const options = { cwd: folder, env: {}, encoding: 'utf8' } as const;

beforeAll(() => {
  const built = spawnSync(process.execPath, ['--no-env-file', script, executable], {
    encoding: 'utf8',
  });
  if (built.status !== 0) throw new Error(built.stderr);
}, TEST_MS_MAX);
afterAll(() => {
  removeFolder(tools);
  removeFolder(folder);
});

const run = (...args: readonly string[]) => spawnSync(executable, args, options);
const json = (...args: readonly string[]): Record<string, unknown> => {
  const { status, stdout, stderr } = run(...args, '--json');
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
};

interface Served {
  readonly url: string;
  readonly testKey: string;
  stop(): Promise<number>;
}

async function serve(): Promise<Served> {
  const args = ['dev', '--json', '--port', `${await freePort()}`];
  const child = Bun.spawn([executable, ...args], { ...options, stdout: 'pipe', stderr: 'pipe' });
  let text = '';
  for await (const chunk of child.stdout) {
    text += Buffer.from(chunk).toString();
    if (text.includes('\n')) break;
  }
  if (text === '') throw new Error(await new Response(child.stderr).text());
  return {
    ...(JSON.parse(text) as { url: string; testKey: string }),
    stop: () => {
      child.kill('SIGTERM');
      return child.exited;
    },
  };
}

/** A match of tictactoe against a bot that thinks on a thread of its own. */
async function play({ url, testKey }: Served): Promise<string> {
  const api = createMatchd({ url, key: testKey });
  const { sessionId, sessionToken } = await api.sessions.create({
    game: 'tictactoe',
    mode: 'training',
    options: { botDifficulty: 'perfect' },
  });
  const client = connect({ url, token: sessionToken! });
  const session = client.session<'tictactoe'>(sessionId);
  const over = Promise.withResolvers<void>();
  const move = (): void => {
    const view = session.view;
    if (view?.status === 'ended') over.resolve();
    if (view?.status !== 'active' || view.turn !== view.seat || session.sending.length > 0) return;
    session.act(view.legal![0] as { position: number }).catch(() => {});
  };
  session.on(move);
  const timer = setInterval(move, 50);
  await over.promise;
  clearInterval(timer);
  client.close();
  expect(await api.sessions.verify(sessionId)).toMatchObject({ ok: true });
  return sessionId;
}

test(
  '[CLI] one file serves, plays a match, backs up and restores in an empty folder',
  async () => {
    expect(fs.statSync(executable).size).toBeLessThan(BYTES_MAX);
    expect(fs.readdirSync(folder)).toEqual([]);
    const first = await serve();
    for (const page of [
      '/play/',
      '/docs/',
      '/dashboard/',
      '/demo/',
      '/openapi.json',
      '/asyncapi.json',
    ]) {
      const response = await fetch(first.url + page);
      expect([page, response.status]).toEqual([page, 200]);
      const script = /(?:src)="(\/[^"]+\.js)"/.exec(await response.text())?.[1];
      if (script !== undefined) expect((await fetch(first.url + script)).status).toBe(200);
    }
    const session = await play(first);
    expect(json('backup', 'all.db')).toMatchObject({ sessions: 1 });
    expect(run('restore', 'all.db').status).toBe(1);
    expect(await first.stop()).toBe(0);
    fs.rmSync(path.join(folder, '.matchd', 'matchd.db'));
    expect(json('restore', 'all.db')).toMatchObject({ sessions: 1 });
    const second = await serve();
    const api = createMatchd({ url: second.url, key: second.testKey });
    expect(await api.sessions.verify(session)).toMatchObject({ ok: true });
    expect(await second.stop()).toBe(0);
    expect(fs.readdirSync(folder).sort()).toEqual([
      '.matchd',
      'all.db',
      'all.db.audit.json',
      'matchd-withdrawn.jsonl',
    ]);
  },
  TEST_MS_MAX,
);

test(
  '[CLI] one file has the other commands, too: bot threads, the API description, no settings of the folder',
  () => {
    fs.writeFileSync(path.join(folder, '.env'), 'MATCHD_PROT=1\n');
    fs.writeFileSync(path.join(folder, 'bunfig.toml'), 'preload = ["./nothing.ts"]\n');
    expect(json('version')).toMatchObject({ runtime: 'bun' });
    expect(json('openapi')['openapi']).toStartWith('3.1');
    const levels = ['--levels', 'easy,hard'];
    const ladder = run(
      'ladder',
      'tictactoe',
      ...levels,
      '--games',
      '4',
      '--workers',
      '1',
      '--json',
    );
    expect([ladder.status, ladder.stderr]).toEqual([0, expect.any(String)]);
    expect(json('doctor')).toMatchObject({ fail: 0 });
    expect(json('games', 'new', 'push-luck')).toMatchObject({ game: 'push-luck' });
    const few = ['--plays', '20', '--hostile', '200'];
    expect(json('games', 'check', 'push-luck', ...few)).toMatchObject({ ok: true });
  },
  TEST_MS_MAX,
);

test(
  '[CLI] one file has everything for several nodes, and loads it only when configured as one of them',
  () => {
    const env = {
      MATCHD_STORE: 'postgres://nobody@127.0.0.1:1/none',
      MATCHD_BUS: 'nats://127.0.0.1:1',
      MATCHD_SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    };
    const asked = (...args: readonly string[]) => {
      const { stdout, stderr } = spawnSync(executable, args, { ...options, env });
      return stdout + stderr;
    };
    expect(asked('dev', '--json')).toContain('ECONNREFUSED');
    const looked = asked('doctor');
    expect(looked).toContain('127.0.0.1:1 cannot be reached: connect ECONNREFUSED');
    expect(looked).toContain('127.0.0.1:1: connection refused');
  },
  TEST_MS_MAX,
);
