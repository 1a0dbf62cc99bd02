/** Leases and mail in PostgreSQL. */

import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { clusterContractSuite } from '../contract/cluster-cases.ts';
import { sessionOf } from '../contract/stage.ts';
import { makeClusterStore } from './cluster.ts';
import { openDatabase } from './database.ts';
import { openPostgresStore } from './postgres-store.ts';

const isHere = isPostgresHere();
/** A server and a database are made first, beside whatever else the machine does. */
const START_MS_MAX = 60_000;
setDefaultTimeout(20_000);

function open(url: string) {
  return openDatabase({ url, max: 4, name: 'test', onHead: () => undefined });
}

if (isHere) {
  /** One database for all cases: making one takes longer than they do. */
  let url = '';
  let sessions = 0;
  const makeSession = async (node: string, wakeAt: number | null): Promise<string> => {
    sessions += 1;
    const store = await openPostgresStore({ url, node });
    const session = sessionOf(sessions, { wakeAt });
    await store.createSession(session);
    await store.close();
    return session.row.id;
  };
  beforeAll(async () => {
    url = await freshDatabase();
    await (await openPostgresStore({ url, node: 'first' })).close();
  }, START_MS_MAX);
  clusterContractSuite('postgres', async () => {
    const db = open(url);
    await db.run('TRUNCATE node, mail');
    return {
      store: makeClusterStore(db),
      pass: (ms) => new Promise((done) => setTimeout(done, ms)),
      makeHeld: (node) => makeSession(node, null),
      makeAsleep: () => makeSession('a', 1),
      async makeEnded() {
        const id = await makeSession('a', 1);
        await db.run(`UPDATE session SET status = 'ended' WHERE id = $1`, id);
        return id;
      },
      close: () => db.close(),
    };
  });
}

describe.skipIf(!isHere)('nodes in PostgreSQL', () => {
  test('[STORE-cluster] a heartbeat alone is no lease, and a lease after it is no loss', async () => {
    const url = await freshDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const db = open(url);
    const cluster = makeClusterStore(db);
    await store.heartbeat('a', 1_000);
    expect(await cluster.listLeases()).toEqual([]);
    expect(await cluster.renewLease('a', 60_000, false)).toBe('kept');
    await db.close();
    await store.close();
  });

  test('[STORE-cluster] rows of nodes long gone are removed when one joins; the last sign of life stays', async () => {
    const url = await freshDatabase();
    const store = await openPostgresStore({ url, node: 'a' });
    const db = open(url);
    const cluster = makeClusterStore(db);
    await db.run(
      `INSERT INTO node (id, lease_until, alive_at) VALUES ('old', 5, 5), ('older', 4, 4)`,
    );
    await db.run(
      `INSERT INTO mail (to_node, from_node, n, at, body) VALUES ('old', 'x', 1, 1, 'm')`,
    );
    await cluster.renewLease('a', 60_000, false);
    expect((await cluster.listLeases()).map(({ node }) => node)).toEqual(['a']);
    expect(await db.all('SELECT body FROM mail')).toEqual([]);
    expect(await store.lastHeartbeat()).toBeGreaterThan(5);
    await db.close();
    await store.close();
  });
});
