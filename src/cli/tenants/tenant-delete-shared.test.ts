/** `matchd tenants delete` on the database that two real nodes share. */

import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { freePort, type ServerProcess, startServer } from '../../../e2e/parts/server-process.ts';
import { createMatchd } from '../../../sdk/src/server/index.ts';
import { isNatsHere, type NatsServers, startNats } from '../../testing/servers/nats.ts';
import { freshDatabase, isPostgresHere } from '../../testing/servers/postgres.ts';
import { openSocket } from '../../testing/sockets/socket-client.ts';
import { holdBar } from '../../testing/time-bar.ts';
import { eventually } from '../../testing/webhooks/webhook-world.ts';
import { type Matchd, makeMatchd } from '../matchd.test-kit.ts';

setDefaultTimeout(120_000);

/** Rule K2, and a margin for a busy machine. */
const WITHIN_MS = 2_000 + 500;

describe.skipIf(!isPostgresHere() || !isNatsHere())('beside nodes', () => {
  let nats: NatsServers;
  let env: Record<string, string>;
  let matchd: Matchd;
  let database: pg.Client;
  let nodes: ServerProcess[];
  beforeEach(async () => {
    nats = await startNats(1);
    env = {
      MATCHD_STORE: await freshDatabase(),
      MATCHD_BUS: nats.urls.join(','),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 3).toString('base64'),
    };
    matchd = makeMatchd(env);
    database = new pg.Client({ connectionString: env['MATCHD_STORE'] });
    await database.connect();
    nodes = [];
  });
  afterEach(async () => {
    for (const node of nodes) await node.kill();
    await database.end();
    await nats.stop();
    matchd.close();
  });

  async function startNode(): Promise<ServerProcess> {
    const node = await startServer({ port: await freePort(), dataDir: matchd.folder, env });
    nodes.push(node);
    return node;
  }

  const countOf = async (from: string): Promise<number> => {
    const { rows } = await database.query<{ n: string }>(`SELECT count(*) AS n FROM ${from}`);
    return Number(rows[0]?.n);
  };

  /** Every row with the tenant's id, and those of removed sessions, by table. */
  async function leftOf(tenant: string): Promise<Readonly<Record<string, number>>> {
    const { rows } = await database.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns
        WHERE table_schema = current_schema() AND column_name = 'tenant' ORDER BY 1`,
    );
    expect(rows.length).toBeGreaterThan(20);
    const left: Record<string, number> = {};
    for (const from of [
      ...rows.map(({ name }) => `"${name}" WHERE tenant = '${tenant}'`),
      `tenant WHERE id = '${tenant}'`,
      ...['log', 'seat', 'former_seat'].map(
        (table) => `${table} WHERE session NOT IN (SELECT id FROM session)`,
      ),
    ]) {
      const n = await countOf(from);
      if (n > 0) left[from] = n;
    }
    return left;
  }

  /** A tenant with one key, and matches that were created by each node. */
  async function settle(slug: string, at: readonly ServerProcess[]) {
    await matchd.json('tenants', 'create', '--name', slug);
    const { id } = (await matchd.json('tenants', 'show', slug)) as { readonly id: string };
    const made = await matchd.json('keys', 'create', '--tenant', slug, '--mode', 'live');
    const { key } = made as { readonly key: string };
    const apis = at.map(({ url }) => createMatchd({ url, key, retries: 0 }));
    const players = [{ id: 'ann' }, { id: 'ben' }];
    const matches = [];
    for (const api of apis) matches.push(await api.sessions.create({ game: 'tictactoe', players }));
    return { id, apis, matches };
  }

  test('[R3][CLI] sessions end, sockets close and keys die on both nodes; nothing is left', async () => {
    await startNode();
    await startNode();
    const acme = await settle('acme', nodes);
    const other = await settle('other', nodes);
    const kept = await leftOf(other.id);
    const sockets = await Promise.all(
      acme.matches.flatMap(({ tokens }) =>
        // The players of each match connect to different nodes.
        Object.values(tokens).map((token, i) =>
          openSocket(Number(new URL(nodes[i % 2]!.url).port), { token }),
        ),
      ),
    );
    await Promise.all(sockets.map((socket) => socket.next('welcome')));
    const file = path.join(matchd.folder, 'acme.jsonl');
    const began = Date.now();
    const suspended = eventually(
      async () => (await countOf(`tenant WHERE id = '${acme.id}' AND NOT active`)) === 1,
      30_000,
    ).then(async () => {
      const from = Date.now();
      for (const socket of sockets) expect((await socket.closed).code).toBe(4401);
      for (const api of acme.apis) {
        await eventually(
          () =>
            api.whoami().then(
              () => false,
              () => true,
            ),
          WITHIN_MS,
        );
      }
      holdBar('sockets and keys on two nodes end, ms', Date.now() - from, WITHIN_MS);
    });
    const [done] = await Promise.all([
      matchd.json('tenants', 'delete', 'acme', '--export', file) as Promise<{
        readonly exported: Readonly<Record<string, number>>;
      }>,
      suspended,
    ]);
    expect(Date.now() - began).toBeLessThan(60_000);
    expect(done.exported).toMatchObject({ session: 2, seat: 4, api_key: 1 });
    // Each match has its real end: its owner wrote that.
    const sessions = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('"table":"log"') && line.includes('aborted'));
    expect(sessions).toHaveLength(2);
    expect(await leftOf(acme.id)).toEqual({});
    for (const api of acme.apis) await expect(api.whoami()).rejects.toMatchObject({ status: 401 });
    // Nodes continue, write nothing more of it, and the other tenant plays on.
    await Bun.sleep(2_500);
    expect(await leftOf(acme.id)).toEqual({});
    for (const node of nodes) expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    for (const [i, { sessionId }] of other.matches.entries()) {
      expect(await other.apis[1 - i]!.sessions.get(sessionId)).toMatchObject({ status: 'pending' });
    }
    expect(Object.keys(await leftOf(other.id))).toEqual(expect.arrayContaining(Object.keys(kept)));
  });

  test('[R3][CLI] a node that starts while the command works by itself writes nothing of the tenant', async () => {
    const first = await startNode();
    const acme = await settle('acme', [first, first, first]);
    nodes.pop();
    await first.kill();
    // Many rows that are removed before those of the open matches.
    await database.query(
      `INSERT INTO session (id, tenant, mode, game, match_type, variant, status, room_code, created_at)
       SELECT 'ses_0' || lpad(n::text, 6, '0'), $1, 'live', 'tictactoe', 'private', 'standard', 'ended', 'ABCDEF', 1
         FROM generate_series(1, 20000) AS n`,
      [acme.id],
    );
    await database.query(
      `INSERT INTO log (session, v, at, record)
       SELECT 'ses_0' || lpad(n::text, 6, '0'), v, 1, '{}' FROM generate_series(1, 20000) AS n, generate_series(0, 5) AS v`,
    );
    const sessions = `session WHERE tenant = '${acme.id}'`;
    // No heartbeat is recent, and no lease is valid.
    await database.query('UPDATE node SET alive_at = 0, lease_until = 0');
    const removal = matchd.json('tenants', 'delete', 'acme', '--yes');
    await eventually(
      async () => (await countOf(`${sessions} AND status <> 'ended'`)) === 0,
      30_000,
    );
    const left = await countOf(sessions);
    await startNode();
    await removal;
    expect(left).toBeGreaterThan(0);
    await Bun.sleep(2_500);
    expect(await leftOf(acme.id)).toEqual({});
  });
});
