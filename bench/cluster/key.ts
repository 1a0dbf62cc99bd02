/** A tenant for a benchmark. */

import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/** A key of a tenant whose plan does not slow the benchmark. */
export async function makeKey(env: Record<string, string>): Promise<string> {
  const run = async <T>(...args: string[]): Promise<T> => {
    const command = ['src/cli/main.ts', ...args, '--json'];
    const child = Bun.spawn([process.execPath, ...command], {
      cwd: ROOT,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      env: { ...process.env, ...env },
    });
    const text = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(command.join(' '));
    return JSON.parse(text) as T;
  };
  const plan = ['--name', 'bench', '--plan', 'enterprise'];
  const { id } = await run<{ id: string }>('tenants', 'create', ...plan);
  const which = ['--tenant', id, '--mode', 'test', '--name', 'bench'];
  return (await run<{ key: string }>('keys', 'create', ...which)).key;
}
