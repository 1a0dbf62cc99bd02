/** Tasks with options print them on request, and start nothing. */

import { expect, setDefaultTimeout, test } from 'bun:test';
import path from 'node:path';

setDefaultTimeout(60_000);

const ROOT = path.join(import.meta.dirname, '..');
const TASKS = {
  bench: 'bench/main.ts',
  torture: 'e2e/torture.ts',
  sim: 'sim/main.ts',
  faults: 'e2e/faults.ts',
} as const;

async function run(...args: readonly string[]) {
  const child = Bun.spawn([process.execPath, '--no-env-file', ...args], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { stdout, stderr, exit: await child.exited };
}

test.each(Object.entries(TASKS))(
  '[SETUP] npm run %s -- --help prints its options',
  async (name, file) => {
    const { stdout, stderr, exit } = await run(file, '--help');
    expect([exit, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`npm run ${name} -- [options]`);
    expect(stdout).toMatch(/^ {2}--\w+/m);
  },
);

test.each(['bench', 'torture', 'faults'] as const)(
  '[SETUP] npm run %s refuses an unknown option, and prints its options',
  async (name) => {
    const { stdout, stderr, exit } = await run(TASKS[name], '--nonsense');
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain("Unknown option '--nonsense'");
    expect(stderr).toContain(`npm run ${name} -- [options]`);
  },
);
