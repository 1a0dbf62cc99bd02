/** Bundling in a Bun process, which every checkout has: Node has no bundler. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Bundle, BundleResult } from '../bundler.ts';

const BUN = new URL('../../../node_modules/.bin/bun', import.meta.url);
const MAIN = new URL('../bun/bundle-main.ts', import.meta.url);

export const nodeBundle: Bundle = async (request) => {
  const args = ['--no-env-file', '--no-install', fileURLToPath(MAIN)];
  const child = spawn(fileURLToPath(BUN), args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  child.stdin.end(JSON.stringify(request));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (child.exitCode !== 0) return { ok: false, errors: [`Bun cannot bundle: ${stderr.trim()}`] };
  return JSON.parse(stdout) as BundleResult;
};
