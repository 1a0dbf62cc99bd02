/** Several nodes of one PostgreSQL and one NATS, with a tenant for a benchmark. */

import { freePort, type ServerProcess, startServer } from '../../e2e/parts/server-process.ts';
import { type NatsServers, startNats } from '../../src/testing/servers/nats.ts';
import { type PostgresServer, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { makeKey } from './key.ts';

/** A tenant is known to every node within two seconds. */
export const KNOWN_MS = 2_500;

/** The address for a tenant's backend. */
export interface Door {
  readonly url: string;
  readonly key: string;
}

/** One PostgreSQL and one NATS, and the nodes started with them. */
export interface Servers {
  readonly postgres: PostgresServer;
  readonly nats: NatsServers;
  /** The resources that nodes of one cluster share: a database. */
  makeEnv(): Promise<Record<string, string>>;
  startNode(env: Record<string, string>): Promise<ServerProcess>;
}

/** Whatever the result of `use`, all servers are ended. */
export async function withServers(use: (servers: Servers) => Promise<void>): Promise<void> {
  const folder = makeTempFolder();
  const postgres = await startPostgres();
  const nats = await startNats(1);
  const nodes: ServerProcess[] = [];
  try {
    await use({
      postgres,
      nats,
      makeEnv: async () => ({
        MATCHD_STORE: await postgres.createDatabase(),
        MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
        // Without a shared database a bus connects no nodes.
        MATCHD_BUS: nats.urls.join(),
      }),
      async startNode(env) {
        const node = await startServer({ port: await freePort(), dataDir: folder, env });
        nodes.push(node);
        return node;
      },
    });
  } finally {
    for (const node of nodes) await node.kill();
    await nats.stop();
    await postgres.stop();
    removeFolder(folder);
  }
}

/** Nodes of one cluster, and the key of a tenant that all of them know. */
export function withNodes(
  count: number,
  use: (nodes: readonly ServerProcess[], key: string) => Promise<void>,
): Promise<void> {
  return withServers(async ({ makeEnv, startNode }) => {
    const env = await makeEnv();
    const nodes: ServerProcess[] = [];
    for (let n = 0; n < count; n++) nodes.push(await startNode(env));
    const key = await makeKey(env);
    await Bun.sleep(KNOWN_MS);
    await use(nodes, key);
  });
}

/** Throws for an unsuccessful response. */
export async function post<T>({ url, key }: Door, path: string, body: unknown): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
