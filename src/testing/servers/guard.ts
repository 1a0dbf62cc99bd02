/**
 * Ends a server when the process that started it has ended, in whatever way: `bun test` does not tell
 * its tests that it exits, and nobody can be told of SIGKILL.
 */

import { spawn } from 'node:child_process';

/** Waits until the pipe from us is closed. SIGQUIT ends PostgreSQL with all its processes at once. */
const SCRIPT = 'cat >/dev/null; kill -QUIT "$1"; if [ -n "$2" ]; then sleep 1; rm -rf "$2"; fi';

/** `folder` is removed with it; null for none. Answers a function that lets the server be. */
export function guardServer(pid: number, folder: string | null): () => void {
  const args = ['-c', SCRIPT, 'guard', String(pid), folder ?? ''];
  // In a group of its own: who ends ours with a key is not to end it first.
  const guard = spawn('sh', args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  return () => void guard.kill('SIGKILL');
}
