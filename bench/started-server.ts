/** A server that was started, as jobs name it. */

import type { ServerUnderTest } from './jobs.ts';
import type { RunningServer } from './processes.ts';

export interface StartedServer extends ServerUnderTest {
  stop(): Promise<void>;
}

/** `key` is the API key its clients carry; empty for servers without keys. */
export function makeStarted({ ready, stop }: RunningServer, key: string): StartedServer {
  const { hostname, port } = new URL(ready.url);
  return { address: { host: hostname, port: Number(port) }, pid: ready.pid, key, stop };
}

/** The part of it that belongs to a job. */
export function underTest({ address, pid, key }: StartedServer): ServerUnderTest {
  return { address, pid, key };
}

/** Stops the server when the work is done, however it ended. */
export async function whileRunning<S extends StartedServer, T>(
  server: S,
  work: (server: S) => Promise<T>,
): Promise<T> {
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}
