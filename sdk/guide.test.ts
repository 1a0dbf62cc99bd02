/** The samples of docs/guides/sdk.md, run unchanged against the real service. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from '../e2e/parts/server-process.ts';
import { freePort, startServer } from '../e2e/parts/server-process.ts';
import type { Matchd, SessionWithTokens } from './src/server/index.ts';
import { signWebhook } from './src/server/index.ts';

const ROOT = join(import.meta.dirname, '..');
const START_MS_MAX = 60_000;
const ENTRANCES: Readonly<Record<string, string>> = {
  "'@matchd/sdk'": join(ROOT, 'sdk/src/server/index.ts'),
  "'@matchd/sdk/client'": join(ROOT, 'sdk/src/client/index.ts'),
};

/** The exports of the samples. */
interface Samples {
  open(url: string, key: string): Matchd;
  startMatch(matchd: Matchd): Promise<SessionWithTokens>;
  findSession(matchd: Matchd, id: string): Promise<unknown>;
  countSessions(matchd: Matchd, playerId: string): Promise<number>;
  followEvents(
    matchd: Matchd,
    signal: AbortSignal,
    onEnded: (session: string, result: unknown) => void,
  ): Promise<void>;
  handleHook(request: Request, secret: string): Promise<string>;
  playFirstMove(url: string, token: string, action: object): Promise<number>;
}

const folder = mkdtempSync(join(tmpdir(), 'matchd-guide-'));
let server: ServerProcess;
let samples: Samples;
let matchd: Matchd;

beforeAll(async () => {
  const guide = readFileSync(join(ROOT, 'docs/guides/sdk.md'), 'utf8');
  const blocks = Array.from(guide.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code!);
  let code = blocks.join('\n');
  for (const [name, file] of Object.entries(ENTRANCES)) {
    code = code.replaceAll(name, JSON.stringify(file));
  }
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'samples.mjs'), code);
  samples = (await import(join(folder, 'samples.mjs'))) as Samples;
  server = await startServer({ port: await freePort(), dataDir: join(folder, 'data') });
  matchd = samples.open(server.url, server.testKey);
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}, START_MS_MAX);

test(
  '[H10] samples in TypeScript compile, also for a game that the SDK does not know',
  () => {
    const guide = readFileSync(join(ROOT, 'docs/guides/sdk.md'), 'utf8');
    const blocks = Array.from(guide.matchAll(/```ts\n([\s\S]*?)```/g), ([, code]) => code!);
    expect(blocks.length).toBeGreaterThan(1);
    const files = blocks.map((block, index) => {
      let code = block;
      for (const [name, file] of Object.entries(ENTRANCES)) {
        code = code.replaceAll(name, JSON.stringify(file));
      }
      const file = join(folder, `sample-${index}.mts`);
      writeFileSync(file, code);
      return file;
    });
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const config = join(folder, 'tsconfig.json');
    const base = join(ROOT, 'tsconfig.json');
    const compilerOptions = { noEmit: true, types: [] };
    writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, include: [], files }));
    const { status, stdout } = spawnSync('node', [compiler, '-p', config], { encoding: 'utf8' });
    expect([stdout, status]).toEqual(['', 0]);
  },
  START_MS_MAX,
);

test('[H10] a backend creates, finds and counts sessions', async () => {
  const made = await samples.startMatch(matchd);
  expect(made).toMatchObject({ game: 'ludo', variant: 'quick', seats: 2 });
  expect(await samples.findSession(matchd, made.sessionId)).toMatchObject({ game: 'ludo' });
  expect(await samples.findSession(matchd, 'ses_nobody')).toBeNull();
  expect(await samples.countSessions(matchd, 'ann')).toBe(1);
});

test('[E2] a backend follows events', async () => {
  const control = new AbortController();
  const ended: string[] = [];
  const following = samples.followEvents(matchd, control.signal, (session) => {
    ended.push(session);
    control.abort();
  });
  await Bun.sleep(200);
  const { sessionId } = await samples.startMatch(matchd);
  await matchd.sessions.end(sessionId);
  await following;
  expect(ended).toEqual([sessionId]);
});

test('[E2] a handler reads a webhook', async () => {
  const secret = `whsec_${btoa('0123456789abcdef')}`;
  const body = JSON.stringify({ id: 'evt_1', type: 'session.ended', data: {} });
  const headers = await signWebhook({ secret, id: 'evt_1', body });
  const request = new Request('http://x/', { method: 'POST', headers, body });
  expect(await samples.handleHook(request, secret)).toBe('session.ended');
});

test('[P4] a player makes a move', async () => {
  const made = await matchd.sessions.create({
    game: 'connect4',
    mode: 'training',
  });
  const [token] = Object.values(made.tokens);
  expect(await samples.playFirstMove(server.url, token!, { column: 3 })).toBeGreaterThan(0);
});
