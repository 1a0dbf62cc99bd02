/** Starts matchd itself, as a user would, with a tenant whose plan does not slow the benchmark. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CACHE_DIR } from './peer-setup.ts';
import { freePort } from './ports.ts';
import type { Extras, Processes } from './processes.ts';
import type { StartedServer } from './started-server.ts';
import { makeStarted } from './started-server.ts';

const ROOT = join(import.meta.dir, '..');
const COMMAND_WITHIN_MS = 30_000;

/** A server with its data directory, which outlives a restart. */
export interface MatchdServer extends StartedServer {
  readonly dataDir: string;
  /** From the command to its being ready. */
  readonly startMs: number;
}

/**
 * A fresh server on an empty data directory; `stop` removes the directory too. `root` is the checkout
 * it is started from.
 */
export async function startMatchd(
  processes: Processes,
  root = ROOT,
  extras: Extras = {},
): Promise<MatchdServer> {
  const dataDir = makeDataDir();
  try {
    const server = await startMatchdIn(processes, dataDir, null, root, extras);
    const stop = async (): Promise<void> => {
      await server.stop();
      removeDataDir(dataDir);
    };
    return { ...server, stop };
  } catch (error) {
    removeDataDir(dataDir);
    throw error;
  }
}

/** Starts on a data directory and leaves it there. `key` is known from an earlier start. */
export async function startMatchdIn(
  processes: Processes,
  dataDir: string,
  key: string | null,
  root = ROOT,
  extras: Extras = {},
): Promise<MatchdServer> {
  const args = ['--port', String(freePort()), '--data', dataDir, '--json'];
  const command = ['npm', 'start', '--silent', '--', ...args];
  const startedAt = performance.now();
  const running = await processes.startServer({ command, cwd: root, ...extras });
  const startMs = performance.now() - startedAt;
  try {
    const started = makeStarted(running, key ?? (await makeKey(dataDir, root)));
    return { ...started, dataDir, startMs };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** On a disk, not in memory: durable commits are part of what is measured. */
export function makeDataDir(): string {
  mkdirSync(CACHE_DIR, { recursive: true });
  return mkdtempSync(join(CACHE_DIR, 'data-'));
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true });
}

/** A test key of a new tenant on plan enterprise: the demo tenant's plan limits its requests. */
async function makeKey(dataDir: string, root: string): Promise<string> {
  const tenant = await runCommand<{ id: string }>(
    ['tenants', 'create', '--name', 'bench', '--plan', 'enterprise'],
    dataDir,
    root,
  );
  const made = await runCommand<{ key: string }>(
    ['keys', 'create', '--tenant', tenant.id, '--mode', 'test', '--name', 'bench'],
    dataDir,
    root,
  );
  return made.key;
}

/** Runs the project's command on a data directory and parses its JSON output. */
async function runCommand<T>(args: readonly string[], dataDir: string, root: string): Promise<T> {
  const command = ['node', 'bin/matchd.mjs', ...args, '--data', dataDir, '--json'];
  const child = Bun.spawn(command, {
    cwd: root,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: COMMAND_WITHIN_MS,
  });
  const [output, words] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  if ((await child.exited) !== 0) throw new Error(`${command.join(' ')}: ${words.trim()}`);
  return JSON.parse(output) as T;
}
