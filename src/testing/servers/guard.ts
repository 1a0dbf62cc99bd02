/**
 * Ends a server when the process that started it has ended, in any way: `bun test` does not tell
 * its tests that it exits, and SIGKILL cannot be handled.
 */

import { spawn } from 'node:child_process';

/** Waits until our pipe is closed. SIGQUIT ends PostgreSQL with all its processes at once. */
const SCRIPT = 'cat >/dev/null; kill -QUIT "$1"; if [ -n "$2" ]; then sleep 1; rm -rf "$2"; fi';

/** `folder` is removed with it; null for none. Returns a function that cancels the guard. */
export function guardServer(pid: number, folder: string | null): () => void {
  const args = ['-c', SCRIPT, 'guard', String(pid), folder ?? ''];
  // In its own process group, so that Ctrl+C in ours does not end it first.
  const guard = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  return () => void guard.kill('SIGKILL');
}
