/** A process that shuts down returns the leased limits of its tenants. */

import { expect, test } from 'bun:test';
import pg from 'pg';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, startServer } from '../parts/server-process.ts';

/** Enough that part of the next window is leased, too. */
const ASKED = 20;

test.skipIf(!isPostgresHere())(
  '[N20] a node that shuts down returns its leased and unspent limits',
  async () => {
    const postgres = await startPostgres();
    const folder = makeTempFolder();
    const store = await postgres.createDatabase();
    const sealingKey = Buffer.alloc(32, 3).toString('base64');
    const env = { MATCHD_STORE: store, MATCHD_SEALING_KEY: sealingKey };
    const node = await startServer({ port: await freePort(), dataDir: folder, env });
    const headers = { authorization: `Bearer ${node.testKey}` };
    for (let i = 0; i < ASKED; i++) {
      expect((await fetch(`${node.url}/v1/whoami`, { headers })).status).toBe(200);
    }
    expect(await node.stop()).toBe(0);
    const client = new pg.Client({ connectionString: store });
    await client.connect();
    const { rows } = await client.query('SELECT sum(used)::int AS used FROM token_window');
    await client.end();
    await postgres.stop();
    removeFolder(folder);
    expect(rows).toEqual([{ used: ASKED }]);
  },
  60_000,
);
