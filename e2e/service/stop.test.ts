/** A real process that shuts down exits, whatever work is pending and whatever is unreachable. */

import { describe, expect, test } from 'bun:test';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { holdBar } from '../../src/testing/time-bar.ts';
import { call } from '../parts/matches.ts';
import { freePort, startServer } from '../parts/server-process.ts';

const TEST_MS_MAX = 120_000;
const SEALING_KEY = Buffer.alloc(32, 3).toString('base64');
/** A node without pending work exits within this time. */
const END_MS = 1_500;
/** A node waits this long for work that it believes is pending. */
const DRAIN_MS = 20_000;

describe.skipIf(!isPostgresHere() || !isNatsHere())('shutting down', () => {
  test(
    '[N5] a node without pending work exits at once, also after a player has joined the queue',
    async () => {
      const postgres = await startPostgres();
      const folder = makeTempFolder();
      const env = {
        MATCHD_STORE: await postgres.createDatabase(),
        MATCHD_SEALING_KEY: SEALING_KEY,
        MATCHD_DRAIN_MS: String(DRAIN_MS),
      };
      const node = await startServer({ port: await freePort(), dataDir: folder, env });
      const body = { game: 'connect4', matchType: 'matchmaking', players: [{ id: 'ann' }] };
      await call(node, 'POST', '/v1/sessions', body);
      const from = performance.now();
      const code = await node.stop();
      const ms = performance.now() - from;
      await postgres.stop();
      removeFolder(folder);
      expect(code).toBe(0);
      holdBar('the end of a node with nothing to do, ms', ms, END_MS);
      expect(ms).toBeLessThan(DRAIN_MS / 2);
    },
    TEST_MS_MAX,
  );

  test(
    '[N5] a node exits even if its database is unreachable',
    async () => {
      const postgres = await startPostgres();
      const nats = await startNats(1);
      const folder = makeTempFolder();
      const env = {
        MATCHD_STORE: await postgres.createDatabase(),
        MATCHD_BUS: nats.urls.join(','),
        MATCHD_SEALING_KEY: SEALING_KEY,
        MATCHD_DRAIN_MS: '3000',
      };
      const node = await startServer({ port: await freePort(), dataDir: folder, env });
      await postgres.kill();
      const ended = await Promise.race([node.stop(), Bun.sleep(30_000).then(() => 'still there')]);
      const log = node.log();
      await node.kill();
      await nats.stop();
      await postgres.stop();
      removeFolder(folder);
      expect(ended, log).toBe(0);
    },
    TEST_MS_MAX,
  );
});
