/** The samples of README.md, run unchanged against the real service. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import type { ServerProcess } from '../parts/server-process.ts';
import { freePort, startServer } from '../parts/server-process.ts';

const START_MS_MAX = 60_000;
const TEST_MS_MAX = 30_000;
const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

const folder = makeTempFolder();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServer({ port: await freePort(), dataDir: join(folder, 'data') });
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  removeFolder(folder);
}, START_MS_MAX);

test(
  '[SETUP] the README’s program plays a match to its end and verifies it',
  async () => {
    const samples = Array.from(README.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => code!);
    expect(samples).toHaveLength(1);
    const file = join(folder, 'play.mjs');
    writeFileSync(file, samples[0]!);
    const { testKey: MATCHD_TEST_KEY, url: MATCHD_URL } = server;
    const run = Bun.spawn([process.execPath, file], {
      env: { ...process.env, MATCHD_TEST_KEY, MATCHD_URL },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr, code] = await Promise.all([
      new Response(run.stdout).text(),
      new Response(run.stderr).text(),
      run.exited,
    ]);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/reason: ["'][a-z_]+/);
    expect(stdout).toContain('ok: true');
  },
  TEST_MS_MAX,
);
