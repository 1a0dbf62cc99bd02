/** The agent in a real process: its main thread and a worker are sampled. */

import { expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThreadProfile } from './functions.ts';
import { agentEnv, readThreadProfiles } from './functions.ts';

const TEST_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
/** Parses and prints again and again, in turns, so that timers come through. */
const busy = (name: string): string => `
  function ${name}() { for (let i = 0; i < 2000; i++) JSON.parse(JSON.stringify([i])); }
  setInterval(${name});`;
const MAIN = `import { Worker } from 'node:worker_threads';
  new Worker(new URL('./writer.js', import.meta.url));
  ${busy('mainIsBusy')}`;

test(
  '[BENCH] main thread and workers are sampled under their names',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'));
    writeFileSync(join(folder, 'main.js'), MAIN);
    writeFileSync(join(folder, 'writer.js'), busy('writerIsBusy'));
    const child = Bun.spawn([process.execPath, join(folder, 'main.js')], {
      env: { ...process.env, ...agentEnv(folder) },
      stdout: 'inherit',
      stderr: 'inherit',
      timeout: TEST_WITHIN_MS,
    });
    try {
      const both = await untilBothAreSampled(folder, child.pid);
      expect(both.main).toContain('mainIsBusy ');
      expect(both.main).toContain('stringify from ');
      expect(both.writer).toContain('writerIsBusy ');
      expect(both.writer).not.toContain('mainIsBusy ');
    } finally {
      child.kill('SIGKILL');
      await child.exited;
      rmSync(folder, { recursive: true });
    }
  },
  TEST_WITHIN_MS,
);

/** The names of functions in the samples of both threads. */
async function untilBothAreSampled(
  folder: string,
  pid: number,
): Promise<{ readonly main: string; readonly writer: string }> {
  for (;;) {
    await Bun.sleep(LOOK_EVERY_MS);
    const { main, writer } = readThreadProfiles(folder, pid, [{ fromMs: 0, toMs: Date.now() }]);
    if (main === undefined || writer === undefined) continue;
    return { main: namesOf(main), writer: namesOf(writer) };
  }
}

function namesOf({ functions }: ThreadProfile): string {
  return functions.map(({ name }) => name).join('\n');
}
