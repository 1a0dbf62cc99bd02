/** Two real processes on one PostgreSQL: both report the same metrics of a tenant, and a restart of one loses nothing. */

import { expect, test } from 'bun:test';
import { isNatsHere, startNats } from '../../src/testing/servers/nats.ts';
import { isPostgresHere, startPostgres } from '../../src/testing/servers/postgres.ts';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { freePort, type ServerProcess, startServer } from '../parts/server-process.ts';

const TEST_MS_MAX = 180_000;
const MINUTE_MS = 60_000;
/** A minute is written within a second or two after its end. */
const WRITTEN_MS = 3_000;

interface Summary {
  readonly requests: { readonly total: number; readonly succeeded: number };
  readonly sessions: { readonly created: number; readonly started: number };
}

async function ask<T>(node: ServerProcess, path: string, body?: object): Promise<T> {
  const response = await fetch(`${node.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${node.testKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? null : { body: JSON.stringify(body) }),
  });
  expect([path, response.ok]).toEqual([path, true]);
  return (await response.json()) as T;
}

async function use(node: ServerProcess, times: number): Promise<void> {
  for (let n = 0; n < times; n++) await ask(node, '/v1/whoami');
  const players = [{ id: 'ann' }, { id: 'ben' }];
  await ask(node, '/v1/sessions', { game: 'tictactoe', players });
}

async function untilWritten(): Promise<void> {
  await Bun.sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + WRITTEN_MS);
}

const summaryOf = (node: ServerProcess) => ask<Summary>(node, '/v1/metrics/summary');

test.skipIf(!isPostgresHere() || !isNatsHere())(
  '[D14][N1] both nodes report the same metrics, complete after a restart and after a crash of the other',
  async () => {
    const postgres = await startPostgres();
    const nats = await startNats(1);
    const folder = makeTempFolder();
    const env = {
      MATCHD_STORE: await postgres.createDatabase(),
      MATCHD_SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
      MATCHD_BUS: nats.urls.join(','),
    };
    const running: ServerProcess[] = [];
    const start = async (): Promise<ServerProcess> => {
      const node = await startServer({ port: await freePort(), dataDir: folder, env });
      running.push(node);
      return node;
    };
    try {
      const [first, second] = [await start(), await start()];
      await use(first, 7);
      await use(second, 5);
      expect(await second.stop()).toBe(0);
      const again = await start();
      await use(again, 3);
      await untilWritten();
      const whole = { requests: { total: 18, succeeded: 18 }, sessions: { created: 3 } };
      const seen = await summaryOf(first);
      expect(seen).toMatchObject(whole);
      expect(await summaryOf(again)).toEqual(seen);
      // Those two were requested in this minute; a crash loses that minute of its node only.
      await first.kill();
      await untilWritten();
      const left = { requests: { total: 19, succeeded: 19 }, sessions: { created: 3 } };
      expect(await summaryOf(again)).toMatchObject(left);
    } finally {
      for (const node of running) await node.kill();
      await nats.stop();
      await postgres.stop();
      removeFolder(folder);
    }
  },
  TEST_MS_MAX,
);
