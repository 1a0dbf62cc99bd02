/** Some nodes of one PostgreSQL and one NATS, with a tenant of its own for a benchmark. */

import { freePort, type ServerProcess, startServer } from '../../e2e/server-process.ts';
import { startNats } from '../../src/testing/servers/nats.ts';
import { startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { makeKey } from './key.ts';

/** A tenant is known to every node within two seconds. */
const KNOWN_MS = 2_500;

/** Where a tenant's backend asks. */
export interface Door {
  readonly url: string;
  readonly key: string;
}

/** Whatever comes of `use`, all servers are ended. */
export async function withNodes(
  count: number,
  use: (nodes: readonly ServerProcess[], key: string) => Promise<void>,
): Promise<void> {
  const folder = makeTempFolder();
  const postgres = await startPostgres();
  const nats = await startNats(1);
  const env = {
    MATCHD_STORE: await postgres.createDatabase(),
    MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    MATCHD_BUS: nats.urls.join(),
  };
  const nodes: ServerProcess[] = [];
  try {
    for (let n = 0; n < count; n++) {
      nodes.push(await startServer({ port: await freePort(), dataDir: folder, env }));
    }
    const key = await makeKey(env);
    await Bun.sleep(KNOWN_MS);
    await use(nodes, key);
  } finally {
    for (const server of nodes) await server.kill();
    await nats.stop();
    await postgres.stop();
    removeFolder(folder);
  }
}

/** Throws for an answer that is none of success. */
export async function post<T>({ url, key }: Door, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
